/**
 * Decodes what the guest prelude sends.
 *
 * The prelude is ours, but it shares a realm with code that is not: every message is read by shape, and a message that
 * does not fit ends the session as a programmer error instead of reaching the driver half-read.
 */
import { assert } from '../../core/base/assert.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../core/base/json.ts';
import type {
  AwaitedKind,
  CallSite,
  DecisionAsked,
  Delivered,
  DrawAsked,
  ErrorValue,
  IssuedCommand,
  Note,
  PrintedLine,
  PureComputed,
  Settled,
  TransitionAsked,
} from '../../core/replay/sandbox-port.ts';

export type GuestMessage =
  | { readonly t: 'issue' | 'spawn'; readonly command: IssuedCommand }
  | { readonly t: 'join'; readonly id: number; readonly outcome: Exclude<Delivered, { kind: 'cancelled' }> }
  | { readonly t: 'cancel'; readonly id: number }
  | { readonly t: 'decide'; readonly decision: DecisionAsked }
  | { readonly t: 'state'; readonly transition: TransitionAsked }
  | { readonly t: 'marker'; readonly id: string }
  | { readonly t: 'draw'; readonly draw: DrawAsked }
  | { readonly t: 'note'; readonly note: Note }
  | { readonly t: 'pure'; readonly pure: PureComputed }
  | { readonly t: 'print'; readonly line: PrintedLine }
  | { readonly t: 'limit'; readonly name: 'scope-depth' }
  | { readonly t: 'settled'; readonly settled: Settled };

export function textToMessages(text: string): readonly GuestMessage[] {
  // Cast: JSON text yields recorded JSON or throws.
  const list = JSON.parse(text) as JsonValue;
  assert(isJsonArray(list), 'the sandbox sends lists of messages');
  return list.map((item) => {
    assert(isJsonObject(item), 'a message of the sandbox is an object');
    return objectToMessage(item);
  });
}

function objectToMessage(m: JsonObject): GuestMessage {
  switch (m['t']) {
    case 'issue':
    case 'spawn':
      return { t: m['t'], command: toCommand(m) };
    case 'join':
      return { t: 'join', id: number(m, 'id'), outcome: toOutcome(m['outcome']) };
    case 'cancel':
      return { t: 'cancel', id: number(m, 'id') };
    case 'decide':
      return { t: 'decide', decision: toDecision(m) };
    case 'state':
      return { t: 'state', transition: { ...called(m), value: m['value'] ?? null } };
    case 'marker':
      return { t: 'marker', id: text(m, 'id') };
    case 'draw':
      return {
        t: 'draw',
        draw: { path: text(m, 'path'), scope: text(m, 'scope'), draw: m['draw'] === 'random' ? 'random' : 'clock' },
      };
    case 'note':
      return { t: 'note', note: toNote(m) };
    case 'pure':
      return {
        t: 'pure',
        pure: { path: text(m, 'path'), scope: text(m, 'scope'), name: text(m, 'name'), args: m['args'] ?? null },
      };
    case 'print':
      return { t: 'print', line: toLine(m) };
    case 'limit':
      return { t: 'limit', name: 'scope-depth' };
    default:
      assert(m['t'] === 'settled', 'a message of the sandbox has a known kind');
      return { t: 'settled', settled: toSettled(m['outcome']) };
  }
}

const kinds: ReadonlySet<string> = new Set(['model', 'read', 'write', 'timer', 'signal', 'child']);

function isAwaitedKind(kind: string): kind is AwaitedKind {
  return kinds.has(kind);
}

function toCommand(m: JsonObject): IssuedCommand {
  const kind = text(m, 'kind');
  assert(isAwaitedKind(kind), 'a command has a known kind');
  const key = m['key'];
  const index = m['index'];
  const idempotencyKey = m['idempotencyKey'];
  const selectedBy = m['selectedBy'];
  return {
    id: number(m, 'id'),
    ...called(m),
    kind,
    ...(typeof key === 'string' ? { key } : {}),
    ...(typeof index === 'number' ? { index } : {}),
    args: m['args'] ?? null,
    ...(typeof idempotencyKey === 'string' ? { idempotencyKey } : {}),
    ...(m['reads'] === undefined ? {} : { reads: texts(m['reads']) }),
    ...(m['writes'] === undefined ? {} : { writes: texts(m['writes']) }),
    ...(typeof selectedBy === 'string' ? { selectedBy } : {}),
    ...(m['ambiguous'] === true ? { ambiguous: true } : {}),
    ...(m['orderDependent'] === true ? { orderDependent: true } : {}),
  };
}

interface Called {
  readonly path: string;
  readonly scope: string;
  readonly name: string;
  readonly uses: readonly string[];
  readonly step?: string;
  readonly site?: CallSite;
}

function called(m: JsonObject): Called {
  const step = m['step'];
  const site = m['site'];
  const at = typeof site === 'string' ? textToSite(site) : undefined;
  return {
    path: text(m, 'path'),
    scope: text(m, 'scope'),
    name: text(m, 'name'),
    uses: texts(m['uses']),
    ...(typeof step === 'string' ? { step } : {}),
    ...(at === undefined ? {} : { site: at }),
  };
}

/** One line of the interpreter's own stack text, `    at f (program.js:3:9)`. */
function textToSite(line: string): CallSite | undefined {
  const match = /^\s*at (.*?) ?\([^:()]*:(\d+):(\d+)\)$/.exec(line);
  if (match === null) return undefined;
  return { function: match[1] ?? '', line: Number(match[2]), column: Number(match[3]) };
}

function toDecision(m: JsonObject): DecisionAsked {
  const alternatives = m['alternatives'];
  const because = m['because'];
  return {
    ...called(m),
    chosen: m['chosen'] ?? null,
    ...(isJsonArray(alternatives) ? { alternatives } : {}),
    ...(because === undefined ? {} : { because }),
  };
}

function toNote(m: JsonObject): Note {
  const step = m['step'];
  return {
    scope: text(m, 'scope'),
    type: text(m, 'type'),
    data: m['data'] ?? null,
    uses: texts(m['uses']),
    ...(typeof step === 'string' ? { step } : {}),
  };
}

const levels: ReadonlySet<string> = new Set(['debug', 'error', 'info', 'log', 'warn']);

function isLevel(level: string): level is PrintedLine['level'] {
  return levels.has(level);
}

function toLine(m: JsonObject): PrintedLine {
  const level = text(m, 'level');
  assert(isLevel(level), 'a printed line has a known level');
  const site = m['site'];
  const at = typeof site === 'string' ? textToSite(site) : undefined;
  return { level, text: text(m, 'text'), ...(at === undefined ? {} : { site: at }) };
}

function toOutcome(value: JsonValue | undefined): Exclude<Delivered, { kind: 'cancelled' }> {
  assert(isJsonObject(value), 'an outcome is an object');
  if (value['kind'] === 'ok') return { kind: 'ok', value: value['value'] ?? null };
  return { kind: 'err', error: toError(value['error']) };
}

function toSettled(value: JsonValue | undefined): Settled {
  assert(isJsonObject(value), 'an outcome is an object');
  return value['kind'] === 'rolled-over'
    ? { kind: 'rolled-over', carried: value['carried'] ?? null }
    : toOutcome(value);
}

function toError(value: JsonValue | undefined): ErrorValue {
  assert(isJsonObject(value), 'an error is an object');
  const data = value['data'];
  return { name: text(value, 'name'), message: text(value, 'message'), ...(data === undefined ? {} : { data }) };
}

function text(m: JsonObject, key: string): string {
  const value = m[key];
  assert(typeof value === 'string', `a message of the sandbox has a text "${key}"`);
  return value;
}

function number(m: JsonObject, key: string): number {
  const value = m[key];
  assert(typeof value === 'number', `a message of the sandbox has a number "${key}"`);
  return value;
}

function texts(value: JsonValue | undefined): readonly string[] {
  if (!isJsonArray(value)) return [];
  return value.filter((item) => typeof item === 'string');
}
