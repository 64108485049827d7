/**
 * The commands of one agent of a session by count and by recorded call id, and the conversation that each of its requests held.
 *
 * Invariant: a path is given once; what would have that of another keeps the path it came with, and no positions.
 */
import { type JsonValue, recordedToPlain } from '../../base/json.ts';
import { canon, digest } from '../../model/index.ts';

export interface LoopCall {
  readonly path: string;
  readonly kind: string;
  readonly id: JsonValue;
  /** What came back, as the model is told it; undefined while nothing did. */
  told: JsonValue | undefined;
}

export interface LoopScope {
  readonly path: string;
  /** The next position of the process that ran the loop. */
  readonly next: () => string;
  /** The last answer of the model. */
  said: JsonValue | undefined;
  /** Commands by the path they came with. */
  readonly calls: Map<string, LoopCall>;
  readonly countedPath: (kind: string, name: string) => string;
  readonly callPath: (kind: string, name: string, id: string | undefined) => string | undefined;
  readonly say: (message: JsonValue) => void;
  /** A call whose result the next request holds. */
  readonly await: (call: LoopCall) => void;
  /** Results that came in, in the order of their calls, are said. */
  readonly settle: () => void;
  /** Digest of what the next request passes. */
  readonly request: () => string;
}

export function createScope(path: string, next: () => string, opening: readonly JsonValue[] = []): LoopScope {
  let fresh: JsonValue[] = [...opening];
  let before: Print = [0, 0];
  const counts = new Map<string, number>();
  const given = new Set<string>();
  let awaited: LoopCall[] = [];
  const say = (message: JsonValue): void => {
    fresh.push(message);
  };
  const settle = (): void => {
    for (const { id, told } of awaited) if (told !== undefined) say({ role: 'tool', call: id, content: told });
    awaited = [];
  };
  const countedPath = (kind: string, name: string): string => {
    const label = `${path}/${kind}:${escapeName(name)}`;
    const n = counts.get(label) ?? 0;
    counts.set(label, n + 1);
    return `${label}#${n}`;
  };
  return {
    path,
    next,
    said: undefined,
    calls: new Map(),
    countedPath,
    callPath: (kind, name, id) => {
      if (id === undefined) return countedPath(kind, name);
      const keyed = `${path}/${kind}:${escapeName(name)}=${escapeKey(id)}`;
      if (given.has(keyed)) return undefined;
      given.add(keyed);
      return keyed;
    },
    say,
    await: (call) => {
      awaited.push(call);
    },
    settle,
    request: () => {
      settle();
      const args = { earlier: [...before], messages: fresh };
      for (const message of fresh) before = follow(before, message);
      fresh = [];
      return digest(args);
    },
  };
}

export type Print = readonly [number, number];

/**
 * Print of all that was said, so that a request need not hold the whole conversation again: reference programs compute the same. It
 * tells that something earlier differs; it is no protection against somebody who wants two conversations to look alike.
 */
export function follow([a, b]: Print, message: JsonValue): Print {
  let [one, other] = [a, b];
  const text = canon(recordedToPlain(message));
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    one = Math.imul(one ^ code, 0x01000193) + 1;
    other = Math.imul(other + code, 0x5bd1e995) ^ (other >>> 15);
  }
  return [one | 0, other | 0];
}

/** As the sandbox writes names into paths. */
function escapeName(name: string): string {
  return name.replace(/[%\\/#=]/g, encodeURIComponent);
}

/** As the sandbox writes keys into paths. */
export function escapeKey(key: string): string {
  return key.replace(/[%\\/]/g, encodeURIComponent);
}
