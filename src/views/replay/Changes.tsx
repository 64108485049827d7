/** The left side: what is changed (a step, the input, the program), by whom and why, and the two ways to run it. */
import { lineToShown, nameProblem, nameToShown } from '../../core/base/shown-text.ts';
import type { EventId } from '../../core/model/index.ts';
import { useSaveSettings, useSettings } from '../../data/index.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Checkbox, Field } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icons.tsx';
import { notify } from '../../ui/notices.ts';
import { type TabItem, Tabs } from '../../ui/Tabs.tsx';
import { EventRef } from './Links.tsx';
import { InputEditor } from './InputEditor.tsx';
import { ProgramEditor, type ProgramPlace } from './ProgramEditor.tsx';
import { RunChoice } from './RunChoice.tsx';
import { typedToPerson } from './run-rules.ts';
import type { ReplaySession } from './session.ts';
import { StepEditor } from './StepEditor.tsx';
import styles from './Changes.module.css';

export const changeTabs = ['step', 'input', 'program'] as const;
export type ChangeTab = (typeof changeTabs)[number];

export interface ChangesProps {
  readonly session: ReplaySession;
  readonly tab: ChangeTab;
  readonly onTab: (tab: ChangeTab) => void;
  readonly onRun: (run: string) => void;
  readonly event: EventId | undefined;
  readonly onEvent: (event: EventId) => void;
  /** A line of the program to go to. */
  readonly place: ProgramPlace | undefined;
}

export function Changes({ session, tab, onTab, onRun, event, onEvent, place }: ChangesProps) {
  const { draft } = session;
  const steps = Object.keys(draft.steps).length;
  const items: readonly TabItem<ChangeTab>[] = [
    { id: 'step', label: 'Step', count: steps === 0 ? undefined : steps },
    { id: 'input', label: draft.input === undefined ? 'Input' : 'Input (changed)' },
    { id: 'program', label: draft.program === undefined ? 'Program' : 'Program (changed)' },
  ];
  return (
    <section className={styles['changes']} aria-label="What to change">
      <RunChoice session={session} onRun={onRun} />
      <div className={styles['editors']}>
        <Tabs label="What to change" items={items} selected={tab} onSelect={onTab}>
          <div className={styles['panel']}>
            {tab === 'step' ? <StepEditor session={session} event={event} onEvent={onEvent} /> : undefined}
            {tab === 'input' ? <InputEditor session={session} /> : undefined}
            {tab === 'program' ? <ProgramEditor session={session} place={place} /> : undefined}
          </div>
        </Tabs>
      </div>
      <ChangeList session={session} onTab={onTab} onEvent={onEvent} />
      <Run session={session} />
    </section>
  );
}

/** Everything that the next replay changes, where it is more than what one sees in the editor. */
function ChangeList({ session, onTab, onEvent }: Pick<ChangesProps, 'session' | 'onTab' | 'onEvent'>) {
  const { draft, change, titles } = session;
  // Cast: keys of the draft are ids of events, put there by the editor of a step.
  const steps = Object.keys(draft.steps) as EventId[];
  const count =
    steps.length + draft.supplies.length + (draft.input === undefined ? 0 : 1) + (draft.program === undefined ? 0 : 1);
  if (count < 2 && draft.supplies.length === 0) return undefined;
  const removeStep = (event: EventId) => () =>
    change((now) => ({ ...now, steps: Object.fromEntries(Object.entries(now.steps).filter(([id]) => id !== event)) }));
  return (
    <section className={styles['list']} aria-label="Changes of this replay">
      <h2>Changes of this replay</h2>
      <ul>
        {steps.map((event) => (
          <li key={event}>
            <Icon name="pencil" size={12} />
            <span>
              <EventRef event={event} />
            </span>
            <Button kind="quiet" onPress={() => onEvent(event)}>
              Show
            </Button>
            <IconButton
              icon="close"
              label={`Take back the edit of ${titles.get(event)?.title ?? event}`}
              onPress={removeStep(event)}
            />
          </li>
        ))}
        {draft.input === undefined ? undefined : (
          <li>
            <Icon name="pencil" size={12} />
            <span>the input of the run</span>
            <Button kind="quiet" onPress={() => onTab('input')}>
              Show
            </Button>
            <IconButton
              icon="close"
              label="Take back the edit of the input"
              onPress={() => change((now) => ({ ...now, input: undefined }))}
            />
          </li>
        )}
        {draft.program === undefined ? undefined : (
          <li>
            <Icon name="pencil" size={12} />
            <span>the control program</span>
            <Button kind="quiet" onPress={() => onTab('program')}>
              Show
            </Button>
            <IconButton
              icon="close"
              label="Take back the program"
              onPress={() => change((now) => ({ ...now, program: undefined }))}
            />
          </li>
        )}
        {draft.supplies.map(({ path, evidence }) => (
          <li key={path}>
            <Icon name="plus" size={12} />
            <span>
              {evidence === undefined ? 'supplied' : 'adopted'} <code>{lineToShown(path)}</code>
            </span>
            <IconButton
              icon="close"
              label={`Take back the value for ${lineToShown(path)}`}
              onPress={() => change((now) => ({ ...now, supplies: now.supplies.filter((one) => one.path !== path) }))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Run({ session }: { readonly session: ReplaySession }) {
  const { draft, change, reading, state, canReplay, hasProgram, replay, verify } = session;
  const isRunning = state.status === 'running';
  return (
    <footer className={styles['run']}>
      <div className={styles['fields']}>
        <Field
          label="Why"
          value={draft.reason}
          onChange={(reason) => change((now) => ({ ...now, reason }))}
          placeholder="What you expect"
        />
        <Actor session={session} />
      </div>
      <Checkbox isSelected={draft.lenient} onChange={(lenient) => change((now) => ({ ...now, lenient }))}>
        Deliver recorded reads that a changed effect may have touched, and flag them
      </Checkbox>
      <div className={styles['buttons']}>
        <Button
          kind="primary"
          icon="replay"
          shortcut="r"
          isDisabled={!canReplay || reading.changes === 0}
          onPress={() => replay()}
        >
          Replay
        </Button>
        <Button shortcut="v" isDisabled={isRunning || !hasProgram} onPress={verify}>
          Verify
        </Button>
      </div>
      <p className={styles['sends']}>
        Nothing recorded changes. A replay sends nothing: no model is asked, no effect is executed.
      </p>
    </footer>
  );
}

/** Who is written into the operation; kept in the settings of this machine. */
function Actor({ session }: { readonly session: ReplaySession }) {
  const settings = useSettings();
  const save = useSaveSettings();
  const { person: typed, namePerson } = session;
  const recorded = settings.data?.person ?? '';
  const commit = (): void => {
    const person = typed === undefined ? undefined : typedToPerson(typed, recorded);
    if (person !== undefined && settings.data !== undefined) save.mutate({ ...settings.data, person });
    if (typed === undefined || nameProblem(typed) === undefined) return;
    namePerson(nameToShown(typed));
    notify('The name was cut: it is kept with the branch, and has at most 200 characters.');
  };
  return (
    <Field
      label="Made by"
      value={typed ?? recorded}
      onChange={namePerson}
      onBlur={commit}
      placeholder="Your name"
      problem={typed === undefined ? undefined : nameProblem(typed)}
      help="Kept with the branch, and in new entries of the access log."
    />
  );
}
