/**
 * Links what the survey kept: echoes, answers of the model, calls and their results, sub-agents, token counts, contexts.
 */
import type { JsonObject } from '../../base/json.ts';
import type { Call, CauseDraft, Entry, Group, Plan, PlannedPart, Scope, SessionInfo } from './plan.ts';
import { answerEvent, modelEvent, recordEvent } from './plan.ts';
import { type Placed, placeStubs } from './sessions.ts';
import type { Stub } from './survey.ts';
import { linkUsage } from './usage.ts';

export function linkStubs(format: string, stubs: readonly Stub[], sharesSession: boolean): Plan {
  const placed = placeStubs(format, stubs, sharesSession);
  const fresh = placed.entries.filter((entry) => entry.copyOf === undefined);
  const calls = registerCalls(placed);
  resolveEchoes(placed, calls);
  const groups: Group[] = [];
  for (const scope of placed.scopes.values()) for (const group of groupItems(scope)) groups.push(group);
  nameGroups(groups);
  answerCalls(placed, calls);
  for (const scope of placed.scopes.values()) linkUsage(scope);
  for (const entry of fresh) giveOwnEvents(entry, placed.sessions);
  linkSessions(placed, calls);
  for (const scope of placed.scopes.values()) {
    const asked = scope.agentCall === undefined ? [] : (calls.get(`${scope.session}|${scope.agentCall}`) ?? []);
    if (asked.length === 1) [scope.startedBy] = asked;
  }
  for (const group of groups) group.causes = contextOf(placed, group);
  return placed;
}

/** Calls by session and recorded id, in the order of the log; an id may be used again. */
type CallTable = Map<string, Call[]>;

function registerCalls({ scopes }: Placed): CallTable {
  const table: CallTable = new Map();
  for (const { entries } of scopes.values()) {
    for (const entry of entries) {
      for (const part of entry.parts) if (part.stub.kind === 'call') part.call = registerCall(table, entry, part);
    }
  }
  // Calls that share an id are told apart by what they ask, not by which of them came first.
  for (const list of table.values()) {
    if (list.length > 1) for (const call of list) call.key = `${call.key}~${call.print}`;
  }
  addAliases(table, scopes);
  return table;
}

/** Only where one call has the name. */
function addAliases(table: CallTable, scopes: Placed['scopes']): void {
  const named = new Map<string, Call[]>();
  for (const { entries, session } of scopes.values()) {
    for (const { parts } of entries) {
      for (const { stub, call, merged } of parts) {
        if (stub.alias === undefined || call === undefined || merged === true) continue;
        const key = `${session}|${stub.alias}`;
        named.set(key, [...(named.get(key) ?? []), call]);
      }
    }
  }
  for (const [key, list] of named) if (list.length === 1 && !table.has(key)) table.set(key, list);
}

function registerCall(table: CallTable, entry: Entry, part: PlannedPart): Call {
  const { call: id, name = 'tool', prints, spawns, child, asked } = part.stub;
  const [print = ''] = prints;
  const tableKey = `${entry.session}|${id ?? ''}`;
  const known = id === undefined ? [] : (table.get(tableKey) ?? []);
  const again = known.find((one) => one.print === print && one.name === name && one.entry !== entry);
  if (again !== undefined) {
    part.merged = true;
    again.child ??= child;
    again.retold = true;
    return again;
  }
  const key = id ?? `${entry.name}#${String(part.index)}`;
  const call: Call = {
    key,
    id,
    asked,
    name,
    entry,
    print,
    spawns: spawns === true,
    group: undefined,
    child,
    answers: 0,
    retold: false,
    answer: undefined,
  };
  if (id !== undefined) table.set(tableKey, [...known, call]);
  return call;
}

/** Rule `same-words`. Each record of the conversation takes one echo of a kind, so repeated words pair up. */
function resolveEchoes({ entries }: Placed, calls: CallTable): void {
  const said = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.copyOf !== undefined) continue;
    for (const { stub } of entry.parts) {
      if (stub.kind !== 'input' && stub.kind !== 'model' && stub.kind !== 'event') continue;
      for (const print of stub.prints) {
        const key = `${entry.session}|${stub.kind}|${print}`;
        const list = said.get(key);
        if (list === undefined) said.set(key, [entry]);
        else list.push(entry);
      }
    }
  }
  for (const entry of entries) {
    if (entry.copyOf !== undefined) continue;
    for (const part of entry.parts) {
      if (part.stub.kind !== 'echo') continue;
      const { of = 'model', call: id, prints, child } = part.stub;
      const call = id === undefined ? undefined : calls.get(`${entry.session}|${id}`)?.[0];
      if (call !== undefined) call.child ??= child;
      const list = said.get(`${entry.session}|${of}|${prints[0] ?? ''}`);
      const target = call?.entry ?? (list !== undefined && list.length > 1 ? list.shift() : list?.[0]);
      if (target === undefined) part.alone = true;
      else {
        part.merged = true;
        target.also.push(entry.stub);
      }
    }
  }
}

/** Rule `items-of-answer`, except where records name the answer they belong to. */
function groupItems(scope: Scope): readonly Group[] {
  const named = new Map<string, Group>();
  const groups: Group[] = [];
  let open: Group | undefined;
  let setting: JsonObject | undefined;
  const groupOf = (entry: Entry, part: PlannedPart, key: string | undefined): Group => {
    let group = key === undefined ? open : named.get(key);
    if (group === undefined) {
      group = createGroup(entry);
      group.setting = setting;
      if (key !== undefined) {
        group.name = key;
        named.set(key, group);
      }
      groups.push(group);
    }
    group.entries.add(entry);
    part.rule = key === undefined && group.entry !== entry ? 'items-of-answer' : undefined;
    return group;
  };
  for (const entry of scope.entries) {
    for (const part of entry.parts) {
      const stub = part.alone === true ? (part.stub.otherwise ?? part.stub) : part.stub;
      if (stub.setting !== undefined) setting = { ...setting, ...stub.setting };
      if (stub.kind === 'model') {
        const group = groupOf(entry, part, stub.key);
        group.hasModel = true;
        group.failed ||= stub.failed === true;
        group.counted ||= stub.counted === true;
        part.group = group;
        open = stub.whole === true || stub.failed === true ? undefined : group;
        // What the record itself says of calls belongs to the same answer.
        if (stub.whole === true) for (const other of entry.parts) if (other.stub.kind === 'call') other.group = group;
      } else if (stub.kind === 'call' && stub.by !== undefined) open = undefined;
      else if (stub.kind === 'call' && part.merged !== true && part.call !== undefined) {
        const group = part.group ?? groupOf(entry, part, stub.key);
        part.group = group;
        if (part.call.retold && stub.key === undefined) part.rule ??= 'first-telling';
        part.call.group = group;
        group.calls.push(part.call);
        open ??= stub.key === undefined && group.entries.has(entry) && !isWhole(entry) ? group : undefined;
      } else if (stub.kind === 'result' || stub.kind === 'input') open = undefined;
    }
  }
  scope.last = groups.at(-1);
  return groups;
}

function isWhole(entry: Entry): boolean {
  return entry.parts.some(({ stub }) => stub.kind === 'model' && stub.whole === true);
}

function createGroup(entry: Entry): Group {
  return {
    name: '',
    entry,
    entries: new Set(),
    calls: [],
    failed: false,
    counted: false,
    hasModel: false,
    setting: undefined,
    causes: [],
    retries: undefined,
    retriedBy: undefined,
  };
}

/** An answer without a name of its own is named by its first record's id, else by its first call, else by its first record. */
function nameGroups(groups: readonly Group[]): void {
  const used = new Set<string>();
  for (const group of groups) {
    const id = group.entry.stub.id;
    if (group.name === '') group.name = id ?? group.calls[0]?.key ?? group.entry.name;
    const key = `${group.entry.session}|${group.name}`;
    if (used.has(key)) group.name = `${group.name}~${group.entry.stub.print}`;
    used.add(`${group.entry.session}|${group.name}`);
  }
}

function answerCalls({ scopes }: Placed, calls: CallTable): void {
  for (const scope of scopes.values()) {
    let open: Call[] = [];
    for (const entry of scope.entries) {
      for (const part of entry.parts) {
        if (part.stub.closes === true) open = open.filter(({ id }) => id !== undefined);
        if (part.stub.kind === 'call' && part.call !== undefined && part.merged !== true) open.push(part.call);
        if (part.stub.call !== undefined && (part.stub.kind === 'result' || part.stub.kind === 'event')) {
          const known = calls.get(`${entry.session}|${part.stub.call}`) ?? [];
          part.call = known.find(({ answers }) => answers === 0) ?? known.at(-1);
          if (known.length > 1) part.rule = 'reused-call-id';
        }
        const isUnnamed = part.call === undefined && open.some(({ id }) => id === undefined);
        if (part.stub.kind === 'result' && (part.stub.call === undefined || isUnnamed)) {
          const { name } = part.stub;
          const fitting = open.filter(
            (call) =>
              call.answers === 0 &&
              ((part.stub.call === undefined && part.stub.onlyOpen !== true) || call.id === undefined) &&
              (name === undefined || call.name === name),
          );
          if (fitting.length === 1) [part.call] = fitting;
          part.rule = 'next-answer';
          part.alone = part.call === undefined && part.stub.otherwise !== undefined;
        }
        const isVoid = part.stub.onlyOpen === true && part.call === undefined;
        if (isVoid || (part.stub.again === true && (part.call?.answers ?? 1) > 0)) {
          part.merged = true;
          continue;
        }
        if (part.stub.kind !== 'result' || part.call === undefined) continue;
        part.call.answers++;
        part.call.child ??= part.stub.child;
        const at = open.indexOf(part.call);
        if (at >= 0) open.splice(at, 1);
      }
    }
  }
}

/** Every part that is no piece of something else has an event of its own; a record without parts has one that keeps it whole. */
function giveOwnEvents(entry: Entry, sessions: ReadonlyMap<string, SessionInfo>): void {
  let index = 0;
  for (const part of entry.parts) {
    const { kind } = part.stub;
    const isFirstStart = kind === 'start' && sessions.get(entry.session)?.start === entry;
    if (kind === 'result' && part.merged === true) continue;
    if (kind === 'result' && part.call !== undefined && part.call.answer === undefined) {
      part.own = part.call.answer = answerEvent(part.call);
      continue;
    }
    const isOwn =
      kind === 'input' ||
      kind === 'result' ||
      kind === 'event' ||
      kind === 'setting' ||
      (kind === 'start' && !isFirstStart) ||
      (kind === 'usage' && part.group === undefined && part.merged !== true) ||
      (kind === 'echo' && part.alone === true && part.group === undefined);
    if (isOwn) part.own = recordEvent(entry, index++);
  }
}

function linkSessions({ sessions }: Placed, calls: CallTable): void {
  const open = new Map<string, Call[]>();
  for (const list of calls.values()) {
    for (const call of list) {
      const child = call.child === undefined ? undefined : sessions.get(call.child);
      if (child !== undefined && child.key !== call.entry.session) child.spawn ??= { call };
      if (!call.spawns || call.child !== undefined) continue;
      open.set(call.entry.session, [...(open.get(call.entry.session) ?? []), call]);
    }
  }
  const orphans = new Map<string, SessionInfo[]>();
  for (const info of sessions.values()) {
    if (info.spawn !== undefined || info.parentSession === undefined || !sessions.has(info.parentSession)) continue;
    orphans.set(info.parentSession, [...(orphans.get(info.parentSession) ?? []), info]);
  }
  for (const [parent, children] of orphans) {
    const [call, another] = open.get(parent) ?? [];
    const [child, sibling] = children;
    if (call === undefined || child === undefined || another !== undefined || sibling !== undefined) continue;
    call.child = child.key;
    child.spawn = { call, rule: 'sole-spawn' };
  }
}

/** A walk longer than this finds nothing that a model call still had in its context. */
const mostSteps = 100_000;

function contextOf({ parentOf }: Plan, group: Group): CauseDraft[] {
  const { entry: first } = group;
  const { scope } = first;
  const causes: CauseDraft[] = [];
  const add = (entry: Entry, from: number, upTo: number): void => {
    for (let n = upTo - 1; n >= from; n--) {
      const part = entry.parts[n];
      if (part?.own === undefined || (part.stub.kind !== 'input' && part.stub.kind !== 'result')) continue;
      const clockOnly = first.scope.byTime && first.stub.parent === undefined;
      causes.push({ event: part.own, as: 'consumed', rule: 'context-since-call', clockOnly });
    }
  };
  for (const entry of group.entries)
    add(
      entry,
      0,
      entry.parts.findIndex((part) => part.group === group),
    );
  let at = before(first, parentOf);
  let other: Group | undefined;
  for (let steps = 0; at !== undefined && at.scope === scope && steps < mostSteps; steps++) {
    const piece = at.parts.findLastIndex((part) => isPieceOfOther(part, group));
    const found = at.parts[piece]?.group;
    if (found !== undefined && other !== undefined && found !== other) break;
    other ??= found;
    add(at, piece + 1, at.parts.length);
    // Answers of tools may stand between the records of the answer before.
    if (at === other?.entry) break;
    at = before(at, parentOf);
  }
  if (other !== undefined) joinBefore(group, other, causes, first.stub.parent === undefined && scope.byTime);
  return causes.reverse();
}

function isPieceOfOther(part: PlannedPart, group: Group): boolean {
  return part.group !== undefined && part.group !== group && part.stub.kind !== 'usage' && part.merged !== true;
}

/** With nothing new between two calls: after a failure it is the next attempt, else it saw the answer before. */
function joinBefore(group: Group, other: Group, causes: CauseDraft[], clockOnly: boolean): void {
  if (causes.length > 0) return;
  if (other.failed && other.retriedBy === undefined) {
    group.retries = other;
    other.retriedBy = group;
    causes.push(...other.causes.filter(({ as }) => as === 'consumed'));
    return;
  }
  causes.push({ event: modelEvent(other), as: 'informed_by', rule: 'context-since-call', clockOnly });
}

function before(entry: Entry, parentOf: Plan['parentOf']): Entry | undefined {
  return entry.stub.parent === undefined ? entry.previous : parentOf(entry);
}

/** The last of the attempts that this call is one of: its name is the command's. */
export function lastAttempt(group: Group): Group {
  let at = group;
  for (let n = 0; at.retriedBy !== undefined && n < 10_000; n++) at = at.retriedBy;
  return at;
}

export function attemptOf(group: Group): number {
  let attempt = 1;
  for (let at = group.retries; at !== undefined && attempt < 10_000; at = at.retries) attempt++;
  return attempt;
}
