/**
 * Identifiers of a copy: events are numbered in the order of the copy, lines of a branch within their branch; everything else that identifies is kept or gets a pseudonym,
 * as its class says, so that every join of the original is a join of the copy.
 */
import { sha256Hex } from '../base/hash.ts';
import { isJsonArray, isJsonObject } from '../base/json.ts';
import {
  type Digest,
  type HindcastEvent,
  commandKinds,
  digestOfHex,
  isKnownEventType,
  mainBranch,
} from '../model/index.ts';
import type { RedactionPolicy, ValueClass } from './policy.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { scanText } from './detectors.ts';

export interface Identities {
  readonly event: (id: string) => string;
  /** As `event`; an event that stays behind is the counted anchor. */
  readonly cause: (id: string) => string;
  readonly anchor: string;
  readonly run: (id: string) => string;
  readonly span: (id: string) => string;
  readonly branch: (id: string) => string;
  /** Always a pseudonym: the id of an operation is a digest of all that it holds. */
  readonly operation: (id: string) => string;
  readonly name: (cls: ValueClass, kind: string, text: string) => string;
  readonly path: (path: string) => string;
  readonly resource: (name: string) => string;
  readonly digest: (recorded: string) => Digest;
  /** An event, branch, run or path of the trace as the copy names it; undefined for any other text. */
  readonly translate: (text: string) => string | undefined;
  /** Known type of an event of the trace, in the copy or not. */
  readonly typeOf: (id: string) => string | undefined;
  readonly eventIds: ReadonlyMap<string, string>;
  readonly branchIds: () => ReadonlyMap<string, string>;
}

/**
 * Classes whose names are of one kind of thing told from several sides: a service is a component and the target of an effect, a step
 * has an id and a name. One name of them is one stand-in in the copy, as it is one thing in the record. People and effects stand apart:
 * that one of them is called like a thing is nothing to tell.
 */
const things: ReadonlySet<ValueClass> = new Set<ValueClass>(['names', 'components', 'agents', 'sessions']);

export function createIdentities(
  pseudonyms: Pseudonyms,
  policy: RedactionPolicy,
  included: readonly HindcastEvent[],
  all: readonly HindcastEvent[],
): Identities {
  const eventIds = new Map<string, string>();
  for (const event of included) if (!eventIds.has(event.id)) eventIds.set(event.id, `e${String(eventIds.size + 1)}`);
  const existing = new Map(all.map((event) => [event.id as string, event.type as string]));
  const branches = new Set(all.map((event) => event.branch as string));
  const runs = new Set(all.map((event) => event.run as string));
  const paths = new Set(all.flatMap(eventToPaths));
  const branchIds = new Map<string, string>();
  const anchor = 'left-out';
  numberBranchLines();
  // Who acts is called an agent or a component wherever else the name stands: a lane that is called a resource tells a reader nothing.
  for (const { agent } of included) if (agent !== undefined) name('agents', 'agent', agent);
  for (const { source } of included) name('components', 'component', source.component);

  function name(cls: ValueClass, kind: string, text: string): string {
    // An empty text names nothing, and a stand-in would.
    if (text === nobody || text === '') return text;
    if (policy.classes[cls] === 'keep' && !(policy.detectors && scanText(text) !== undefined)) return text;
    return pseudonyms.of(things.has(cls) ? 'things' : cls, kind, text);
  }

  function event(id: string): string {
    const known = eventIds.get(id);
    if (known !== undefined) return known;
    return existing.has(id) ? anchor : pseudonyms.of('absent', 'absent', id);
  }

  /** The order of a branch's lines stands in their ids alone (`<branch>:<n>`): the copy numbers those that go in the same order. */
  function numberBranchLines(): void {
    const lines = new Map<string, { readonly id: string; readonly number: number }[]>();
    for (const { id, branch: of } of included) {
      const number = of === mainBranch ? undefined : lineNumberOf(id, of);
      if (number === undefined) continue;
      const list = lines.get(of);
      if (list === undefined) lines.set(of, [{ id, number }]);
      else list.push({ id, number });
    }
    for (const [of, list] of lines) {
      list.sort((a, b) => a.number - b.number);
      list.forEach(({ id }, rank) => eventIds.set(id, `${branch(of)}:${String(rank)}`));
    }
  }

  function branch(id: string): string {
    if (id === mainBranch) return id;
    const label = isOfOperation(id) ? pseudonyms.of('sessions', 'branch', id) : name('sessions', 'branch', id);
    branchIds.set(id, label);
    return label;
  }

  function resource(text: string): string {
    return text
      .split('/')
      .map((segment) => (segment === '' ? '' : name('names', 'resource', segment)))
      .join('/');
  }

  function translate(text: string): string | undefined {
    if (existing.has(text)) return event(text);
    if (branches.has(text)) return branch(text);
    if (runs.has(text)) return pseudonymRun(text);
    return paths.has(text) ? path(text) : undefined;
  }

  function pseudonymRun(id: string): string {
    return policy.classes.sessions === 'keep' ? id : pseudonyms.hexOf('run', id, 32);
  }

  function path(text: string): string {
    return splitPath(text)
      .map((segment) => redactSegment(segment, (part) => name('names', 'name', part)))
      .join('/');
  }

  return {
    event,
    cause: event,
    anchor,
    run: pseudonymRun,
    span: (id) => (policy.classes.sessions === 'keep' ? id : pseudonyms.hexOf('span', id, 16)),
    branch,
    operation: (id) => pseudonyms.of('sessions', 'operation', id),
    name,
    path,
    resource,
    digest: (recorded) => digestOfHex(sha256Hex(pseudonyms.of('digest', 'digest', recorded))),
    translate,
    typeOf: (id) => {
      const type = existing.get(id);
      return type !== undefined && isKnownEventType(type) ? type : undefined;
    },
    eventIds,
    branchIds: () => branchIds,
  };
}

/** What is written where no name was given: our word, which names nobody, and read as that. */
const nobody = 'not named';

/** The id of the branch of an operation begins with its digest. */
function isOfOperation(branch: string): boolean {
  return /^b-[0-9a-f]{12}$/.test(branch);
}

/** Of its command, of the record it reuses, and of what its operation gave values for. */
function eventToPaths(event: HindcastEvent): readonly string[] {
  const paths: string[] = event.command === undefined ? [] : [event.command.path];
  if (event.type === 'observation.reused' && event.data.path !== undefined) paths.push(event.data.path);
  if (event.type !== 'replay.started') return paths;
  for (const key of ['targets', 'supplies']) {
    const list = event.data.operation?.[key];
    for (const item of isJsonArray(list) ? list : []) {
      const path = isJsonObject(item) ? item['path'] : undefined;
      if (typeof path === 'string') paths.push(path);
    }
  }
  return paths;
}

/** `n` of the id `<branch>:<n>` of a line of that branch. */
function lineNumberOf(id: string, branch: string): number | undefined {
  const tail = id.slice(branch.length + 1);
  return id.startsWith(`${branch}:`) && /^\d{1,15}$/.test(tail) ? Number(tail) : undefined;
}

/** Segments of a command path; a `/` inside an author's key belongs to the key only when it is escaped by the runtime. */
function splitPath(path: string): readonly string[] {
  return path.split('/');
}

const scopeKinds: ReadonlySet<string> = new Set<string>([
  ...commandKinds,
  'par',
  'scope',
  'child',
  'sig',
  'marker',
  'seg',
  'activity',
  'step',
  'node',
  'run',
]);

/** `kind:name#n`, `kind:name=key`, `each=key`, `clock#n`: the kind and the number are structure, names and keys are not. */
function redactSegment(segment: string, replace: (part: string) => string): string {
  if (segment === '') return segment;
  const match = /^(?:([a-z]+):)?(.*?)(?:#(\d{1,6})|=(.*))?$/s.exec(segment);
  if (match === null) return replace(segment);
  const [, kind, body = '', index, key] = match;
  const structural = ['each', 'clock', 'random'];
  const head = kind === undefined ? '' : scopeKinds.has(kind) ? `${kind}:` : `${replace(kind)}:`;
  const middle =
    kind === undefined && structural.includes(body)
      ? body
      : body === ''
        ? ''
        : kind === 'seg' && /^\d+$/.test(body)
          ? body
          : replace(body);
  return `${head}${middle}${index === undefined ? '' : `#${index}`}${key === undefined ? '' : `=${replace(key)}`}`;
}
