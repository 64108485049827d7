/**
 * What of this run or branch is pinned: proposed from an unedited replay, so that only what holds can be chosen; what must never be asked
 * for and what may differ are typed.
 */
import { useState } from 'react';
import { controlsToEscapes, lineToShown, nameProblem, nameToShown } from '../../core/base/shown-text.ts';
import type { Selector } from '../../core/golden/index.ts';
import type { GoldenProposal } from '../../data/index.ts';
import { useGoldenActs, useGoldenProposal } from '../../data/replay-view.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox, Field } from '../../ui/Field.tsx';
import { countOf } from '../../ui/format.ts';
import { Message } from '../../ui/Message.tsx';
import { notify } from '../../ui/notices.ts';
import { Waiting } from '../../ui/Progress.tsx';
import { propertyToSelector, propertyToText, targetToText } from './golden-words.ts';
import type { PinDraft } from './pin-draft.ts';
import type { ReplaySession } from './session.ts';
import styles from './Sheet.module.css';

export interface PinFormProps {
  readonly session: ReplaySession;
  readonly draft: PinDraft;
  readonly onDraft: (draft: PinDraft) => void;
  readonly onClose: () => void;
}

export function PinForm(props: PinFormProps) {
  const { session, onClose } = props;
  const { trace, branch, facts } = session;
  const proposal = useGoldenProposal({ trace, branch, run: facts.run });
  if (proposal.error !== null) {
    return (
      <Message
        title="This cannot be pinned"
        tone="problem"
        icon="warning"
        actions={<Button onPress={onClose}>Close</Button>}
      >
        {proposal.error.message}
      </Message>
    );
  }
  if (proposal.data === undefined) return <Waiting label="Replaying it to see what holds" lines={6} />;
  return <Form {...props} proposal={proposal.data} />;
}

function Form({ session, draft, onDraft, proposal, onClose }: PinFormProps & { readonly proposal: GoldenProposal }) {
  const { trace, branch, facts } = session;
  const acts = useGoldenActs();
  const { properties, invariants } = proposal;
  const { name, reason, absent, exempt } = draft;
  const chosen: ReadonlySet<string> = draft.chosen ?? new Set(properties.map(({ id }) => id));
  const [problem, setProblem] = useState<string>();
  const [isPinning, setPinning] = useState(false);
  const toggle = (id: string) => (isOn: boolean) =>
    onDraft({ ...draft, chosen: new Set(isOn ? [...chosen, id] : [...chosen].filter((one) => one !== id)) });
  const selectors: readonly Selector[] = [
    ...properties.filter(({ id }) => chosen.has(id)).map(propertyToSelector),
    ...invariants
      .filter(({ rule }) => chosen.has(`invariant:${rule}`))
      .map(({ rule }) => ({ kind: 'invariant', target: rule }) as const),
    ...textToList(absent).map((target) => ({ kind: 'absence', target }) as const),
  ];
  const pin = (): void => {
    setProblem(undefined);
    setPinning(true);
    const ask = {
      trace,
      branch,
      run: facts.run,
      name: nameToShown(name),
      reason,
      properties: selectors,
      exempt: textToList(exempt),
    };
    acts.pin(ask).then(
      (made) => {
        notify(`Pinned “${made.golden.name}”: ${countOf(made.golden.properties.length, 'property', 'properties')}.`);
        onClose();
      },
      (error: unknown) => {
        setPinning(false);
        setProblem(error instanceof Error ? error.message : String(error));
      },
    );
  };
  return (
    <form
      className={styles['part']}
      aria-label="Pin a golden case"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '' && nameProblem(name) === undefined && selectors.length > 0 && !isPinning) pin();
      }}
    >
      <h3>Pin {branch === 'main' ? 'the run as recorded' : `branch ${branch}`}</h3>
      <Field
        label="Name of the case"
        value={name}
        onChange={(to) => onDraft({ ...draft, name: to })}
        autoFocus
        problem={nameProblem(name)}
        placeholder="warranty-honoured"
      />
      <Field
        label="Why it must stay"
        value={reason}
        onChange={(to) => onDraft({ ...draft, reason: to })}
        placeholder="Read by whoever breaks it"
      />
      <fieldset className={styles['group']}>
        <legend>What holds in it, and is pinned</legend>
        {properties.map((property) => (
          <Checkbox key={property.id} isSelected={chosen.has(property.id)} onChange={toggle(property.id)}>
            {property.kind} <code>{lineToShown(targetToText(property))}</code>{' '}
            {controlsToEscapes(propertyToText(property))}
          </Checkbox>
        ))}
      </fieldset>
      {invariants.length === 0 ? undefined : (
        <details>
          <summary>
            Checks of the audit that find nothing here, to be kept so ({countOf(invariants.length, 'check')})
          </summary>
          <fieldset className={styles['group']}>
            <legend>Audit</legend>
            {invariants.map(({ rule, title }) => (
              <Checkbox key={rule} isSelected={chosen.has(`invariant:${rule}`)} onChange={toggle(`invariant:${rule}`)}>
                {title}
              </Checkbox>
            ))}
          </fieldset>
        </details>
      )}
      <Field
        label="Effects that must never be asked for"
        value={absent}
        onChange={(to) => onDraft({ ...draft, absent: to })}
        placeholder="refunds.pay"
        help="Names of tools or paths of commands, separated by commas."
      />
      <Field
        label="What may differ"
        value={exempt}
        onChange={(to) => onDraft({ ...draft, exempt: to })}
        placeholder="/model:note#0"
        help="Paths of intended changes, separated by commas: they and what descends from them are exempt."
      />
      {problem === undefined ? undefined : (
        <p className={styles['danger']} role="alert">
          {problem}
        </p>
      )}
      <div className={styles['bar']}>
        <Button type="submit" kind="primary" isDisabled={name.trim() === '' || selectors.length === 0 || isPinning}>
          Pin {countOf(selectors.length, 'property', 'properties')}
        </Button>
        <Button onPress={onClose}>Cancel</Button>
        {name.trim() === '' ? <span>It needs a name.</span> : undefined}
      </div>
    </form>
  );
}

function textToList(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
