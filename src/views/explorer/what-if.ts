/** What is typed in place of a recorded value: whether a replay can use it. Pure; the editor and the ways to the replay read it alike. */
import { type Result, err } from '../../core/base/result.ts';
import { type Replacement, jsonToReplacement } from '../../core/replay/edit-file.ts';
import type { DraftValue, ReplayDraft } from '../../state/replay-draft.ts';
import { textToJson } from '../../ui/json-text.ts';

/** Else the sentence that says what is wrong. */
export function textToReplacement({ as, text }: DraftValue): Result<Replacement, string> {
  const parsed = textToJson(text);
  return parsed.ok ? jsonToReplacement(as, parsed.value) : err(parsed.error.sentence);
}

/** Whether everything that was typed is a value. */
export function isUsable({ steps, input }: ReplayDraft): boolean {
  return (
    Object.values(steps).every((value) => textToReplacement(value).ok) && (input === undefined || textToJson(input).ok)
  );
}
