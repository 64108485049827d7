/**
 * First pass: which spans there are, what each is, whose child it is, which calls a model asked for and which answers it was given.
 *
 * Keeps ids, names, times and fingerprints, never content, so that memory grows with records and not with bytes. The survey depends
 * on the set of records and not on their order. A span written several times (first without its end, or dumped twice) is one.
 */
import type { JsonObject } from '../../base/json.ts';
import { canon } from '../../model/index.ts';
import { fingerprint } from '../seen.ts';
import { spanToRole } from './classify.ts';
import { sessionOf, spanToAgent, spanToModel, spanToTool } from './fields.ts';
import { type CalledTool, type GivenAnswer, isOfModel, messagesToAnswers, messagesToCalls } from './messages.ts';
import type { Entry, Log, Span, SpanLink } from './record.ts';
import { isCarrier, isCarrying } from './carried.ts';
import { isSpoken, logsToMessages } from './spoken.ts';
import type { SpanRole } from './table.ts';
import { isEmpty, textAt } from './values.ts';

/** A call that a model asked for. */
export interface AskedCall {
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** Fingerprint of name and arguments. */
  readonly print: string;
}

export interface SpanInfo {
  readonly trace: string;
  readonly id: string;
  readonly key: string;
  readonly name: string;
  /** False for a call that only log records tell of. */
  readonly present: boolean;
  role: SpanRole;
  readonly parent: string | undefined;
  readonly side: string | undefined;
  readonly service: string;
  readonly start: string | undefined;
  end: string | undefined;
  failed: boolean;
  /** The record that is used, of those that tell of this span. */
  print: string;
  attributes: number;
  links: readonly SpanLink[];
  calls: readonly AskedCall[];
  answers: readonly GivenAnswer[];
  /** Fingerprint of the request, where there is one. */
  request: string | undefined;
  hasOutput: boolean;
  tool: AskedCall | undefined;
  agent: string | undefined;
  session: string | undefined;
  /** Log records that are parts of this call, by fingerprint. */
  readonly logs: Set<string>;
  /** Name of its events; other than `key` where two spans share an id. */
  event: string;
}

export interface TraceInfo {
  readonly trace: string;
  spans: number;
  records: number;
  start: string | undefined;
  service: string | undefined;
  version: string | undefined;
  session: string | undefined;
  /** What emitted its records, by fingerprint. */
  readonly resources: Map<string, JsonObject>;
}

export interface Survey {
  readonly spans: readonly SpanInfo[];
  readonly byVariant: ReadonlyMap<string, SpanInfo>;
  readonly traces: ReadonlyMap<string, TraceInfo>;
  /** Traces whose records carry events of the model whole. */
  readonly carried: ReadonlySet<string>;
  /** Spans that share an id and are not the same. */
  readonly conflicts: readonly SpanInfo[];
  /** The call to which a spoken log record belongs. */
  readonly callOf: (log: Log) => SpanInfo | undefined;
}

export interface SurveyBuilder {
  readonly add: (entry: Entry) => void;
  readonly finish: () => Survey;
}

/** What spoken log records say of one call, until all were read. */
interface SpokenCall {
  readonly trace: string;
  readonly span: string;
  readonly service: string;
  readonly parent: string | undefined;
  readonly said: Map<string, SpokenPart>;
}

interface SpokenPart {
  readonly time: string;
  readonly ofModel: boolean;
  readonly isOutput: boolean;
  readonly calls: readonly AskedCall[];
  readonly answers: readonly GivenAnswer[];
}

export function createSurvey(): SurveyBuilder {
  const byVariant = new Map<string, SpanInfo>();
  const aliases = new Map<string, string>();
  const traces = new Map<string, TraceInfo>();
  const spoken = new Map<string, SpokenCall>();

  function traceOf(trace: string): TraceInfo {
    const known = traces.get(trace);
    if (known !== undefined) return known;
    const made: TraceInfo = {
      trace,
      spans: 0,
      records: 0,
      start: undefined,
      service: undefined,
      version: undefined,
      session: undefined,
      resources: new Map(),
    };
    traces.set(trace, made);
    return made;
  }

  const carried = new Set<string>();
  const carriers = new Set<string>();

  function add(entry: Entry): void {
    if (entry.kind === 'problem') return;
    const trace = traceOf(entry.trace);
    trace.records++;
    if (isCarrying(entry)) {
      carried.add(entry.trace);
      // What a span carries is told instead of what it is, so that no call is told twice.
      const span = entry.kind === 'span' ? entry.id : entry.kind === 'log' ? entry.span : undefined;
      if (span !== undefined) carriers.add(`${entry.trace}/${span}`);
      if (isCarrier(entry) || entry.kind === 'log') return;
    }
    if (entry.kind === 'foreign') return;
    const time = entry.kind === 'span' ? entry.start : entry.time;
    if (time !== undefined && (trace.start === undefined || time < trace.start)) trace.start = time;
    trace.session ??= sessionOf(entry.attributes);
    if (!isEmpty(entry.resource)) trace.resources.set(resourcePrint(entry.resource), entry.resource);
    if (trace.service === undefined || (entry.kind === 'span' && entry.parent === undefined)) {
      trace.service = textAt(entry.resource, 'service.name') ?? trace.service;
      trace.version = textAt(entry.resource, 'service.version') ?? trace.version;
    }
    if (entry.kind === 'span') addSpan(entry, trace);
    else if (isSpoken(entry.name) && entry.span !== undefined) addSpoken(entry, entry.span);
  }

  function addSpan(span: Span, trace: TraceInfo): void {
    const variant = variantOf(span);
    const known = byVariant.get(variant);
    if (known === undefined) {
      trace.spans++;
      byVariant.set(variant, spanToInfo(span));
    } else if (isFuller(span, known)) update(known, span);
    if (span.alias !== undefined) aliases.set(`${span.trace}/${span.alias}`, span.key);
  }

  function addSpoken(log: Log, id: string): void {
    const call = `${log.trace}/${id}`;
    const group = spoken.get(call) ?? {
      trace: log.trace,
      span: id,
      service: serviceOf(log),
      parent: log.parent,
      said: new Map<string, SpokenPart>(),
    };
    spoken.set(call, group);
    if (group.said.has(log.print)) return;
    const { input, output } = logsToMessages([log], []);
    const whole = spanToModel({ attributes: log.attributes, events: [] }, []);
    const messages = [...input, ...whole.input];
    group.said.set(log.print, {
      time: log.time ?? '',
      ofModel: messages.some(isOfModel),
      isOutput: output.length + whole.output.length > 0,
      calls: messagesToCalls([...output, ...whole.output]).map(toAsked),
      answers: messagesToAnswers(messages),
    });
  }

  function finish(): Survey {
    const spans = [...byVariant.values()];
    const firsts = new Map<string, SpanInfo>();
    const conflicts: SpanInfo[] = [];
    for (const info of spans.sort(byStart)) {
      const key = `${info.trace}/${info.key}`;
      if (!firsts.has(key)) firsts.set(key, info);
      else {
        info.event = `${info.key}~${info.print.slice(0, 8)}`;
        conflicts.push(info);
      }
    }
    for (const info of spans) if (carriers.has(`${info.trace}/${info.id}`)) info.role = 'step';
    const byName = new Map<string, SpanInfo>();
    for (const info of spans) if (!byName.has(`${info.trace}/${info.id}`)) byName.set(`${info.trace}/${info.id}`, info);
    const calls = new Map<string, SpanInfo>();
    for (const [name, group] of spoken) {
      const alias = aliases.get(name);
      const info =
        firsts.get(alias === undefined ? name : `${group.trace}/${alias}`) ?? byName.get(name) ?? spokenToInfo(group);
      if (!info.present) spans.push(info);
      addSaid(info, group);
      calls.set(name, info);
    }
    return {
      spans,
      byVariant,
      traces,
      carried,
      conflicts,
      callOf: (log) => (log.span === undefined ? undefined : calls.get(`${log.trace}/${log.span}`)),
    };
  }

  return { add, finish };
}

/** The same id with another name or beginning is another span. */
export function variantOf({ trace, key, name, start }: Span): string {
  return `${trace}/${key}#${fingerprint(`${start ?? ''} ${name}`)}`;
}

/** One that ended says more than one that did not; then the one with more attributes; then one of them, always the same. */
function isFuller(span: Span, known: SpanInfo): boolean {
  if (span.print === known.print) return false;
  if ((span.end === undefined) !== (known.end === undefined)) return span.end !== undefined;
  const attributes = Object.keys(span.attributes).length;
  return attributes === known.attributes ? span.print < known.print : attributes > known.attributes;
}

function spanToInfo(span: Span): SpanInfo {
  const info: SpanInfo = {
    trace: span.trace,
    id: span.id,
    key: span.key,
    name: span.name,
    present: true,
    role: 'step',
    parent: span.parent,
    side: span.side,
    service: serviceOf(span),
    start: span.start,
    end: undefined,
    failed: false,
    print: '',
    attributes: 0,
    links: [],
    calls: [],
    answers: [],
    request: undefined,
    hasOutput: false,
    tool: undefined,
    agent: undefined,
    session: undefined,
    logs: new Set(),
    event: span.key,
  };
  update(info, span);
  return info;
}

function update(info: SpanInfo, span: Span): void {
  info.role = span.attributes['hindcast.input'] === true ? 'input' : spanToRole(span);
  info.end = span.end;
  info.failed = span.failed;
  info.print = span.print;
  info.attributes = Object.keys(span.attributes).length;
  info.links = span.links;
  info.session = sessionOf(span.attributes);
  if (info.role === 'model') {
    const model = spanToModel(span, []);
    info.calls = messagesToCalls(model.output).map(toAsked);
    info.answers = messagesToAnswers(model.input);
    info.request = model.input.length === 0 ? undefined : fingerprint(canon(model.request));
    info.hasOutput = model.output.length > 0;
  } else if (info.role === 'tool' || info.role === 'retrieval' || info.role === 'handoff') {
    const { callId, name, args } = spanToTool(span);
    info.tool = toAsked({ id: callId, name, args });
  } else if (info.role === 'agent') info.agent = spanToAgent(span).name;
}

const printsOfResources = new WeakMap<JsonObject, string>();

/** Spans of one resource share the object, so its fingerprint is made once. */
export function resourcePrint(resource: JsonObject): string {
  const known = printsOfResources.get(resource);
  if (known !== undefined) return known;
  const print = fingerprint(canon(resource));
  printsOfResources.set(resource, print);
  return print;
}

function toAsked({ id, name, args }: CalledTool): AskedCall {
  return { id, name, print: fingerprint(`${name ?? ''} ${args === undefined ? '' : canon(args)}`) };
}

export function serviceOf({ resource }: Pick<Span, 'resource'>): string {
  return textAt(resource, 'service.instance.id', 'host.name', 'service.name') ?? 'host';
}

function spokenToInfo({ trace, span, service, parent }: SpokenCall): SpanInfo {
  return {
    trace,
    id: span,
    key: span,
    name: '',
    present: false,
    role: 'model',
    parent,
    side: undefined,
    service,
    start: undefined,
    end: undefined,
    failed: false,
    print: '',
    attributes: 0,
    links: [],
    calls: [],
    answers: [],
    request: undefined,
    hasOutput: false,
    tool: undefined,
    agent: undefined,
    session: undefined,
    logs: new Set(),
    event: span,
  };
}

function addSaid(info: SpanInfo, group: SpokenCall): void {
  for (const print of group.said.keys()) info.logs.add(print);
  const parts = [...group.said.values()].sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  if (info.calls.length === 0) info.calls = parts.flatMap(({ calls }) => calls);
  if (info.answers.length === 0) {
    const inputs = parts.filter(({ isOutput }) => !isOutput);
    let from = inputs.length;
    while (from > 0 && inputs[from - 1]?.ofModel !== true) from--;
    info.answers = inputs.slice(from).flatMap(({ answers }) => answers);
  }
  const asked = [...group.said].filter(([, { isOutput }]) => !isOutput).map(([print]) => print);
  if (info.request === undefined && asked.length > 0) info.request = fingerprint(asked.sort().join(' '));
  info.hasOutput ||= parts.some(({ isOutput }) => isOutput);
  if (info.role === 'step') info.role = 'model';
}

function byStart(a: SpanInfo, b: SpanInfo): number {
  const first = a.start ?? '';
  const second = b.start ?? '';
  if (first !== second) return first < second ? -1 : 1;
  return a.print < b.print ? -1 : a.print > b.print ? 1 : 0;
}
