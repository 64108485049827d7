/**
 * Decodes what the guest prelude sends.
 *
 * The prelude is ours, but it shares a realm with code that is not: every message is read by shape, and a message that
 * does not fit ends the session as a programmer error instead of reaching the driver half-read. Groups and call sites are told once and
 * named by number from then on; both lists only grow, so that a checkpoint needs no more than their lengths.
 */
import { assert, ensureExists } from '../../core/base/assert.ts';
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
  | { readonly t: 'settled'; readonly settled: Settled }
  /** An observation was delivered; the messages behind are what followed. */
  | { readonly t: 'delivered' }
  /** The command an observation was meant for is not open. */
  | { readonly t: 'missed' }
  | { readonly t: 'told' };

interface Group {
  readonly path: string;
  readonly scope: string;
  readonly kind: string;
  readonly name: string;
}

/** How many groups and sites were told. */
export interface ToldCounts {
  readonly groups: number;
  readonly sites: number;
}

/** Reads the messages of one session, in order. */
export class MessageReader {
  private readonly groups: Group[] = [];
  private readonly sites: (CallSite | undefined)[] = [];

  read(item: JsonValue): GuestMessage {
    if (isJsonArray(item)) return this.toIssue(item);
    if (item === 0) return deliveredMark;
    if (item === -1) return { t: 'missed' };
    assert(isJsonObject(item), 'a message of the sandbox is an object');
    return this.objectToMessage(item);
  }

  told(): ToldCounts {
    return { groups: this.groups.length, sites: this.sites.length };
  }

  /** Takes over what another reader had been told up to some moment. */
  takeOver(other: MessageReader, { groups, sites }: ToldCounts): void {
    for (let n = 0; n < groups; n++) this.groups.push(other.groupAt(n));
    for (let n = 0; n < sites; n++) this.sites.push(other.sites[n]);
  }

  private objectToMessage(m: JsonObject): GuestMessage {
    switch (m['t']) {
      case 'group':
        this.groups.push({
          path: text(m, 'path'),
          scope: text(m, 'scope'),
          kind: text(m, 'kind'),
          name: text(m, 'name'),
        });
        return { t: 'told' };
      case 'site':
        this.sites.push(textToSite(text(m, 'at')));
        return { t: 'told' };
      case 'cancel':
        return { t: 'cancel', id: number(m, 'id') };
      case 'join':
        return { t: 'join', id: number(m, 'id'), outcome: toOutcome(m['outcome']) };
      case 'decide':
        return { t: 'decide', decision: { ...this.called(m), ...toDecision(m) } };
      case 'state':
        return { t: 'state', transition: { ...this.called(m), value: m['value'] ?? null } };
      case 'pure': {
        const { path, scope, name } = this.called(m);
        return { t: 'pure', pure: { path, scope, name, args: m['args'] ?? null } };
      }
      case 'print':
        return { t: 'print', line: { ...toLine(m), ...this.siteOf(m['site']) } };
      default:
        return toPlainMessage(m);
    }
  }

  /** `[id, group, count or -1, site, args, {what is rare}?]` */
  private toIssue(item: readonly JsonValue[]): GuestMessage {
    const [id, g, n, site, args, rare] = item;
    assert(typeof id === 'number' && typeof g === 'number' && typeof n === 'number', 'a command is named by numbers');
    const { path: group, scope, kind, name } = this.groupAt(g);
    assert(isAwaitedKind(kind), 'a command has a known kind');
    const at = typeof site === 'number' ? this.sites[site - 1] : undefined;
    if (!isJsonObject(rare)) {
      assert(n >= 0, 'a command without a key is counted');
      // Most commands: written out, because spreading costs more than all the rest.
      const path = `${group}#${String(n)}`;
      const command: IssuedCommand =
        at === undefined
          ? { id, path, scope, name, uses: noUses, kind, index: n, args: args ?? null }
          : { id, path, scope, name, uses: noUses, site: at, kind, index: n, args: args ?? null };
      return { t: 'issue', command };
    }
    const command = {
      id,
      path: n >= 0 ? `${group}#${String(n)}` : `${group}=${escapeKey(text(rare, 'key'))}`,
      scope,
      name,
      uses: rare['uses'] === undefined ? noUses : texts(rare['uses']),
      ...stepOf(rare),
      ...(at === undefined ? none : { site: at }),
      kind,
      ...(n >= 0 ? { index: n } : { key: text(rare, 'key') }),
      args: args ?? null,
      ...toRareMembers(rare),
    };
    return { t: rare['spawns'] === true ? 'spawn' : 'issue', command };
  }

  private called(m: JsonObject): Called {
    const { path, scope, name } = this.groupAt(number(m, 'g'));
    const key = m['key'];
    return {
      path: typeof key === 'string' ? `${path}=${escapeKey(key)}` : `${path}#${String(number(m, 'n'))}`,
      scope,
      name,
      uses: texts(m['uses']),
      ...stepOf(m),
      ...this.siteOf(m['site']),
    };
  }

  private groupAt(n: number): Group {
    return ensureExists(this.groups[n], 'a group is told before it is named');
  }

  private siteOf(site: JsonValue | undefined): { readonly site?: CallSite } {
    if (typeof site !== 'number' || site === 0) return none;
    const at = this.sites[site - 1];
    return at === undefined ? none : { site: at };
  }
}

/**
 * The prelude puts its texts together from parts, and control code can hand over a part that has no JSON (a function for
 * `alternatives`): it stands there as a bare `undefined`, and says what an absent member says.
 */
function parseText(text: string): JsonValue {
  try {
    // Cast: JSON text yields recorded JSON or throws.
    return JSON.parse(text) as JsonValue;
  } catch {
    // Cast: as above. What is in quotes is left as it is; text that is no JSON even so throws, as a fault of ours.
    return JSON.parse(text.replace(bareUndefined, (part) => (part === 'undefined' ? 'null' : part))) as JsonValue;
  }
}

/** What was posted together, in order. */
export function parseMessages(text: string): readonly JsonValue[] {
  const list = parseText(text);
  assert(isJsonArray(list), 'the sandbox sends lists of messages');
  return list;
}

const bareUndefined = /"[^"\\]*(?:\\.[^"\\]*)*"|undefined/g;

const deliveredMark: GuestMessage = { t: 'delivered' };
const noUses: readonly string[] = [];
const none = {};

/** As the prelude writes keys into paths. */
function escapeKey(key: string): string {
  return key.replace(/[%/]/g, encodeURIComponent);
}

function stepOf(m: JsonObject): { readonly step?: string } {
  const step = m['step'];
  return typeof step === 'string' ? { step } : none;
}

function toRareMembers(
  m: JsonObject,
): Pick<IssuedCommand, 'idempotencyKey' | 'reads' | 'writes' | 'selectedBy' | 'ambiguous' | 'orderDependent'> {
  const idempotencyKey = m['idempotencyKey'];
  const selectedBy = m['selectedBy'];
  return {
    ...(typeof idempotencyKey === 'string' ? { idempotencyKey } : {}),
    ...(m['reads'] === undefined ? {} : { reads: texts(m['reads']) }),
    ...(m['writes'] === undefined ? {} : { writes: texts(m['writes']) }),
    ...(typeof selectedBy === 'string' ? { selectedBy } : {}),
    ...(m['ambiguous'] === true ? { ambiguous: true } : {}),
    ...(m['orderDependent'] === true ? { orderDependent: true } : {}),
  };
}

/** Those that name no group and no site. */
function toPlainMessage(m: JsonObject): GuestMessage {
  switch (m['t']) {
    case 'marker':
      return { t: 'marker', id: text(m, 'id') };
    case 'draw':
      return {
        t: 'draw',
        draw: { path: text(m, 'path'), scope: text(m, 'scope'), draw: m['draw'] === 'random' ? 'random' : 'clock' },
      };
    case 'note':
      return { t: 'note', note: toNote(m) };
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

interface Called {
  readonly path: string;
  readonly scope: string;
  readonly name: string;
  readonly uses: readonly string[];
  readonly step?: string;
  readonly site?: CallSite;
}

/** One line of the interpreter's own stack text, `    at f (program.js:3:9)`. */
function textToSite(line: string): CallSite | undefined {
  const match = /^\s*at (.*?) ?\([^:()]*:(\d+):(\d+)\)$/.exec(line);
  if (match === null) return undefined;
  return { function: match[1] ?? '', line: Number(match[2]), column: Number(match[3]) };
}

function toDecision(m: JsonObject): Pick<DecisionAsked, 'chosen' | 'alternatives' | 'because'> {
  const alternatives = m['alternatives'];
  const because = m['because'];
  return {
    chosen: m['chosen'] ?? null,
    ...(isJsonArray(alternatives) ? { alternatives } : {}),
    ...(because === undefined ? {} : { because }),
  };
}

function toNote(m: JsonObject): Note {
  return {
    scope: text(m, 'scope'),
    type: text(m, 'type'),
    data: m['data'] ?? null,
    uses: texts(m['uses']),
    ...stepOf(m),
  };
}

const levels: ReadonlySet<string> = new Set(['debug', 'error', 'info', 'log', 'warn']);

function isLevel(level: string): level is PrintedLine['level'] {
  return levels.has(level);
}

function toLine(m: JsonObject): PrintedLine {
  const level = text(m, 'level');
  assert(isLevel(level), 'a printed line has a known level');
  return { level, text: text(m, 'text') };
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
