/**
 * Records to sessions, agents and logs: the first step of linking.
 *
 * Copies are set aside here (rule `same-record`), and logs whose order contradicts their times are put in the order of times.
 */
import { fingerprint } from '../seen.ts';
import type { Entry, Plan, Scope, SessionInfo } from './plan.ts';
import { sessionToRun } from './plan.ts';
import type { Stub } from './survey.ts';

export interface Placed extends Plan {
  readonly entries: Entry[];
  readonly sessions: Map<string, SessionInfo>;
  readonly scopes: Map<string, Scope>;
  readonly byId: ReadonlyMap<string, Entry>;
}

export function placeStubs(format: string, stubs: readonly Stub[], sharesSession: boolean): Placed {
  const files = fileSessions(stubs, sharesSession);
  const sessions = new Map<string, SessionInfo>();
  const scopes = new Map<string, Scope>();
  const entries: Entry[] = [];
  const originals = new Map<string, Entry>();
  const byId = new Map<string, Entry>();
  const idPrints = new Map<string, Set<string>>();
  for (const stub of stubs) {
    const file = files.get(sharesSession ? 0 : stub.file);
    const session = stub.session ?? file?.session ?? `~${file?.print ?? ''}`;
    const info = sessions.get(session) ?? createSession(format, session, stub, file?.session);
    sessions.set(session, info);
    const agent = stub.agent ?? 'main';
    const scope = scopeOf(scopes, session, agent);
    scope.agentCall ??= stub.agentCall;
    const entry: Entry = {
      stub,
      session,
      run: info.run,
      agent,
      scope,
      parts: stub.parts.map((part, index) => ({ stub: part, index })),
      name: stub.id ?? (stub.occurrence === 0 ? stub.print : `${stub.print}#${String(stub.occurrence)}`),
      at: 0,
      previous: undefined,
      copyOf: undefined,
      also: [],
    };
    entries.push(entry);
    // Without an id and without a time, equal records of one file are separate; across files they are copies.
    const isOwn = stub.id !== undefined || stub.time !== undefined;
    const key = `${session}|${stub.print}${isOwn ? '' : `#${String(stub.occurrence)}`}`;
    entry.copyOf = originals.get(key);
    if (entry.copyOf !== undefined) continue;
    originals.set(key, entry);
    addToSession(info, entry);
    scope.entries.push(entry);
    if (stub.id === undefined) continue;
    const id = `${session}|${stub.id}`;
    if (!byId.has(id)) byId.set(id, entry);
    const prints = idPrints.get(id);
    if (prints === undefined) idPrints.set(id, new Set([stub.print]));
    else prints.add(stub.print);
  }
  for (const entry of entries) {
    const id = entry.stub.id === undefined ? undefined : `${entry.session}|${entry.stub.id}`;
    if (id === undefined || (idPrints.get(id)?.size ?? 0) <= 1) continue;
    entry.name = `${entry.name}~${entry.stub.print}`;
    // Pieces of one answer share its id; anything else with a shared id cannot be pointed at.
    if (!entry.stub.parts.some(({ kind }) => kind === 'model')) byId.delete(id);
  }
  for (const scope of scopes.values()) orderScope(scope);
  const parentOf = (entry: Entry): Entry | undefined =>
    typeof entry.stub.parent === 'string' ? byId.get(`${entry.session}|${entry.stub.parent}`) : undefined;
  const recordOf = (session: string, id: string): Entry | undefined => byId.get(`${session}|${id}`);
  return { entries, sessions, scopes, byId, parentOf, recordOf };
}

interface FileSession {
  readonly session: string | undefined;
  readonly print: string;
}

/**
 * The session a file names first; where it names none, a print of all that it says, in any order and however often. One record would not
 * do: every run of a program may begin with the same words.
 */
function fileSessions(stubs: readonly Stub[], sharesSession: boolean): ReadonlyMap<number, FileSession> {
  const said = new Map<number, { session: string | undefined; readonly prints: Set<string> }>();
  for (const { file, session, print } of stubs) {
    const at = sharesSession ? 0 : file;
    const known = said.get(at);
    if (known === undefined) said.set(at, { session, prints: new Set([print]) });
    else {
      known.session ??= session;
      known.prints.add(print);
    }
  }
  const files = new Map<number, FileSession>();
  for (const [file, { session, prints }] of said)
    files.set(file, { session, print: session === undefined ? fingerprint([...prints].sort().join('\n')) : '' });
  return files;
}

function createSession(format: string, key: string, stub: Stub, recorded: string | undefined): SessionInfo {
  const isRecorded = stub.session !== undefined || recorded !== undefined;
  return {
    key,
    recorded: isRecorded ? key : undefined,
    run: sessionToRun(isRecorded ? key : `${format} ${key}`),
    records: 0,
    start: undefined,
    parentSession: undefined,
    agent: undefined,
    time: undefined,
    millis: Infinity,
    zoneless: false,
    version: undefined,
    spawn: undefined,
    file: stub.file,
  };
}

function addToSession(info: SessionInfo, entry: Entry): void {
  const { stub } = entry;
  info.records++;
  if (stub.time !== undefined && stub.millis !== undefined && stub.millis < info.millis) {
    info.time = stub.time;
    info.millis = stub.millis;
    info.zoneless = stub.zoneless;
  }
  info.version ??= stub.version;
  for (const part of stub.parts) {
    if (part.kind !== 'start') continue;
    info.start ??= entry;
    info.parentSession ??= part.parentSession;
    info.agent ??= part.name;
  }
}

function scopeOf(scopes: Map<string, Scope>, session: string, agent: string): Scope {
  const key = `${session}|${agent}`;
  const known = scopes.get(key);
  if (known !== undefined) return known;
  const scope: Scope = {
    key,
    session,
    agent,
    entries: [],
    last: undefined,
    agentCall: undefined,
    startedBy: undefined,
    byTime: false,
  };
  scopes.set(key, scope);
  return scope;
}

/** More than this share of neighbours against their times, and the file is no log any more: the times are used, and edges say so. */
const mostInversions = 0.1;

function orderScope(scope: Scope): void {
  if (isNumbered(scope)) scope.entries.sort((a, b) => (a.stub.number ?? 0) - (b.stub.number ?? 0));
  else if (contradictsTimes(scope)) {
    scope.byTime = true;
    scope.entries = inTime(scope.entries);
  }
  let before: Entry | undefined;
  for (const [at, entry] of scope.entries.entries()) {
    entry.at = at;
    entry.previous = before;
    before = entry;
  }
}

/** Every record has a number of its own: that is the recorded order, whatever that of the lines is. */
function isNumbered({ entries }: Scope): boolean {
  const numbers = new Set(entries.map(({ stub }) => stub.number));
  return numbers.size === entries.length && !numbers.has(undefined);
}

function contradictsTimes({ entries }: Scope): boolean {
  let inversions = 0;
  let timed = 0;
  let latest = -Infinity;
  const zones = new Set<boolean>();
  for (const { stub } of entries) {
    if (stub.millis === undefined || stub.retold) continue;
    timed++;
    zones.add(stub.zoneless);
    if (stub.millis < latest) inversions++;
    else latest = stub.millis;
  }
  // Times with and without a zone are of two clocks: their order says nothing.
  return zones.size === 1 && timed > 3 && inversions > timed * mostInversions;
}

function inTime(entries: readonly Entry[]): Entry[] {
  let last = 0;
  const keyed = entries.map((entry, index) => {
    last = entry.stub.retold ? last : (entry.stub.millis ?? last);
    return { entry, index, time: last };
  });
  keyed.sort((a, b) => a.time - b.time || (a.entry.name < b.entry.name ? -1 : 1) || a.index - b.index);
  return keyed.map(({ entry }) => entry);
}
