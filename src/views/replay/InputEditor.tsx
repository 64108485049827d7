/** The input of the run, edited: everything after it may change. */
import { useMemo } from 'react';
import { lineToShown } from '../../core/base/shown-text.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { JsonEditor } from '../../ui/JsonEditor.tsx';
import { Button } from '../../ui/Button.tsx';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { Message } from '../../ui/Message.tsx';
import { jsonToText, textToJson } from '../../ui/json-text.ts';
import { shapeToNote } from '../../ui/shape-words.ts';
import { JsonDiff } from './JsonDiff.tsx';
import type { ReplaySession } from './session.ts';
import { computeJsonDifferences } from '../../core/replay/json-diff.ts';
import { checkAgainstSeen } from '../../core/replay/shape.ts';
import styles from './Changes.module.css';

export function InputEditor({ session }: { readonly session: ReplaySession }) {
  const { facts, draft, change } = session;
  const recorded = useMemo(() => (facts.input === undefined ? undefined : jsonToText(facts.input)), [facts.input]);
  const { isLoading, problem } = facts;
  if (isLoading || problem !== null) return <Awaited of={{ error: problem }} label="Reading the start of the run" />;
  if (facts.input === undefined || recorded === undefined) {
    return (
      <Message title="The input of the run is not recorded" icon="pencil">
        {facts.start === undefined ? 'No record says when control code started.' : 'The start of the run carries none.'}
      </Message>
    );
  }
  const text = draft.input ?? recorded;
  const parsed = textToJson(text);
  const check = parsed.ok ? checkAgainstSeen(parsed.value, [facts.input], 'the input') : undefined;
  const set = (next: string): void => {
    change((now) => ({ ...now, input: next === recorded ? undefined : next }));
  };
  return (
    <div className={styles['editor']}>
      <header className={styles['title']}>
        <FamilyIcon family="run" />
        <div>
          <h2>Input of the run</h2>
          <p>what {lineToShown(facts.program.name)} was started with</p>
        </div>
        {draft.input === undefined ? undefined : <Button onPress={() => set(recorded)}>Reset</Button>}
      </header>
      <JsonEditor
        label="Input of the run"
        text={text}
        onText={set}
        problems={check?.problems ?? []}
        note={check === undefined ? undefined : shapeToNote(check)}
      />
      {parsed.ok && draft.input !== undefined ? (
        <JsonDiff
          label="What is changed"
          differences={computeJsonDifferences(facts.input, parsed.value)}
          before="recorded"
          after="yours"
        />
      ) : undefined}
    </div>
  );
}
