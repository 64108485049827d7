/**
 * Traces as text drawings, for tests only.
 *
 *     const t = drawTrace(`
 *       worker/w1/1 agent=planner step=17:
 *         plan  decision.made  {"chosen":"open"}
 *         ask   tool_call.dispatched  path=/write:ticket#0 attempt=1  <- plan:selected_by  {"effect":"external"}
 *       tickets:
 *         made  effect.committed  <- ask:result_of  {"effect":{"kind":"ticket","id":"8421"}}
 *     `);
 *
 * A line that ends with `:` opens a scope whose words hold for the lines indented below it; the bare word of a scope is
 * `component[/instance[/incarnation]]`. Every other line is an event: name, type, words, `<-` causes, payload, and after
 * `&` fields of the envelope. The name is the id. Lines that start with `//` are comments.
 * Words: agent, session, step, branch, run (a small number), seq, time, clock, span, origin, supersedes, replay, key
 * (idempotency), durable; path, attempt, issued, delivered, vt, args of the command; `replayed`, `noseq`, `notime`.
 * A cause is `name[:kind]`, then `~rule` where it was inferred or `?` where it is clock-only; several stand apart by commas.
 * Defaults: one run, branch main, session s-1, incarnation 1, `seq` counted per log, one second between lines on one clock.
 *
 * Throws on a drawing that is no valid trace: a wrong test should not look like a finding.
 */
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import { type EventId, type HindcastEvent, eventId, eventToLine, parseEvent } from '../index.ts';

export interface DrawnTrace {
  /** In the order of the drawing. */
  readonly events: readonly HindcastEvent[];
  /** The line of each event as a stream would hold it. */
  readonly lines: readonly string[];
  readonly event: (name: string) => HindcastEvent;
  /** The id of a name that was drawn; throws for another. */
  readonly id: (name: string) => EventId;
}

type Words = Readonly<Record<string, string>>;

interface Scope {
  readonly indent: number;
  readonly words: Words;
}

interface Drawing {
  readonly scopes: Scope[];
  readonly seqByLog: Map<string, number>;
  readonly eventsByName: Map<string, HindcastEvent>;
  readonly events: HindcastEvent[];
}

/** A run id for a small number: `drawnRun(1)` is the default. */
export function drawnRun(n: number): string {
  return n.toString(16).padStart(32, '0');
}

export function drawTrace(text: string): DrawnTrace {
  const drawing: Drawing = { scopes: [], seqByLog: new Map(), eventsByName: new Map(), events: [] };
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line !== '' && !line.startsWith('//')) readLine(drawing, line, raw.length - raw.trimStart().length);
  }
  const event = (name: string): HindcastEvent => {
    const found = drawing.eventsByName.get(name);
    if (found === undefined) throw new Error(`The drawing has no event "${name}".`);
    return found;
  };
  return { events: drawing.events, lines: drawing.events.map(eventToLine), event, id: (name) => event(name).id };
}

function readLine(drawing: Drawing, line: string, indent: number): void {
  const { scopes } = drawing;
  while ((scopes.at(-1)?.indent ?? -1) >= indent) scopes.pop();
  const inherited = scopes.at(-1)?.words ?? {};
  if (line.endsWith(':')) {
    scopes.push({ indent, words: { ...inherited, ...readWords(line.slice(0, -1), true) } });
    return;
  }
  const event = lineToEvent(drawing, line, inherited);
  drawing.events.push(event);
  if (!drawing.eventsByName.has(event.id)) drawing.eventsByName.set(event.id, event);
}

/** `a=1 b worker/w/1` to words; the bare word of a scope is its source. */
function readWords(text: string, isScope: boolean): Words {
  const words: Record<string, string> = {};
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const at = word.indexOf('=');
    if (at > 0) words[word.slice(0, at)] = word.slice(at + 1);
    else words[isScope ? 'source' : word] = isScope ? word : 'true';
  }
  return words;
}

function lineToEvent(drawing: Drawing, line: string, inherited: Words): HindcastEvent {
  const [head, envelopeText] = splitOnce(line, / & (?=\{)/);
  const [words, dataText] = splitOnce(head, /\s(?=\{)/);
  const [before, causesText] = splitOnce(words, /\s?<-/);
  const [, name = '', type = '', rest = ''] = /^(\S+)\s+(\S+)(.*)$/.exec(before.trim()) ?? [];
  if (type === '') throw new Error(`Not an event of a drawing (name, type, words): ${line}`);
  const own = { ...inherited, ...readWords(rest, false) };
  const record: JsonObject = {
    ...envelope(drawing, name, type, own),
    ...(causesText === undefined ? {} : { causes: causesText.split(',').map(readCause) }),
    data: { ...(own['key'] === undefined ? {} : { idempotency_key: own['key'] }), ...readJson(dataText, line) },
    ...readJson(envelopeText, line),
  };
  const parsed = parseEvent(record);
  if (!parsed.ok) throw new Error(`${parsed.error.message} In the drawing: ${line}`);
  return parsed.value;
}

function splitOnce(text: string, at: RegExp): readonly [string, string?] {
  const found = at.exec(text);
  return found === null ? [text] : [text.slice(0, found.index), text.slice(found.index + found[0].length)];
}

function readJson(text: string | undefined, line: string): JsonObject {
  if (text === undefined) return {};
  const parsed = parseLossless(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error(`Not a JSON object in the drawing: ${line}`);
  return parsed.value;
}

function readCause(text: string): JsonValue {
  const [, event = '', as = 'caused_by', mark = '', rule = ''] =
    /^(.+?)(?::([a-z_]+))?(~(.+)|\?)?$/.exec(text.trim()) ?? [];
  if (mark === '?') return { event, as, grade: 'clock-only' };
  return mark === '' ? { event, as } : { event, as, grade: 'inferred', rule };
}

function envelope(drawing: Drawing, name: string, type: string, words: Words): Record<string, JsonValue> {
  const [component = 'worker', instance, incarnation = '1'] = (words['source'] ?? 'worker').split('/');
  const log = `${component}/${instance ?? ''}/${incarnation}/${words['branch'] ?? 'main'}`;
  const seq = words['seq'] === undefined ? (drawing.seqByLog.get(log) ?? 0) : Number(words['seq']);
  if (words['noseq'] === undefined) drawing.seqByLog.set(log, seq + 1);
  const record: Record<string, JsonValue> = {
    v: 1,
    id: eventId(name),
    type,
    run: drawnRun(Number(words['run'] ?? '1')),
    session: words['session'] ?? 's-1',
    branch: words['branch'] ?? 'main',
    source: { component, ...(instance === undefined ? {} : { instance }), incarnation },
  };
  if (words['noseq'] === undefined) record['seq'] = seq;
  if (words['notime'] === undefined) {
    record['time'] = words['time'] ?? secondToTime(drawing.events.length);
    record['clock'] = words['clock'] ?? 'clock-1';
  }
  for (const key of ['agent', 'step', 'span', 'origin', 'supersedes', 'replay']) {
    if (words[key] !== undefined) record[key] = words[key];
  }
  if (words['replayed'] !== undefined) record['replayed'] = true;
  if (words['durable'] !== undefined) record['durable'] = { status: words['durable'] };
  if (words['path'] !== undefined) record['command'] = command(words['path'], words);
  return record;
}

function command(path: string, words: Words): JsonObject {
  const [, kind = '', name = ''] = /([a-z]+):([^/#=]*)(?:[#=][^/]*)?$/.exec(path) ?? [];
  const record: Record<string, JsonValue> = { path, kind, name };
  if (words['args'] !== undefined) record['args'] = words['args'];
  for (const key of ['attempt', 'issued', 'delivered', 'vt']) {
    if (words[key] !== undefined) record[key] = Number(words[key]);
  }
  return record;
}

function secondToTime(second: number): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  return `2026-01-01T${two(Math.floor(second / 3600) % 24)}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}.000Z`;
}
