/**
 * What one decision (or act) rests on: model, prompt, tools, policies, artifacts, identities, approvals, versions, people (R53, R54, R57).
 *
 * Invariant: an entry is "recorded" when the decision's own record or a cause it names says it, "derived" when it is reached
 * through records in between or from the start of its run. A cell without an entry is "not recorded"; nothing is filled in.
 */
import { type JsonValue, isHole, isJsonArray, isJsonObject } from '../../base/json.ts';
import { lineToShown } from '../../base/shown-text.ts';
import { memberOf, textAt } from '../../causal/index.ts';
import type { EventId, HindcastEvent } from '../../model/index.ts';
import { countToText } from '../effects/words.ts';
import { cut, valueToText, verdictToText } from '../title-words.ts';
import { eventToTitle } from '../titles.ts';
import type { DecisionProvenance, ProvenanceCell } from '../trace-reader.ts';
import type { TraceView } from '../trace-view.ts';

type Entry = ProvenanceCell['entries'][number];

export function computeDecisionProvenance(view: TraceView, decision: EventId): DecisionProvenance | undefined {
  const position = view.index.find(decision);
  if (!view.holds(position)) return undefined;
  const grounds = collectGrounds(view, position);
  const cells: Record<ProvenanceCell['name'], Entry[]> = {
    model: [],
    prompt: [],
    tools: [],
    policies: [],
    artifacts: [],
    identities: [],
    approvals: [],
    versions: [],
    'people and processes': [],
  };
  addOwn(view, position, cells);
  for (const [at, basis] of grounds) addGround(view, at, basis, cells);
  addRunVersions(view, position, cells);
  const names = Object.keys(cells) as ProvenanceCell['name'][];
  return { decision, cells: names.map((name) => entriesToCell(name, distinct(cells[name]))) };
}

/** Entries of a cell that are listed; the rest is counted. */
const mostEntries = 100;

function entriesToCell(name: ProvenanceCell['name'], entries: readonly Entry[]): ProvenanceCell {
  return { name, entries: entries.slice(0, mostEntries), unlisted: Math.max(0, entries.length - mostEntries) };
}

/** Events a decision rests on: what it names, and behind that what answered, up to other decisions and this many steps. */
const farthest = 4;
const mostGrounds = 400;

function collectGrounds(view: TraceView, decision: number): ReadonlyMap<number, Entry['basis']> {
  const grounds = new Map<number, Entry['basis']>();
  let layer = [decision, ...chosenActs(view, decision)];
  const seen = new Set(layer);
  for (let distance = 0; distance < farthest && layer.length > 0 && grounds.size < mostGrounds; distance++) {
    const next: number[] = [];
    for (const at of layer) {
      for (const edge of view.causesOf(at)) {
        if (edge.grade === 'clock-only' || edge.as === 'selected_by' || seen.has(edge.from)) continue;
        // An act that was chosen shares its authority with the decision, not its inputs.
        if (at !== decision && distance === 0 && edge.as !== 'authorized_by') continue;
        seen.add(edge.from);
        const isNamed = distance === 0 && at === decision && edge.grade === 'recorded';
        grounds.set(edge.from, isNamed ? 'recorded' : 'derived');
        if (view.index.type(edge.from) !== 'decision.made') next.push(edge.from);
      }
    }
    layer = next;
  }
  addAccesses(view, grounds);
  return grounds;
}

/** What the decision selected: for "which policy allowed it". */
function chosenActs(view: TraceView, decision: number): number[] {
  return view
    .effectsOf(decision)
    .filter((edge) => edge.as === 'selected_by')
    .map((edge) => edge.to);
}

/** Privileged access is told by the process that granted it, below the request it answers. */
function addAccesses(view: TraceView, grounds: Map<number, Entry['basis']>): void {
  for (const at of [...grounds.keys()]) {
    if (!view.index.type(at).startsWith('tool_call.')) continue;
    for (const { to } of view.effectsOf(at)) {
      if (view.index.type(to) === 'access.exercised' && !grounds.has(to)) grounds.set(to, 'derived');
    }
  }
}

type Cells = Record<ProvenanceCell['name'], Entry[]>;

function addOwn(view: TraceView, position: number, cells: Cells): void {
  const event = view.event(position);
  const id = view.index.id(position);
  const own = (value: string): Entry => ({ value, event: id, basis: 'recorded' });
  const data = view.data(position);
  for (const tool of toolNames(view, memberOf(data, 'tools') ?? memberOf(data, 'tool_definitions')))
    cells.tools.push(own(`offered: ${tool}`));
  const policy = memberOf(data, 'policy');
  for (const one of isJsonArray(policy) ? policy : policy === undefined ? [] : [policy]) {
    cells.policies.push(own(policyToText(one)));
  }
  const context = memberOf(data, 'context');
  if (context !== undefined)
    cells.prompt.push(own(`context: ${isJsonArray(context) ? countToText(context.length, 'item') : 'recorded'}`));
  if (event.agent !== undefined) cells.identities.push(own(`agent ${event.agent}`));
  addPrincipal(event, id, 'recorded', cells);
  const { component, version } = event.source;
  if (version !== undefined) cells.versions.push(own(`${component} ${version}`));
}

/** "refund-limit 4: allow", from the state of a policy at that moment or from its evaluation. */
function policyToText(value: JsonValue): string {
  const inner = memberOf(value, 'policy');
  const name =
    textAt(value, 'policy') ??
    textAt(inner, 'name') ??
    textAt(inner, 'id') ??
    textAt(value, 'name') ??
    textAt(value, 'id');
  if (name === undefined) return policyToWords(value);
  const version = textAt(value, 'version');
  return `${name}${version === undefined ? '' : ` ${version}`}: ${verdictToText(memberOf(value, 'verdict'))}`;
}

/** A policy without a name: its fields in words. */
function policyToWords(value: JsonValue): string {
  if (isHole(value)) return 'withheld in this copy';
  if (!isJsonObject(value)) return valueToText(value);
  return Object.entries(value)
    .map(([key, member]) => `${key.replaceAll('_', ' ')} ${valueToText(member)}`)
    .join(', ');
}

function addPrincipal(event: HindcastEvent, id: EventId, basis: Entry['basis'], cells: Cells): void {
  const { principal } = event;
  if (principal === undefined) return;
  const kind = principal.kind === undefined ? '' : ` (${principal.kind})`;
  const behalf = principal.on_behalf_of === undefined ? '' : ` on behalf of ${principal.on_behalf_of}`;
  cells.identities.push({ value: `acting as ${principal.id}${kind}${behalf}`, event: id, basis });
  if (principal.kind === 'human')
    cells['people and processes'].push({ value: `${principal.id}: ${eventToTitle(event)}`, event: id, basis });
}

function addGround(view: TraceView, position: number, basis: Entry['basis'], cells: Cells): void {
  const id = view.index.id(position);
  const type = view.index.type(position);
  const data = view.data(position);
  const entry = (value: string): Entry => ({ value, event: id, basis });
  if (type.startsWith('model_call.')) addModel(view, data, type, entry, cells);
  else if (type === 'tool_call.dispatched' || type === 'tool_call.completed' || type === 'tool_call.failed') {
    const version = textAt(data, 'version');
    const name = textAt(data, 'tool') ?? view.event(position).command?.name;
    if (name !== undefined) cells.tools.push(entry(version === undefined ? name : `${name} ${version}`));
  } else if (type === 'policy.evaluated') {
    cells.policies.push(entry(policyToText({ policy: view.event(position).command?.name ?? 'a policy', ...data })));
  } else if (type.startsWith('artifact.'))
    cells.artifacts.push(entry(textAt(data, 'name') ?? textAt(data, 'digest') ?? 'an artifact without a name'));
  else if (type === 'approval.granted' || type === 'approval.denied') {
    cells.approvals.push(entry(eventToTitle(view.event(position))));
    addPeople(view, position, basis, cells);
  } else if (
    type === 'access.exercised' ||
    type === 'input.received' ||
    type === 'worker.started' ||
    type === 'worker.exited'
  ) {
    addPeople(view, position, basis, cells);
  }
}

function addPeople(view: TraceView, position: number, basis: Entry['basis'], cells: Cells): void {
  const event = view.event(position);
  cells['people and processes'].push({ value: eventToTitle(event), event: view.index.id(position), basis });
}

function addModel(
  view: TraceView,
  data: Readonly<Record<string, JsonValue>>,
  type: string,
  entry: (value: string) => Entry,
  cells: Cells,
): void {
  const model = textAt(data, 'response_model') ?? textAt(data, 'request_model');
  const provider = textAt(data, 'provider');
  if (model !== undefined) cells.model.push(entry(provider === undefined ? model : `${model} (${provider})`));
  if (type !== 'model_call.requested') return;
  const messages = memberOf(data, 'input_messages');
  const read = messages === undefined ? undefined : view.resolve(messages);
  if (read !== undefined)
    cells.prompt.push(entry(isJsonArray(read) ? countToText(read.length, 'message') : 'messages stored apart'));
  if (memberOf(data, 'system_instructions') !== undefined) cells.prompt.push(entry('system instructions'));
  for (const tool of toolNames(view, memberOf(data, 'tool_definitions'))) cells.tools.push(entry(`offered: ${tool}`));
}

function toolNames(view: TraceView, value: JsonValue | undefined): string[] {
  const read = value === undefined ? undefined : view.resolve(value);
  if (!isJsonArray(read)) return [];
  return read.flatMap((tool) =>
    typeof tool === 'string' ? tool : (textAt(tool, 'name') ?? textAt(tool, 'function', 'name') ?? []),
  );
}

/** Versions stand once, on the start of the run. */
function addRunVersions(view: TraceView, position: number, cells: Cells): void {
  const run = view.index.run(position);
  for (const start of view.ofType('run.started')) {
    if (view.index.run(start) !== run) continue;
    const data = view.data(start);
    const entry = (value: string): Entry => ({ value, event: view.index.id(start), basis: 'derived' });
    const program = textAt(data, 'program', 'name');
    if (program !== undefined)
      cells.versions.push(
        entry(`program ${program} ${textAt(data, 'program', 'version') ?? '(version not recorded)'}`),
      );
    const digest = textAt(data, 'program', 'digest');
    if (digest !== undefined) cells.versions.push(entry(`program digest ${digest.slice(0, 19)}…`));
    const engine = textAt(data, 'engine', 'name');
    if (engine !== undefined)
      cells.versions.push(entry(`engine ${engine} ${textAt(data, 'engine', 'version') ?? '(version not recorded)'}`));
  }
}

/** Characters of an entry; the record it leads to has the rest. */
const longestValue = 600;

/** One entry a value, fit to be shown; where several records say the same, the one named directly is kept. */
function distinct(entries: readonly Entry[]): Entry[] {
  const byValue = new Map<string, Entry>();
  for (const found of entries) {
    const entry = { ...found, value: lineToShown(cut(found.value, longestValue)) };
    const known = byValue.get(entry.value);
    if (known === undefined || (known.basis === 'derived' && entry.basis === 'recorded'))
      byValue.set(entry.value, entry);
  }
  return [...byValue.values()];
}
