/** One decision or observation, edited: the value control code is to receive instead, checked against what it is used to. */
import { useEffect, useId, useMemo } from 'react';
import { lineToShown } from '../../core/base/shown-text.ts';
import { type JsonValue, isJsonArray } from '../../core/base/json.ts';
import type { EventId } from '../../core/model/index.ts';
import type { Inspection } from '../../core/projections/trace-reader.ts';
import { computeJsonDifferences } from '../../core/replay/json-diff.ts';
import { useShapeCheck } from '../../data/edit-view.ts';
import { useInspection } from '../../data/index.ts';
import { type DraftValue, draftToStep } from '../../state/replay-draft.ts';
import { Button } from '../../ui/Button.tsx';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { countToText } from '../../ui/format.ts';
import { JsonEditor } from '../../ui/JsonEditor.tsx';
import { Message } from '../../ui/Message.tsx';
import { Waiting } from '../../ui/Progress.tsx';
import { jsonToLine, jsonToText } from '../../ui/json-text.ts';
import { shapeToNote } from '../../ui/shape-words.ts';
import { textToReplacement } from './draft-request.ts';
import { memberAt, textAt } from './facts.ts';
import { InputEditor } from './InputEditor.tsx';
import { JsonDiff } from './JsonDiff.tsx';
import { Segments } from './Segments.tsx';
import type { ReplaySession } from './session.ts';
import styles from './Changes.module.css';

export interface StepEditorProps {
  readonly session: ReplaySession;
  readonly event: EventId | undefined;
  readonly onEvent: (event: EventId) => void;
}

export function StepEditor({ session, event, onEvent }: StepEditorProps) {
  const { data, error, isPending } = useInspection(session.trace, session.branch, event);
  const answer = data === undefined || data.editable?.what === 'input' ? undefined : findObservation(data);
  // Syncs the address with what can be edited of the chosen command: its answer, not its request.
  useEffect(() => {
    if (answer !== undefined && answer !== event) onEvent(answer);
  }, [answer, event, onEvent]);
  if (event === undefined) {
    return (
      <Message title="Choose a step" icon="pencil">
        Press the pencil of a step in the list, or E on any decision or observation in the explorer.
      </Message>
    );
  }
  if (error !== null) {
    return (
      <Message title="The event could not be read" tone="problem" icon="warning">
        {error.message}
      </Message>
    );
  }
  if (isPending) return <Waiting label="Reading the step" />;
  if (data === undefined) {
    return (
      <Message title="This event is not on this branch" icon="branch">
        Choose another step in the list.
      </Message>
    );
  }
  if (data.editable?.what === 'input') return <InputEditor session={session} />;
  const editable = inspectionToEditable(data);
  if (editable === undefined) {
    return (
      <Message
        title="Choose a decision or an observation"
        icon="pencil"
        actions={
          data.editableCause === undefined ? undefined : (
            <Button kind="primary" icon="pencil" onPress={() => onEvent(data.editableCause?.id ?? event)}>
              Edit what it rests on: {data.editableCause.title.split(/: [{[]/)[0] ?? data.editableCause.title}
            </Button>
          )
        }
      >
        <p>
          “{data.row.title}” is neither: control code did not receive or decide it, so it is not edited itself. Press
          the pencil of a step in the list.
        </p>
      </Message>
    );
  }
  return <Editor key={event} session={session} inspection={data} value={editable.value} />;
}

const endings = /\.(?:completed|failed|timed_out|received|granted|denied|fired|joined)$/;

/** Also the end of an attempt that was not the last (replay D8): the engine says where even that cannot be edited. */
function inspectionToEditable({ row, event, editable }: Inspection): { readonly value: JsonValue } | undefined {
  if (editable !== undefined) return editable;
  if (!endings.test(row.type) || memberAt(event, 'command') === undefined) return undefined;
  return { value: memberAt(event, 'data', 'result') ?? memberAt(event, 'data', 'value') ?? null };
}

/** The event whose value can be edited: itself, or the answer to the request that was chosen. */
function findObservation(inspection: Inspection): EventId | undefined {
  const { row, effects } = inspection;
  if (inspectionToEditable(inspection) !== undefined) return row.id;
  return effects.listed.findLast(({ as, row: effect }) => as === 'result_of' && endings.test(effect.type))?.row.id;
}

interface EditorProps {
  readonly session: ReplaySession;
  readonly inspection: Inspection;
  readonly value: JsonValue;
}

function Editor({ session, inspection, value }: EditorProps) {
  const { draft, change } = session;
  const { row, event } = inspection;
  const id = useId();
  const isDecision = inspection.editable?.what === 'decision';
  const recorded = useMemo<DraftValue>(() => {
    const error = memberAt(event, 'data', 'error');
    return error === undefined || isDecision
      ? { as: 'value', text: jsonToText(value) }
      : { as: 'error', text: jsonToText(error) };
  }, [event, value, isDecision]);
  const now = draftToStep(draft, row.id) ?? recorded;
  const isChanged = now.as !== recorded.as || now.text !== recorded.text;
  const set = (next: DraftValue): void => {
    change(({ steps, ...rest }) => {
      const others = Object.fromEntries(Object.entries(steps).filter(([key]) => key !== row.id));
      const isBack = next.as === recorded.as && next.text === recorded.text;
      return { ...rest, steps: isBack ? others : { ...steps, [row.id]: next } };
    });
  };
  const replacement = textToReplacement(now);
  const typed = replacement.ok && 'value' in replacement.value ? replacement.value.value : undefined;
  const check = useShapeCheck(
    { ...session, commands: session.preview.data?.items },
    {
      kind: textAt(event, 'command', 'kind'),
      name: textAt(event, 'command', 'name') ?? row.title,
      recorded: recorded.as === 'value' ? value : undefined,
      typed,
      choices: choicesOf(event),
    },
  );
  const differences = typed === undefined || recorded.as === 'error' ? [] : computeJsonDifferences(value, typed);
  return (
    <div className={styles['editor']}>
      <header className={styles['title']}>
        <FamilyIcon family={row.family} effect={row.effect} failed={row.failed} />
        <div>
          <h2 id={id}>{row.title}</h2>
          <p>
            {isDecision ? 'decision' : 'observation'} · {lineToShown(textAt(event, 'command', 'path') ?? row.type)}
          </p>
        </div>
        {isChanged ? <Button onPress={() => set(recorded)}>Reset</Button> : undefined}
      </header>
      {isDecision ? (
        <Choices
          choices={choicesOf(event)}
          text={now.text}
          onChoose={(choice) => set({ as: 'value', text: jsonToText(choice) })}
        />
      ) : (
        <Segments
          label="Control code receives"
          items={[
            { id: 'value', label: 'a value' },
            { id: 'error', label: 'an error' },
          ]}
          selected={now.as}
          onSelect={(as) => set(as === recorded.as ? recorded : { as, text: as === 'error' ? errorTemplate : '' })}
        />
      )}
      <JsonEditor
        label={`${isDecision ? 'Chosen' : now.as === 'error' ? 'Error' : 'Value'} of ${row.title}`}
        text={now.text}
        onText={(text) => set({ as: now.as, text })}
        problems={replacement.ok ? check.problems : [replacement.error]}
        note={replacement.ok && typed !== undefined ? shapeToNote(check) : undefined}
      />
      {isChanged && differences.length > 0 ? (
        <JsonDiff label="What is changed" differences={differences} before="recorded" after="yours" />
      ) : undefined}
    </div>
  );
}

const errorTemplate = jsonToText({ name: 'Error', message: '' });

function choicesOf(event: JsonValue): readonly JsonValue[] {
  const list = memberAt(event, 'data', 'alternatives') ?? memberAt(event, 'data', 'args', 'alternatives');
  return isJsonArray(list) ? list : [];
}

interface ChoicesProps {
  readonly choices: readonly JsonValue[];
  readonly text: string;
  readonly onChoose: (choice: JsonValue) => void;
}

const mostChoices = 12;

/** The recorded alternatives of a decision, one press each. */
function Choices({ choices, text, onChoose }: ChoicesProps) {
  if (choices.length === 0) return undefined;
  return (
    <div className={styles['choices']} role="group" aria-label="Recorded alternatives">
      <span>Recorded alternatives</span>
      {choices.slice(0, mostChoices).map((choice) => (
        <button
          key={jsonToText(choice)}
          type="button"
          aria-pressed={jsonToText(choice) === text}
          onClick={() => onChoose(choice)}
        >
          {jsonToLine(choice, 40)}
        </button>
      ))}
      {choices.length > mostChoices ? (
        <span>and {countToText(choices.length - mostChoices)} more, which can be written below</span>
      ) : undefined}
    </div>
  );
}
