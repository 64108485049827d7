/**
 * From the survey to the trace as a whole: who is whose parent, which spans tell of one call, who chose which tool, which answers a
 * model was given, which agent acts. Every inference is a rule of `rules.ts`.
 *
 * Iterative throughout: traces are deep chains and wide fans.
 */
import { type EventId, eventId } from '../../model/index.ts';
import { runToPrefix } from '../draft.ts';
import type { AskedCall, SpanInfo, Survey } from './survey.ts';
import type { RuleName } from './rules.ts';
import type { SpanRole } from './table.ts';

export interface Edge {
  readonly event: EventId;
  readonly as: 'selected_by' | 'result_of' | 'consumed' | 'informed_by' | 'caused_by';
  readonly rule?: RuleName | undefined;
  readonly grade?: 'inferred' | 'clock-only' | undefined;
}

export interface Linked {
  readonly info: SpanInfo;
  readonly parent: Linked | undefined;
  readonly children: Linked[];
  /** After looking at its place: a second span of one call is a step. */
  role: SpanRole;
  /** Why the role is another than the span says. */
  roleRule: RuleName | undefined;
  /** The nearest agent around it. */
  agent: Linked | undefined;
  /** Command path of the agent it works for; empty for the outermost. */
  scope: string;
  /** Session of its own, else that of its parent. */
  session: string | undefined;
  attempt: number;
  /** Identity of its command among those of its kind: a call id, or the span's id. */
  identity: string;
  /** The model call that chose it. */
  chosenBy: { readonly call: Linked; readonly rule: RuleName | undefined } | undefined;
  /** What ended before it among its siblings, where nothing recorded says what it followed (rule `sibling-before`). */
  before: readonly Linked[];
  /** Tools whose answers were new in its request. */
  given: readonly { readonly tool: Linked; readonly rule: RuleName | undefined }[];
  /** Some call, agent or failure is in it. */
  matters: boolean;
}

export interface Links {
  readonly survey: Survey;
  readonly all: readonly Linked[];
  readonly of: (info: SpanInfo) => Linked;
  readonly startOf: (info: SpanInfo) => EventId;
  readonly endOf: (info: SpanInfo) => EventId;
  readonly decisionOf: (info: SpanInfo) => EventId;
  readonly runOf: (trace: string) => EventId;
  /** Event of a span by its recorded id, here or not. */
  readonly spanEvent: (trace: string, id: string) => EventId;
  /** The span that is here under this id. */
  readonly spanNamed: (trace: string, id: string | undefined) => SpanInfo | undefined;
  /** Spans of the trace without a parent. */
  readonly rootsOf: (trace: string) => readonly Linked[];
}

export function createLinks(survey: Survey): Links {
  const byId = new Map<string, SpanInfo[]>();
  for (const info of survey.spans) pushTo(byId, `${info.trace}/${info.id}`, info);
  const linked = linkParents(survey, byId);
  const all = inOrder(linked);
  const roots = new Map<string, Linked[]>();
  for (const one of all) if (one.info.parent === undefined && one.info.present) pushTo(roots, one.info.trace, one);
  mergeCalls(all);
  const tools = new Map<string, Linked[]>();
  for (const one of all) {
    const id = isTool(one.role) ? one.info.tool?.id : undefined;
    if (id !== undefined) pushTo(tools, `${one.info.trace}|${id}`, one);
  }
  addAgents(all);
  chooseTools(all);
  addAttempts(all, tools);
  addGiven(all, tools);
  for (const one of all) addBefore(one.children);
  for (let at = all.length - 1; at >= 0; at--) {
    const one = all[at];
    if (one === undefined) continue;
    one.matters ||= one.role !== 'step' || one.info.failed;
    if (one.matters && one.parent !== undefined) one.parent.matters = true;
  }
  const name = (info: SpanInfo): string => `${runToPrefix(info.trace)}/${info.event}`;
  return {
    survey,
    all,
    of: (info) => linked.get(info) ?? toLinked(info, undefined),
    startOf: (info) => eventId(name(info)),
    endOf: (info) => eventId(`${name(info)}:end`),
    decisionOf: (info) => eventId(`${name(info)}:decision`),
    runOf: (trace) => eventId(`${runToPrefix(trace)}/run`),
    spanEvent: (trace, id) => {
      const here = byId.get(`${trace}/${id}`)?.[0];
      return eventId(here === undefined ? `${runToPrefix(trace)}/${id}` : name(here));
    },
    spanNamed: (trace, id) => (id === undefined ? undefined : byId.get(`${trace}/${id}`)?.[0]),
    rootsOf: (trace) => roots.get(trace) ?? [],
  };
}

function isTool(role: SpanRole): boolean {
  return role === 'tool' || role === 'retrieval' || role === 'handoff';
}

function pushTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function toLinked(info: SpanInfo, parent: Linked | undefined): Linked {
  return {
    info,
    parent,
    children: [],
    role: info.role,
    roleRule: info.present ? undefined : 'call-from-logs',
    agent: undefined,
    scope: '',
    session: info.session,
    attempt: 1,
    identity: info.event,
    chosenBy: undefined,
    before: [],
    given: [],
    matters: false,
  };
}

/** Parents before children; what is in a circle of parents has none. */
function linkParents(survey: Survey, byId: ReadonlyMap<string, readonly SpanInfo[]>): Map<SpanInfo, Linked> {
  const linked = new Map<SpanInfo, Linked>();
  const parents = new Map<SpanInfo, SpanInfo>();
  for (const info of survey.spans) {
    const parent = findParent(info, byId);
    if (parent !== undefined) parents.set(info, parent);
  }
  for (const info of survey.spans) {
    const path: SpanInfo[] = [];
    const onPath = new Set<SpanInfo>();
    let at: SpanInfo | undefined = info;
    while (at !== undefined && !linked.has(at) && !onPath.has(at)) {
      path.push(at);
      onPath.add(at);
      at = parents.get(at);
    }
    for (let i = path.length - 1; i >= 0; i--) {
      const here = path[i];
      if (here === undefined) continue;
      const above = parents.get(here);
      const parent = above === undefined ? undefined : linked.get(above);
      const made = toLinked(here, parent);
      linked.set(here, made);
      parent?.children.push(made);
    }
  }
  return linked;
}

/** The span with the parent's id; of two halves of a call, the one that rule `shared-span-half` says. */
function findParent(info: SpanInfo, byId: ReadonlyMap<string, readonly SpanInfo[]>): SpanInfo | undefined {
  const halves = byId.get(`${info.trace}/${info.id}`) ?? [];
  if (info.side === 'server' && halves.length > 1) {
    const client = halves.find((half) => half !== info && half.side === 'client');
    if (client !== undefined) return client;
  }
  if (info.parent === undefined) return undefined;
  const found = (byId.get(`${info.trace}/${info.parent}`) ?? []).filter((one) => one !== info);
  if (found.length < 2) return found[0];
  return (
    found.find((one) => one.side === 'server' && one.service === info.service) ??
    found.find((one) => one.service === info.service) ??
    found.find((one) => one.side === 'server') ??
    found[0]
  );
}

function inOrder(linked: ReadonlyMap<SpanInfo, Linked>): readonly Linked[] {
  const order: Linked[] = [];
  for (const one of linked.values()) if (one.parent === undefined) order.push(one);
  for (let at = 0; at < order.length; at++) for (const child of order[at]?.children ?? []) order.push(child);
  return order;
}

/** Rules `one-call-two-spans` and `one-tool-two-spans`. Children come after parents in `all`. */
function mergeCalls(all: readonly Linked[]): void {
  const nearest = new Map<Linked, Linked>();
  const inner = new Map<Linked, Linked[]>();
  for (const one of all) {
    const { parent } = one;
    const above = parent === undefined ? undefined : parent.info.role === 'step' ? nearest.get(parent) : parent;
    if (above !== undefined) nearest.set(one, above);
    if (one.info.role === 'model' && above?.info.role === 'model') pushTo(inner, above, one);
    const isSame =
      one.info.role === 'tool' && above?.info.role === 'tool' && isSameTool(one.info.tool, above.info.tool);
    if (isSame) demote(one, 'one-tool-two-spans');
  }
  // From the innermost outwards, so that of three spans of one call one is left.
  for (const [outer, calls] of [...inner].reverse()) {
    const left = calls.filter((call) => call.role === 'model');
    const [only] = left;
    const outerTells = outer.info.request !== undefined || outer.info.hasOutput;
    const innerTells = only?.info.request !== undefined || only?.info.hasOutput === true;
    if (left.length === 1 && only !== undefined && outerTells && !innerTells) demote(only, 'one-call-two-spans');
    else if (calls.length > 0) demote(outer, 'one-call-two-spans');
  }
}

function demote(one: Linked, rule: RuleName): void {
  one.role = 'step';
  one.roleRule = rule;
}

function isSameTool(a: AskedCall | undefined, b: AskedCall | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.id !== undefined && b.id !== undefined ? a.id === b.id : a.name === b.name;
}

/** Paths repeat those of the agents around them; deeper nesting than this is cut to the nearest. */
const longestScope = 4096;

function addAgents(all: readonly Linked[]): void {
  for (const one of all) {
    const { parent } = one;
    if (parent === undefined) continue;
    one.session ??= parent.session;
    const around = parent.role === 'agent' ? parent : parent.agent;
    one.agent = around;
    one.scope = parent.role === 'agent' ? pathOfAgent(parent) : parent.scope;
  }
}

export function pathOfAgent(one: Linked): string {
  const scope = one.scope.length > longestScope ? '' : one.scope;
  return `${scope}/child:${one.info.agent ?? one.info.name}=${one.info.event}`;
}

/** Who chose a tool: the call id in an answer of a model, else rule `tool-by-name-and-arguments`. */
function chooseTools(all: readonly Linked[]): void {
  const byCall = new Map<string, Linked[]>();
  const byPrint = new Map<string, Linked[]>();
  for (const one of all) {
    if (one.role !== 'model') continue;
    for (const { id, print } of one.info.calls) {
      if (id !== undefined) pushTo(byCall, `${one.info.trace}|${id}`, one);
      pushTo(byPrint, `${one.info.trace}|${print}`, one);
    }
  }
  for (const one of all) {
    const { tool, trace } = one.info;
    if (!isTool(one.role) || tool === undefined) continue;
    if (tool.id !== undefined) {
      const call = latestBefore(byCall.get(`${trace}|${tool.id}`) ?? [], one.info);
      if (call !== undefined) one.chosenBy = { call, rule: undefined };
      continue;
    }
    const [only, second] = byPrint.get(`${trace}|${tool.print}`) ?? [];
    if (only !== undefined && second === undefined) one.chosenBy = { call: only, rule: 'tool-by-name-and-arguments' };
  }
}

/** Providers give call ids anew for each conversation; of several answers with one id, the last that was there. */
function latestBefore(calls: readonly Linked[], tool: SpanInfo): Linked | undefined {
  let best: Linked | undefined;
  for (const call of calls) {
    const isBefore = tool.start === undefined || call.info.start === undefined || call.info.start <= tool.start;
    if (isBefore && (best === undefined || (call.info.start ?? '') > (best.info.start ?? ''))) best = call;
  }
  return best ?? calls[0];
}

function addAttempts(all: readonly Linked[], tools: ReadonlyMap<string, readonly Linked[]>): void {
  for (const [key, list] of tools) {
    const id = key.slice(key.indexOf('|') + 1);
    const attempts = [...list].sort(byStart);
    for (const [n, one] of attempts.entries()) {
      // Where an earlier one worked the id was only used again.
      const isRetry = n === 0 || attempts.slice(0, n).every(({ info }) => info.failed || info.end === undefined);
      if (isRetry) one.identity = id;
      one.attempt = isRetry ? n + 1 : 1;
    }
  }
  const requests = new Map<string, Linked[]>();
  for (const one of all) {
    const { request, trace, parent } = one.info;
    if (one.role === 'model' && request !== undefined) pushTo(requests, `${trace}|${parent ?? ''}|${request}`, one);
  }
  for (const list of requests.values()) {
    const attempts = [...list].sort(byStart);
    let first: Linked | undefined;
    for (const one of attempts) {
      if (first === undefined) first = one;
      else {
        one.identity = first.identity;
        one.attempt = attempts.indexOf(one) - attempts.indexOf(first) + 1;
      }
      if (!one.info.failed) first = undefined;
    }
  }
}

export function byStart(a: Linked, b: Linked): number {
  const first = a.info.start ?? '';
  const second = b.info.start ?? '';
  if (first !== second) return first < second ? -1 : 1;
  return a.info.event < b.info.event ? -1 : a.info.event > b.info.event ? 1 : 0;
}

/** By the id of the call where the request names it, else rule `answer-by-name`. */
function addGiven(all: readonly Linked[], tools: ReadonlyMap<string, readonly Linked[]>): void {
  const byName = new Map<string, Linked[]>();
  for (const one of all) if (isTool(one.role)) pushTo(byName, `${one.info.trace}|${one.info.tool?.name ?? ''}`, one);
  for (const list of byName.values()) list.sort(byEnd);
  for (const one of all) {
    if (one.role !== 'model') continue;
    const given: { tool: Linked; rule: RuleName | undefined }[] = [];
    const taken = new Set<Linked>();
    for (const { id, name } of one.info.answers) {
      const known = id === undefined ? undefined : tools.get(`${one.info.trace}|${id}`);
      for (const tool of known ?? []) given.push({ tool, rule: undefined });
      if (known !== undefined || name === undefined) continue;
      const tool = lastEnded(byName.get(`${one.info.trace}|${name}`) ?? [], one.info.start, taken);
      if (tool === undefined || tool.info.tool?.id !== undefined) continue;
      taken.add(tool);
      given.push({ tool, rule: 'answer-by-name' });
    }
    one.given = given;
  }
}

/** The last of a list in order of ends that ended before a time and is not taken. */
function lastEnded(list: readonly Linked[], time: string | undefined, taken: ReadonlySet<Linked>): Linked | undefined {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.info.end ?? '~') <= (time ?? '')) low = middle + 1;
    else high = middle;
  }
  for (let at = low - 1; at >= Math.max(0, low - farthest); at--) {
    const one = list[at];
    if (one !== undefined && !taken.has(one)) return one;
  }
  return undefined;
}

function byEnd(a: Linked, b: Linked): number {
  const first = a.info.end ?? '~';
  const second = b.info.end ?? '~';
  return first < second ? -1 : first > second ? 1 : byStart(a, b);
}

/** How far back a sibling is looked for: rounds of one agent are near each other. */
const farthest = 64;

/** Rule `sibling-before`, for calls whose messages were not recorded. */
function addBefore(children: readonly Linked[]): void {
  const calls = children.filter(
    ({ role, info }) => (role === 'model' || role === 'agent' || isTool(role)) && info.start,
  );
  calls.sort(byStart);
  for (const [at, one] of calls.entries()) {
    const { info } = one;
    const untold = one.role === 'model' ? info.request === undefined : isTool(one.role) && one.chosenBy === undefined;
    if (!untold || info.start === undefined) continue;
    const between: Linked[] = [];
    for (let back = at - 1; back >= Math.max(0, at - farthest); back--) {
      const other = calls[back];
      if (other?.info.end === undefined || other.info.end > info.start || other.info.service !== info.service) continue;
      if (other.role !== 'model') between.push(other);
      else {
        // A model whose answer is recorded and does not ask for this tool did not choose it.
        if (one.role === 'model') one.before = between.length > 0 ? between : [other];
        else if (!other.info.hasOutput) one.before = [other];
        break;
      }
    }
  }
}
