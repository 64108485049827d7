/**
 * First pass over a session: who is whose parent, which lines are one model message, which result answers which call, which
 * sub-agent was started by which call. Keeps ids and counts, never content, so memory grows with records, not with bytes.
 *
 * Invariant: the survey depends on the set of records, not on the order of lines or the names of files (R18).
 */
import { ensureExists } from '../../base/assert.ts';
import { sha256Hex } from '../../base/hash.ts';
import { fingerprint } from '../seen.ts';
import { type CcRecord, contentToText, objectAt, textAt } from './record.ts';

export type NodeKind = 'model' | 'result' | 'prompt' | 'api_error' | 'other';

/** A record with an identity. Two records that share a uuid and say different things share a node. */
export interface Node {
  readonly uuid: string;
  /** False where the record has no uuid and `uuid` is its fingerprint. */
  readonly identified: boolean;
  readonly session: string | undefined;
  readonly prints: string[];
  /** Fingerprints among `prints` that are messages carried by a caller's progress record. */
  readonly carried: Set<string>;
  parent: string | undefined;
  agentId: string | undefined;
  sidechain: boolean;
  kind: NodeKind;
  /** Message group of a model line; the call answered by a result line. */
  group: string | undefined;
  time: string | undefined;
  /** Fingerprint of the text of a side chain's user message. */
  prompt: string | undefined;
  /** The results in the record, in order. */
  answers: readonly Answer[];
}

export interface Answer {
  /** Key of the call, where the result names it. */
  readonly call: string | undefined;
  /** The record whose call is answered, where the result names no call. */
  readonly via: string | undefined;
}

/** All lines of one model message. */
export interface Group {
  readonly key: string;
  readonly session: string | undefined;
  /** Different lines; the event is made when the last of them was read in the second pass. */
  lines: number;
  readonly nodes: Node[];
  readonly calls: string[];
  time: string | undefined;
}

export interface Call {
  readonly key: string;
  readonly group: string;
  readonly name: string;
  readonly promptPrint: string | undefined;
  /** The record that holds the tool_use block. */
  readonly record: string;
}

export interface SessionInfo {
  records: number;
  time: string | undefined;
  version: string | undefined;
}

export interface Survey {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly byUuid: ReadonlyMap<string, Node>;
  readonly groups: ReadonlyMap<string, Group>;
  readonly calls: ReadonlyMap<string, Call>;
  readonly sessions: ReadonlyMap<string, SessionInfo>;
  /** The call that started a sub-agent, by agent id, as recorded. */
  readonly spawns: ReadonlyMap<string, string>;
  /** Files with outputs of tools, by path; by base name only where one file has it. */
  readonly outputs: ReadonlyMap<string, OutputInfo>;
  readonly outputsByName: ReadonlyMap<string, OutputInfo | undefined>;
  readonly smallestPrint: string;
}

export interface OutputInfo {
  readonly digest: string;
  readonly bytes: number;
}

export interface SurveyBuilder {
  readonly add: (record: CcRecord) => void;
  readonly addOutput: (file: string, bytes: Uint8Array) => void;
  readonly finish: () => Survey;
}

export function createSurvey(): SurveyBuilder {
  const nodes = new Map<string, Node>();
  const byUuid = new Map<string, Node>();
  const groups = new Map<string, Group>();
  const calls = new Map<string, Call>();
  const sessions = new Map<string, SessionInfo>();
  const spawns = new Map<string, string>();
  const outputs = new Map<string, OutputInfo>();
  const outputsByName = new Map<string, OutputInfo | undefined>();
  let smallestPrint = '';

  function add(record: CcRecord): void {
    const print = fingerprint(record.source.text);
    if (smallestPrint === '' || print < smallestPrint) smallestPrint = print;
    addSession(record);
    noteSpawn(record);
    const node = addNode(record, print);
    if (node === undefined) return;
    if (record.type === 'assistant' && record.message !== undefined) addModelLine(record, node, print);
    else if (record.message !== undefined && record.message.toolResults.length > 0) {
      node.kind = 'result';
      node.answers = toAnswers(record);
    } else if (record.type === 'user') {
      node.kind = 'prompt';
      if (record.sidechain) node.prompt = fingerprint(contentToText(record.message?.content));
    } else if (record.subtype === 'api_error') node.kind = 'api_error';
  }

  function addSession(record: CcRecord): void {
    if (record.session === undefined) return;
    const info = sessions.get(record.session) ?? { records: 0, time: undefined, version: undefined };
    info.records++;
    if (record.time !== undefined && (info.time === undefined || record.time < info.time)) {
      info.time = record.time;
      info.version = record.version ?? info.version;
    }
    info.version ??= record.version;
    sessions.set(record.session, info);
  }

  /** Undefined for an identical copy, which adds nothing. */
  function addNode(record: CcRecord, print: string): Node | undefined {
    const key = nodeKey(record, print);
    const known = nodes.get(key);
    if (known !== undefined) {
      if (known.prints.includes(print)) return undefined;
      known.prints.push(print);
      known.prints.sort();
      if (record.carried) known.carried.add(print);
      // A sub-agent's own file says more than what its caller carried.
      else if (known.carried.size > 0) known.parent ??= record.parent;
      if (record.alias !== undefined) byUuid.set(record.alias, known);
      return known.carried.size === 0 ? known : undefined;
    }
    const node: Node = {
      uuid: record.uuid ?? key,
      identified: record.uuid !== undefined,
      session: record.session,
      prints: [print],
      carried: new Set(record.carried ? [print] : []),
      parent: record.parent,
      agentId: record.agentId,
      sidechain: record.sidechain,
      kind: 'other',
      group: undefined,
      time: record.time,
      prompt: undefined,
      answers: [],
    };
    nodes.set(key, node);
    if (record.uuid !== undefined && !byUuid.has(record.uuid)) byUuid.set(record.uuid, node);
    if (record.alias !== undefined) byUuid.set(record.alias, node);
    return node;
  }

  function addModelLine(record: CcRecord, node: Node, print: string): void {
    const key = groupKey(record, print);
    const group = groups.get(key) ?? { key, session: record.session, lines: 0, nodes: [], calls: [], time: undefined };
    group.lines++;
    group.nodes.push(node);
    if (record.time !== undefined && (group.time === undefined || record.time > group.time)) group.time = record.time;
    groups.set(key, group);
    node.kind = 'model';
    node.group = key;
    for (const [n, use] of (record.message?.toolUses ?? []).entries()) {
      const callId = callKey(record, use.id, print, n);
      if (calls.has(callId)) continue;
      const prompt = objectAt({ input: use.input }, 'input');
      const text = prompt === undefined ? undefined : textAt(prompt, 'prompt');
      calls.set(callId, {
        key: callId,
        group: key,
        name: use.name,
        promptPrint: text === undefined ? undefined : fingerprint(text),
        record: nodeKey(record, print),
      });
      group.calls.push(callId);
    }
  }

  function noteSpawn(record: CcRecord): void {
    const result = objectAt(record.raw, 'toolUseResult');
    const started = result === undefined ? undefined : textAt(result, 'agentId');
    const answered = record.message?.toolResults.map(({ toolUseId }) => toolUseId).find((id) => id !== undefined);
    if (started !== undefined && answered !== undefined) spawns.set(started, scoped(record.session, answered));
    if (record.carried && record.agentId !== undefined && record.parentTool !== undefined) {
      spawns.set(record.agentId, scoped(record.session, record.parentTool));
    }
  }

  function addOutput(file: string, bytes: Uint8Array): void {
    const info = { digest: `sha256:${sha256Hex(bytes)}`, bytes: bytes.length };
    outputs.set(file, info);
    const name = baseName(file);
    const isSame = !outputsByName.has(name) || outputsByName.get(name)?.digest === info.digest;
    outputsByName.set(name, isSame ? info : undefined);
  }

  return {
    add,
    addOutput,
    finish: () => ({ nodes, byUuid, groups, calls, sessions, spawns, outputs, outputsByName, smallestPrint }),
  };
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function toAnswers(record: CcRecord): readonly Answer[] {
  const results = record.message?.toolResults ?? [];
  const named = results.length === 1 ? textAt(record.raw, 'sourceToolUseID') : undefined;
  const via = textAt(record.raw, 'sourceToolAssistantUUID') ?? record.parent;
  return results.map(({ toolUseId }) => {
    const id = toolUseId ?? named;
    return { call: id === undefined ? undefined : scoped(record.session, id), via };
  });
}

export function nodeKey(record: CcRecord, print: string): string {
  return record.uuid === undefined ? print : scoped(record.session, record.uuid);
}

export function groupKey(record: CcRecord, print: string): string {
  return scoped(record.session, record.message?.id ?? record.uuid ?? print);
}

/** A call without id is named by its record and its place there. */
export function callKey(record: CcRecord, id: string | undefined, print: string, index: number): string {
  return scoped(record.session, id ?? `${record.uuid ?? print}#${index}`);
}

export function scoped(session: string | undefined, id: string): string {
  return `${session ?? ''}|${id}`;
}

export function unscoped(key: string): string {
  return key.slice(key.indexOf('|') + 1);
}

/**
 * For each node, the root-most ancestor that is still in the same side chain, and its distance from the root of all. One pass,
 * each node visited a bounded number of times; a cycle of parents ends where it closes.
 */
export interface Ancestry {
  readonly chainRoot: (node: Node) => Node;
  readonly depth: (node: Node) => number;
}

export function createAncestry(find: (node: Node) => Node | undefined): Ancestry {
  const roots = new Map<Node, Node>();
  const depths = new Map<Node, number>();

  function resolve(node: Node): void {
    const path: Node[] = [];
    const onPath = new Set<Node>();
    let at: Node | undefined = node;
    while (at !== undefined && !depths.has(at) && !onPath.has(at)) {
      path.push(at);
      onPath.add(at);
      at = find(at);
    }
    for (let i = path.length - 1; i >= 0; i--) {
      const here = ensureExists(path[i], 'a node on the path');
      const parent = find(here);
      const known = parent === undefined ? undefined : depths.get(parent);
      depths.set(here, known === undefined ? 0 : known + 1);
      const inherited = parent !== undefined && parent.sidechain && here.sidechain && here.agentId === parent.agentId;
      roots.set(here, inherited ? (roots.get(parent) ?? here) : here);
    }
  }

  return {
    chainRoot: (node) => {
      if (!roots.has(node)) resolve(node);
      return roots.get(node) ?? node;
    },
    depth: (node) => {
      if (!depths.has(node)) resolve(node);
      return depths.get(node) ?? 0;
    },
  };
}
