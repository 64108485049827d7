/**
 * What earlier lives of a run made durable, by path: what is delivered again, in what order, before any handler is asked.
 *
 * Mirrors the journal of the replayer (`core/replay`, rules G1 to G5) for the streams this recorder writes itself. Used by `recorder.ts`.
 */
import { createTable } from '../core/base/table.ts';
import { type Json, type JsonRecord, asText, digestOf, isRecord } from './canonical.ts';

export type Observation =
  | { readonly kind: 'ok'; readonly value: Json }
  | { readonly kind: 'err'; readonly error: { readonly name: string; readonly message: string; readonly data?: Json } }
  | { readonly kind: 'cancelled' };

export interface PastCommand {
  readonly path: string;
  readonly args: string | undefined;
  readonly issued: number;
  readonly issueEvent: string;
  readonly due: number | undefined;
  /** It was waited for: its answer is delivered again. Decisions, states and draws are answered as they are asked. */
  readonly awaited: boolean;
  attempts: number;
  final:
    | { readonly position: number; readonly vt: number; readonly event: string; readonly observation: Observation }
    | undefined;
}

export interface Past {
  readonly run: string | undefined;
  readonly programDigest: string | undefined;
  readonly input: Json | undefined;
  readonly segment: number;
  readonly start: number;
  readonly incarnation: number;
  readonly lastEvent: string | undefined;
  /** The run ended; nothing is left to do. */
  readonly outcome: JsonRecord | undefined;
  readonly commands: ReadonlyMap<string, PastCommand>;
  /** One above the highest position. */
  readonly nextPosition: number;
  /** The next segment is to begin: what was carried into it. */
  readonly carried: Json | undefined;
  /** Version of each state when the segment began. */
  readonly versionsBefore: ReadonlyMap<string, number>;
  /** How often each note was written. */
  readonly notes: ReadonlyMap<string, number>;
}

const observed: Readonly<Record<string, (data: JsonRecord) => Json>> = createTable({
  'timer.fired': () => null,
  'signal.received': (data) => data['value'] ?? null,
  'clock.read': (data) => data['value'] ?? null,
  'random.drawn': (data) => data['value'] ?? null,
  'policy.evaluated': ({ verdict, value }) => ({
    verdict: verdict ?? null,
    ...(value === undefined ? {} : { value }),
  }),
});

const synchronous: ReadonlySet<string> = new Set(['decide', 'state', 'marker', 'draw']);
/** Written by the recorder itself, not by control code. */
const own = /^(?:stream|run|worker)\./;

export function eventsToPast(events: readonly JsonRecord[]): Past {
  const starts = events.filter((event) => event['type'] === 'run.started');
  const last = starts.at(-1);
  const declared = last === undefined ? {} : dataOf(last);
  const segment = Number(declared['segment'] ?? 0);
  const prefix = segment === 0 ? '' : `/seg:${String(segment)}`;
  const from = last === undefined ? events.length : events.indexOf(last);
  const commands = new Map<string, PastCommand>();
  const notes = new Map<string, number>();
  let next = 0;
  for (const event of events.slice(from)) {
    const command = event['command'];
    if (!isRecord(command)) {
      const type = asText(event['type']);
      const key = noteKey(type, dataOf(event), textOf(event['step']));
      if (!own.test(type)) notes.set(key, (notes.get(key) ?? 0) + 1);
      continue;
    }
    const path = asText(command['path']);
    if (!path.startsWith(prefix) && !path.startsWith('marker:')) continue;
    fold(event, command, path, commands);
    for (const name of ['issued', 'delivered']) {
      const position = command[name];
      if (typeof position === 'number') next = Math.max(next, position + 1);
    }
  }
  const end = events.findLast((event) => ['run.completed', 'run.failed'].includes(asText(event['type'])));
  const rolled = events.slice(from).find((event) => event['type'] === 'run.rolled_over');
  const program = declared['program'];
  return {
    run: last === undefined ? undefined : asText(last['run']),
    programDigest: isRecord(program) ? asText(program['digest']) : undefined,
    input: declared['input'],
    segment,
    start: Number(declared['start'] ?? 0),
    incarnation: Math.max(0, ...incarnationsOf(events)),
    lastEvent: textOf(events.at(-1)?.['id']),
    outcome: end,
    commands,
    nextPosition: next,
    carried: rolled === undefined ? undefined : (dataOf(rolled)['carried'] ?? null),
    versionsBefore: toVersions(rolled === undefined ? events.slice(0, from) : events),
    notes,
  };
}

function toVersions(events: readonly JsonRecord[]): ReadonlyMap<string, number> {
  const versions = new Map<string, number>();
  for (const event of events) {
    const { name, to } = dataOf(event);
    if (event['type'] === 'state.transitioned') versions.set(asText(name), Number(to));
  }
  return versions;
}

export function noteKey(type: string, data: Json, step: string | undefined): string {
  return `${type} ${step ?? ''} ${digestOf(isRecord(data) ? data : { value: data })}`;
}

function* incarnationsOf(events: readonly JsonRecord[]): Generator<number> {
  for (const { source } of events) if (isRecord(source)) yield Number(source['incarnation'] ?? 0);
}

function fold(event: JsonRecord, command: JsonRecord, path: string, commands: Map<string, PastCommand>): void {
  const { issued, delivered, args, attempt, vt } = command;
  const data = dataOf(event);
  const id = asText(event['id']);
  let entry = commands.get(path);
  if (typeof issued === 'number') {
    if (entry === undefined) {
      const due = data['due'];
      entry = {
        path,
        args: textOf(args),
        issued,
        issueEvent: id,
        due: typeof due === 'number' ? due : undefined,
        awaited: !synchronous.has(asText(command['kind'])) && dataOf(event)['child'] === undefined,
        attempts: 0,
        final: undefined,
      };
      commands.set(path, entry);
    }
    if (typeof attempt === 'number') entry.attempts = Math.max(entry.attempts, attempt);
  }
  if (entry !== undefined && entry.final === undefined && typeof delivered === 'number')
    entry.final = { position: delivered, vt: Number(vt ?? 0), event: id, observation: toObservation(event, data) };
}

function toObservation(event: JsonRecord, data: JsonRecord): Observation {
  const type = asText(event['type']);
  if (type.endsWith('.cancelled')) return { kind: 'cancelled' };
  const { error } = data;
  if (isRecord(error)) {
    const { name, message, data: more } = error;
    return {
      kind: 'err',
      error: { name: asText(name), message: asText(message), ...(more === undefined ? {} : { data: more }) },
    };
  }
  return { kind: 'ok', value: observed[type]?.(data) ?? data['result'] ?? null };
}

function dataOf(event: JsonRecord): JsonRecord {
  const { data } = event;
  return isRecord(data) ? data : {};
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
