/**
 * Another value for the selected decision or observation, typed in place: the panes show at once what would fall.
 *
 * Invariant: what is typed goes into the draft of the replay and nowhere else; nothing recorded changes. Errors, schemas and running it
 * are the replay view's.
 */
import { useEffect, useMemo, useRef } from 'react';
import { type JsonValue, isJsonArray, isJsonObject } from '../../core/base/json.ts';
import type { Inspection } from '../../core/projections/trace-reader.ts';
import { changeReplayDraft, draftToStep, takeUpReplayDraft, useReplayDraft } from '../../state/replay-draft.ts';
import { changeLocation, useNavigation } from '../../state/location.ts';
import { Button } from '../../ui/Button.tsx';
import { JsonEditor } from '../../ui/JsonEditor.tsx';
import { jsonToLine, jsonToText } from '../../ui/json-text.ts';
import type { Explorer } from './explorer.ts';
import styles from './WhatIf.module.css';

export interface WhatIfProps {
  readonly inspection: Inspection;
  readonly explorer: Explorer;
}

export function WhatIf({ inspection, explorer }: WhatIfProps) {
  const { row, editable, event } = inspection;
  const { takeEditFocus } = explorer;
  const { go, location } = useNavigation();
  const openReplay = (): void => {
    if (location.kind === 'trace')
      go(changeLocation(location, { view: 'replay', event: row.id, extra: { if: undefined } }));
  };
  const section = useRef<HTMLElement>(null);
  // The focus goes where a person asked to go, and nowhere when the value is only met again on a walk.
  useEffect(() => {
    if (takeEditFocus()) section.current?.focus();
  });
  const draft = useReplayDraft(explorer.trace, explorer.branch);
  const recorded = useMemo(() => (editable === undefined ? '' : jsonToText(editable.value)), [editable]);
  if (editable === undefined) return undefined;
  const isInput = editable.what === 'input';
  const known = draftToStep(draft, row.id);
  const text = (isInput ? draft.input : known?.text) ?? recorded;
  const isChanged = (isInput ? draft.input !== undefined : known !== undefined) && text !== recorded;
  const set = (next: string): void => {
    const run = isJsonObject(event) ? event['run'] : undefined;
    if (typeof run === 'string') takeUpReplayDraft(explorer.trace, explorer.branch, run);
    changeReplayDraft(explorer.trace, explorer.branch, (now) => {
      if (isInput) return { ...now, input: next === recorded ? undefined : next };
      const others = Object.fromEntries(Object.entries(now.steps).filter(([id]) => id !== row.id));
      return {
        ...now,
        steps: next === recorded ? others : { ...others, [row.id]: { as: known?.as ?? 'value', text: next } },
      };
    });
  };
  const choices = editable.what === 'decision' ? readAlternatives(event) : [];
  return (
    <section ref={section} tabIndex={-1} className={styles['editor']} aria-label="What if it were different">
      <header>
        <h3>What if this {editable.what} were different?</h3>
        {isChanged ? (
          <span className={styles['acts']}>
            <Button kind="quiet" onPress={() => set(recorded)}>
              Reset
            </Button>
            <Button kind="primary" icon="replay" onPress={openReplay}>
              Open in Replay
            </Button>
          </span>
        ) : undefined}
      </header>
      {choices.length === 0 ? undefined : (
        <div className={styles['choices']} role="group" aria-label="Recorded alternatives">
          {choices.slice(0, 8).map((choice) => (
            <button
              key={jsonToText(choice)}
              type="button"
              aria-pressed={jsonToText(choice) === text}
              onClick={() => set(jsonToText(choice))}
            >
              {jsonToLine(choice, 40)}
            </button>
          ))}
        </div>
      )}
      <JsonEditor
        label={`${editable.what === 'decision' ? 'Chosen' : isInput ? 'Input' : 'Value'} instead of what is recorded`}
        text={text}
        onText={set}
        note={
          isChanged
            ? 'Nothing recorded changes. Ctrl+Enter opens it in Replay, which checks the value and runs it.'
            : 'As recorded. The panes already show what falls if it were anything else.'
        }
      />
    </section>
  );
}

function readAlternatives(event: JsonValue): readonly JsonValue[] {
  const data = isJsonObject(event) ? event['data'] : undefined;
  if (!isJsonObject(data)) return [];
  const args = data['args'];
  const list = data['alternatives'] ?? (isJsonObject(args) ? args['alternatives'] : undefined);
  return isJsonArray(list) ? list : [];
}
