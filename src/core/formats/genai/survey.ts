/**
 * First pass: which spans there are, what each is, whose child it is, which calls a model asked for and which answers it was given.
 *
 * Keeps ids, names, times and fingerprints, never content, so that memory grows with records and not with bytes. The survey depends
 * on the set of records and not on their order. A span written several times (first without its end, or dumped twice) is one.
 */
import { canon } from '../../model/index.ts';
import { createSeenIds, fingerprint } from '../seen.ts';
import { spanToRole } from './classify.ts';
import { sessionOf, spanToAgent, spanToModel, spanToTool } from './fields.ts';
import { type CalledTool, type GivenAnswer, isOfModel, messagesToAnswers, messagesToCalls } from './messages.ts';
import type { Entry, Log, Span, SpanLink } from './record.ts';
import { isCarrier, isCarrying } from './carried.ts';
import { indexOfChoice, isSpoken, logsToMessages } from './spoken.ts';
import { messagesToWords, orderSpoken, roleOf, type SpokenPart } from './spoken-order.ts';
import type { SpanRole } from './table.ts';
import { addToTrace, createTraceInfo, resourcePrint, type TraceInfo } from './trace-info.ts';
import { textAt } from './values.ts';

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
  parent: string | undefined;
  side: string | undefined;
  service: string;
  readonly start: string | undefined;
  end: string | undefined;
  failed: boolean;
  /** The record that is used, of those that tell of this span. */
  print: string;
  /** Fingerprint of what emitted that record: a collector may add to it, and the record then comes twice. */
  resource: string;
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
  /** Log records that are parts of this call, by fingerprint, in the order in which they were said. */
  readonly logs: Set<string>;
  /** Name of its events; other than `key` where two spans share an id. */
  event: string;
}

export interface Survey {
  readonly spans: readonly SpanInfo[];
  readonly byVariant: ReadonlyMap<string, SpanInfo>;
  readonly traces: ReadonlyMap<string, TraceInfo>;
  /** Traces whose records carry events of the model whole. */
  readonly carried: ReadonlySet<string>;
  /** Spans that share an id and are not the same. */
  readonly conflicts: readonly SpanInfo[];
  /** Log records that came from several resources: a collector that passed them on may have added to what wrote them. */
  readonly forwarded: ReadonlySet<string>;
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
  readonly said: Map<string, Said>;
}

interface Said extends SpokenPart {
  readonly calls: readonly AskedCall[];
  readonly service: string;
  readonly parent: string | undefined;
}

export function createSurvey(): SurveyBuilder {
  const byVariant = new Map<string, SpanInfo>();
  const aliases = new Map<string, string>();
  const traces = new Map<string, TraceInfo>();
  const spoken = new Map<string, SpokenCall>();

  function traceOf(trace: string): TraceInfo {
    const known = traces.get(trace);
    if (known !== undefined) return known;
    const made = createTraceInfo(trace);
    traces.set(trace, made);
    return made;
  }

  const emitters = createSeenIds();
  const forwarded = new Set<string>();
  const carried = new Set<string>();
  const carriers = new Set<string>();

  function add(entry: Entry): void {
    if (entry.kind === 'problem') return;
    const trace = traceOf(entry.trace);
    if (entry.kind === 'log') noteEmitter(entry);
    if (isCarrying(entry)) {
      carried.add(entry.trace);
      // What a span carries is told instead of what it is, so that no call is told twice.
      const span = entry.kind === 'span' ? entry.id : entry.kind === 'log' ? entry.span : undefined;
      if (span !== undefined) carriers.add(`${entry.trace}/${span}`);
      if (isCarrier(entry) || entry.kind === 'log') return;
    }
    if (entry.kind === 'foreign') return;
    addToTrace(trace, entry);
    if (entry.kind === 'span') addSpan(entry);
    else if (isSpoken(entry.name) && entry.span !== undefined) addSpoken(entry, entry.span);
  }

  function noteEmitter(log: Log): void {
    const key = logKey(log);
    if (emitters.add(key, resourcePrint(log.resource), anywhere).kind === 'other') forwarded.add(key);
  }

  function addSpan(span: Span): void {
    const variant = variantOf(span);
    const known = byVariant.get(variant);
    if (known === undefined) byVariant.set(variant, spanToInfo(span));
    else if (isFuller(span, known)) update(known, span);
    if (span.alias === undefined) return;
    const name = `${span.trace}/${span.alias}`;
    const other = aliases.get(name);
    if (other === undefined || span.key < other) aliases.set(name, span.key);
  }

  function addSpoken(log: Log, id: string): void {
    const call = `${log.trace}/${id}`;
    const group = spoken.get(call) ?? { trace: log.trace, span: id, said: new Map<string, Said>() };
    spoken.set(call, group);
    if (!group.said.has(log.print)) group.said.set(log.print, logToSaid(log));
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
    const told = new Map<SpanInfo, { readonly trace: string; readonly parts: Said[] }>();
    for (const [name, group] of [...spoken].sort(byBeginning)) {
      const alias = aliases.get(name);
      const info =
        firsts.get(alias === undefined ? name : `${group.trace}/${alias}`) ?? byName.get(name) ?? spokenToInfo(group);
      if (!info.present) spans.push(info);
      const known = told.get(info) ?? { trace: group.trace, parts: [] };
      told.set(info, known);
      for (const said of group.said.values()) known.parts.push(said);
      calls.set(name, info);
    }
    for (const [info, parts] of orderSpoken(told)) addSaid(info, parts);
    return {
      spans,
      byVariant,
      traces,
      carried,
      conflicts,
      forwarded,
      callOf: (log) => (log.span === undefined ? undefined : calls.get(`${log.trace}/${log.span}`)),
    };
  }

  return { add, finish };
}

/** Nobody is told where the first stood. */
const anywhere = { file: 0, line: 1 } as const;

/** One log record, however often and wherever it was written. */
export function logKey({ trace, span, print }: Log): string {
  return `${trace}/${span ?? ''} ${print}`;
}

/** The same id with another name or beginning is another span. */
export function variantOf({ trace, key, name, start }: Span): string {
  return `${trace}/${key}#${fingerprint(`${start ?? ''} ${name}`)}`;
}

/** One that ended says more than one that did not; then the one with more attributes; then one of them, always the same. */
function isFuller(span: Span, known: SpanInfo): boolean {
  if (span.print === known.print) return resourcePrint(span.resource) < known.resource;
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
    resource: '',
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
  info.parent = span.parent;
  info.side = span.side;
  info.service = serviceOf(span);
  info.resource = resourcePrint(span.resource);
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

function toAsked({ id, name, args }: CalledTool): AskedCall {
  return { id, name, print: fingerprint(`${name ?? ''} ${args === undefined ? '' : canon(args)}`) };
}

export function serviceOf({ resource }: Pick<Span, 'resource'>): string {
  return textAt(resource, 'service.instance.id', 'host.name', 'service.name') ?? 'host';
}

function logToSaid(log: Log): Said {
  const { input, output } = logsToMessages([log], []);
  const whole = spanToModel({ attributes: log.attributes, events: [] }, []);
  const messages = [...input, ...whole.input];
  const answers = [...output, ...whole.output];
  const isOutput = answers.length > 0;
  const words = isOutput ? answers : messages;
  return {
    print: log.print,
    time: log.time ?? '',
    observed: log.observed ?? '',
    role: roleOf(words),
    words: messagesToWords(words),
    ofModel: messages.some(isOfModel),
    isOutput,
    index: indexOfChoice(log),
    calls: messagesToCalls(isOutput ? answers : messages).map(toAsked),
    answers: messagesToAnswers(messages),
    service: serviceOf(log),
    parent: log.parent,
  };
}

/** Calls of which only log records tell, in the order in which they began. */
function byBeginning([a, first]: [string, SpokenCall], [b, second]: [string, SpokenCall]): number {
  const began = beginningOf(first);
  const other = beginningOf(second);
  if (began !== other) return began < other ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function beginningOf({ said }: SpokenCall): string {
  let first = '~';
  for (const { time } of said.values()) if (time < first) first = time;
  return first;
}

function spokenToInfo({ trace, span, said }: SpokenCall): SpanInfo {
  const parts = [...said.values()].sort((a, b) => (a.print < b.print ? -1 : a.print > b.print ? 1 : 0));
  return {
    trace,
    id: span,
    key: span,
    name: '',
    present: false,
    role: 'model',
    parent: parts.find(({ parent }) => parent !== undefined)?.parent,
    side: undefined,
    service: parts[0]?.service ?? 'host',
    start: undefined,
    end: undefined,
    failed: false,
    print: '',
    resource: '',
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

function addSaid(info: SpanInfo, parts: readonly Said[]): void {
  for (const { print } of parts) info.logs.add(print);
  const inputs = parts.filter(({ isOutput }) => !isOutput);
  const outputs = parts.filter(({ isOutput }) => isOutput);
  if (info.calls.length === 0) info.calls = outputs.flatMap(({ calls }) => calls);
  if (info.answers.length === 0) {
    let from = inputs.length;
    while (from > 0 && inputs[from - 1]?.ofModel !== true) from--;
    info.answers = inputs.slice(from).flatMap(({ answers }) => answers);
  }
  if (info.request === undefined && inputs.length > 0)
    info.request = fingerprint(
      inputs
        .map(({ print }) => print)
        .sort()
        .join(' '),
    );
  info.hasOutput ||= outputs.length > 0;
  if (info.role === 'step') info.role = 'model';
}

function byStart(a: SpanInfo, b: SpanInfo): number {
  const first = a.start ?? '';
  const second = b.start ?? '';
  if (first !== second) return first < second ? -1 : 1;
  return a.print < b.print ? -1 : a.print > b.print ? 1 : 0;
}
