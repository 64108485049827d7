/**
 * Whether a redacted copy still replays, read from the stream that leaves and not from the policy: a detector may mask a part of what
 * the policy keeps. Called by the share panel and by `hindcast redact`, which say the same.
 */
import { type JsonValue, isHole, isJsonArray, isJsonObject } from '../base/json.ts';
import { containsHole } from '../base/withheld.ts';

export interface CopyReplay {
  readonly replays: 'viewing only' | 'until a withheld value is needed';
  readonly sentence: string;
}

export function computeCopyReplay(stream: string): CopyReplay {
  const { starts, hasPseudonyms, masked } = readStream(stream);
  const why =
    starts.length === 0
      ? 'No run starts in the copy, so there is no control program in it'
      : (starts.map((data) => whyNot(data, masked)).find((reason) => reason !== undefined) ??
        (hasPseudonyms ? foundUnderNoName : undefined));
  return why === undefined
    ? {
        replays: 'until a withheld value is needed',
        sentence: 'The control program is in the copy: it replays until it needs a withheld value.',
      }
    : { replays: 'viewing only', sentence: `${why}: the copy is for viewing, not for replay.` };
}

/** A pseudonym in a command path is another path (replay W3). */
const foundUnderNoName =
  'The control program is in the copy, but names of tools and models are pseudonyms, under which it finds none of its commands (keep them too, and it replays)';

function whyNot(data: JsonValue | undefined, masked: ReadonlySet<string>): string | undefined {
  const program = isJsonObject(data) ? data['program'] : undefined;
  const source = isJsonObject(program) ? program['source'] : undefined;
  if (source === undefined) return 'The control program is not in the copy';
  if (typeof source !== 'string') return sourceToReason(source, masked);
  const input = isJsonObject(data) ? data['input'] : undefined;
  if (containsHole(input)) return 'The control program is in the copy, but the input it starts with is withheld';
  return undefined;
}

/** The copy declares of a hole what it masks; the whole text is withheld where it declares nothing of the kind. */
function sourceToReason(source: JsonValue, masked: ReadonlySet<string>): string {
  return isHole(source) && masked.has(source.$hole)
    ? 'A part of the text of the control program is withheld'
    : 'The control program is withheld';
}

interface StreamFacts {
  /** Payloads of what starts a run. */
  readonly starts: readonly (JsonValue | undefined)[];
  readonly hasPseudonyms: boolean;
  /** Ids of holes that stand for a text of which a part is withheld. */
  readonly masked: ReadonlySet<string>;
}

function readStream(stream: string): StreamFacts {
  const starts: (JsonValue | undefined)[] = [];
  let hasPseudonyms = false;
  const masked = new Set<string>();
  for (const line of stream.split('\n')) {
    if (!line.includes('"run.started"') && !line.includes('"share.declared"')) continue;
    // Cast: the text was written as JSON by the redaction.
    const event = JSON.parse(line) as JsonValue;
    if (!isJsonObject(event)) continue;
    if (event['type'] === 'run.started') starts.push(event['data']);
    if (event['type'] !== 'share.declared') continue;
    hasPseudonyms = memberOf(event['data'], 'policy', 'classes', 'names') === 'pseudonym';
    const holes = memberOf(event['data'], 'holes');
    for (const hole of isJsonArray(holes) ? holes : [])
      if (isJsonObject(hole) && typeof hole['id'] === 'string' && hole['masked'] !== undefined) masked.add(hole['id']);
  }
  return { starts, hasPseudonyms, masked };
}

function memberOf(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((at, key) => (isJsonObject(at) ? at[key] : undefined), value);
}
