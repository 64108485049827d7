/**
 * Another value for the selected decision or observation, typed in place: the panes show at once what would fall.
 *
 * Invariant: what is typed goes into the draft of the replay and nowhere else; nothing recorded changes. It is checked as the replay view
 * checks it, and leads there only when it is a value. Running it is the replay view's.
 */
import { useEffect, useMemo, useRef } from 'react';
import { type JsonValue, isJsonArray, isJsonObject } from '../../core/base/json.ts';
import type { Inspection } from '../../core/projections/trace-reader.ts';
import { useShapeCheck } from '../../data/edit-view.ts';
import { usePreview } from '../../data/index.ts';
import {
  type DraftValue,
  changeReplayDraft,
  draftToStep,
  emptyDraft,
  takeUpReplayDraft,
  useReplayDraft,
} from '../../state/replay-draft.ts';
import { changeLocation, useNavigation } from '../../state/location.ts';
import { Button } from '../../ui/Button.tsx';
import { JsonEditor } from '../../ui/JsonEditor.tsx';
import { jsonToLine, jsonToText } from '../../ui/json-text.ts';
import { shapeToNote } from '../../ui/shape-words.ts';
import type { Explorer } from './explorer.ts';
import { draftToPreviewRequest } from './preview-request.ts';
import { isUsable, textToReplacement } from './what-if.ts';
import styles from './WhatIf.module.css';

export interface WhatIfProps {
  readonly inspection: Inspection;
  readonly explorer: Explorer;
}

export function WhatIf({ inspection, explorer }: WhatIfProps) {
  const { editable } = inspection;
  const { takeEditFocus } = explorer;
  const section = useRef<HTMLElement>(null);
  // The focus goes where a person asked to go, and nowhere when the value is only met again on a walk.
  useEffect(() => {
    if (takeEditFocus()) section.current?.focus();
  });
  if (editable === undefined) return undefined;
  return (
    <section ref={section} tabIndex={-1} className={styles['editor']} aria-label="What if it were different">
      <Editor inspection={inspection} explorer={explorer} editable={editable} />
    </section>
  );
}

type Editable = NonNullable<Inspection['editable']>;

function Editor({ inspection, explorer, editable }: WhatIfProps & { readonly editable: Editable }) {
  const { row, event } = inspection;
  const { go, location } = useNavigation();
  const openReplay = (): void => {
    if (location.kind === 'trace')
      go(changeLocation(location, { view: 'replay', event: row.id, extra: { if: undefined } }));
  };
  const draft = useReplayDraft(explorer.trace, explorer.branch);
  const recorded = useMemo(() => jsonToText(editable.value), [editable]);
  const isInput = editable.what === 'input';
  const known = draftToStep(draft, row.id);
  const now: DraftValue = isInput
    ? { as: 'value', text: draft.input ?? recorded }
    : (known ?? { as: 'value', text: recorded });
  const isChanged = (isInput ? draft.input !== undefined : known !== undefined) && now.text !== recorded;
  const set = (next: string): void => {
    const run = memberOf(event, 'run');
    if (typeof run === 'string') takeUpReplayDraft(explorer.trace, explorer.branch, run);
    changeReplayDraft(explorer.trace, explorer.branch, (before) => {
      if (isInput) return { ...before, input: next === recorded ? undefined : next };
      const others = Object.fromEntries(Object.entries(before.steps).filter(([id]) => id !== row.id));
      return { ...before, steps: next === recorded ? others : { ...others, [row.id]: { as: now.as, text: next } } };
    });
  };
  const choices = editable.what === 'decision' ? readAlternatives(event) : [];
  const replacement = textToReplacement(now);
  const typed = replacement.ok && 'value' in replacement.value ? replacement.value.value : undefined;
  const check = useCheck(explorer, inspection, { editable, typed, choices });
  return (
    <>
      <header>
        <h3>What if this {editable.what} were different?</h3>
        {isChanged ? (
          <span className={styles['acts']}>
            <Button kind="quiet" onPress={() => set(recorded)}>
              Reset
            </Button>
            <Button kind="primary" icon="replay" isDisabled={!isUsable(draft)} onPress={openReplay}>
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
              aria-pressed={jsonToText(choice) === now.text}
              onClick={() => set(jsonToText(choice))}
            >
              {jsonToLine(choice, 40)}
            </button>
          ))}
        </div>
      )}
      <JsonEditor
        label={`${valueName(editable, now)} instead of what is recorded`}
        text={now.text}
        onText={set}
        problems={replacement.ok ? check.problems : [replacement.error]}
        note={
          !isChanged
            ? 'As recorded. The panes already show what falls if it were anything else.'
            : replacement.ok
              ? `${typed === undefined ? '' : `${shapeToNote(check) ?? ''} `}Nothing recorded changes. Ctrl+Enter opens it in Replay, which runs it.`
              : 'It can be opened in Replay when it can be read.'
        }
      />
    </>
  );
}

function valueName({ what }: Editable, { as }: DraftValue): string {
  if (what === 'decision') return 'Chosen';
  if (what === 'input') return 'Input';
  return as === 'error' ? 'Error' : 'Value';
}

interface Typed {
  readonly editable: Editable;
  readonly typed: JsonValue | undefined;
  readonly choices: readonly JsonValue[];
}

/** The check of the replay view, over the commands of the run this event is of. */
function useCheck({ trace, branch }: Explorer, { row, event }: Inspection, { editable, typed, choices }: Typed) {
  const run = memberOf(event, 'run');
  const isInput = editable.what === 'input';
  const request = useMemo(
    () =>
      draftToPreviewRequest(
        emptyDraft,
        { event: row.id, isInput },
        { trace, base: branch, run: typeof run === 'string' ? run : undefined },
      ),
    [trace, branch, row.id, isInput, run],
  );
  const commands = usePreview(request).data?.items;
  const kind = memberOf(memberOf(event, 'command'), 'kind');
  const name = memberOf(memberOf(event, 'command'), 'name');
  return useShapeCheck(
    { trace, branch, commands },
    {
      kind: isInput || typeof kind !== 'string' ? undefined : kind,
      name: isInput ? 'the input' : typeof name === 'string' ? name : row.title,
      recorded: editable.value,
      typed,
      choices,
    },
  );
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

function readAlternatives(event: JsonValue): readonly JsonValue[] {
  const data = isJsonObject(event) ? event['data'] : undefined;
  if (!isJsonObject(data)) return [];
  const args = data['args'];
  const list = data['alternatives'] ?? (isJsonObject(args) ? args['alternatives'] : undefined);
  return isJsonArray(list) ? list : [];
}
