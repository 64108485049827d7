/**
 * Whether a redacted copy still replays, read from the stream that leaves and not from the policy: a detector may mask a part of what
 * the policy keeps. Called by the share panel and by `hindcast redact`, which say the same.
 */
import { type JsonValue, isJsonObject } from '../base/json.ts';
import { containsHole } from '../replay/withheld.ts';

export interface CopyReplay {
  readonly replays: 'viewing only' | 'until a withheld value is needed';
  readonly sentence: string;
}

export function computeCopyReplay(stream: string): CopyReplay {
  const started = [...findStarts(stream)];
  const why = started.map(whyNot).find((reason) => reason !== undefined);
  if (started.length > 0 && why === undefined) {
    return {
      replays: 'until a withheld value is needed',
      sentence: 'The control program is in the copy: it replays until it needs a withheld value.',
    };
  }
  return {
    replays: 'viewing only',
    sentence: `${why ?? 'No run starts in the copy, so there is no control program in it'}: the copy is for viewing, not for replay.`,
  };
}

function whyNot(data: JsonValue | undefined): string | undefined {
  const program = isJsonObject(data) ? data['program'] : undefined;
  const source = isJsonObject(program) ? program['source'] : undefined;
  if (source === undefined) return 'The control program is not in the copy';
  if (typeof source !== 'string') return 'The control program is withheld, or a part of its text is';
  const input = isJsonObject(data) ? data['input'] : undefined;
  if (containsHole(input)) return 'The control program is in the copy, but the input it starts with is withheld';
  return undefined;
}

function* findStarts(stream: string): Generator<JsonValue | undefined> {
  for (const line of stream.split('\n')) {
    if (!line.includes('"run.started"')) continue;
    // Cast: the text was written as JSON by the redaction.
    const event = JSON.parse(line) as JsonValue;
    if (isJsonObject(event) && event['type'] === 'run.started') yield event['data'];
  }
}
