/**
 * What a run declares about itself (mapping F): program, input, seed, outcome, tools. One per segment.
 */
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import {
  type Digest,
  type EventId,
  type HindcastEvent,
  computeDeclarations,
  digest,
  eventToMismatches,
  isDigest,
} from '../model/index.ts';
import { textToUtf8 } from '../base/hash.ts';
import { digestBytes } from '../model/index.ts';
import { type Contents, dataOf } from './contents.ts';
import { type RecordedError, jsonToError } from './event-roles.ts';
import { createLogSegments, rolledFrom } from './log-segments.ts';
import { containsHole } from '../base/withheld.ts';

export interface ProgramInfo {
  readonly name: string;
  readonly version: string | undefined;
  /** Of the text that ran. */
  readonly digest: Digest | undefined;
  readonly source: string | undefined;
  /** There is a program and it is held back in this copy. */
  readonly withheld: boolean;
  /** The text that is recorded is not what the recorded digest says. */
  readonly isOther?: true | undefined;
}

/** `isOther`: the recorded value is not what the recorded digest says. */
export type RunOutcome = { readonly isOther?: true } & (
  | {
      readonly kind: 'completed';
      readonly event: EventId;
      readonly digest: Digest | undefined;
      readonly value: JsonValue | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly event: EventId;
      readonly digest: Digest | undefined;
      readonly error: RecordedError | undefined;
    }
  | {
      readonly kind: 'rolled-over';
      readonly event: EventId;
      readonly digest: Digest | undefined;
      readonly carried: JsonValue | undefined;
    }
);

export interface RunInfo {
  readonly run: string;
  readonly segment: number;
  readonly event: EventId;
  readonly program: ProgramInfo;
  /** `undefined`: not recorded, or a reference whose bytes are absent. */
  readonly input: JsonValue | undefined;
  readonly inputDigest: Digest;
  readonly seed: string | undefined;
  readonly start: number;
  readonly draws: 'derived' | 'recorded' | undefined;
  readonly limits: JsonObject;
  readonly engineDigest: string | undefined;
  readonly outcome: RunOutcome | undefined;
}

export interface ToolInfo {
  readonly name: string;
  readonly service: string | undefined;
  readonly effect: string | undefined;
  readonly reads: readonly string[] | undefined;
  readonly writes: readonly string[] | undefined;
}

/** Name, version and the beginning of the digest: a program that was changed keeps its name and version. */
export function programToText(program: {
  readonly name: string;
  readonly version?: string | undefined;
  readonly digest?: string | undefined;
}): string {
  const version = program.version === undefined ? '' : ` ${program.version}`;
  return `${program.name}${version}${program.digest === undefined ? '' : ` (${program.digest.slice(0, 19)}…)`}`;
}

/** Digest of a program's text; the same for every writer: over its UTF-8 bytes. */
export function programDigest(source: string): Digest {
  return digestBytes(textToUtf8(source));
}

export function computeRunInfos(events: readonly HindcastEvent[], run: string, contents: Contents): readonly RunInfo[] {
  const outcomes = new Map<number, RunOutcome>();
  const mine = events.filter((event) => event.run === run && event.branch === 'main');
  const starts = mine.filter(({ type }) => type === 'run.started');
  starts.sort((a, b) => declaredSegment(a) - declaredSegment(b));
  const last = starts.length === 0 ? 0 : declaredSegment(starts[starts.length - 1] ?? starts[0]);
  let segmentOf: ReturnType<typeof createLogSegments> | undefined;
  for (const event of mine) {
    const outcome = eventToOutcome(event);
    if (outcome === undefined) continue;
    const rolled = (): number =>
      rolledFrom(event) ?? (segmentOf ??= createLogSegments(mine))(event) ?? firstFree(outcomes);
    outcomes.set(outcome.kind === 'rolled-over' ? rolled() : last, outcome);
  }
  const infos = new Map<number, RunInfo>();
  // A run that was restarted declares itself again; the first declaration of a segment stands.
  for (const event of starts) {
    const info = eventToRunInfo(event, contents, outcomes);
    if (!infos.has(info.segment)) infos.set(info.segment, info);
  }
  return [...infos.values()];
}

/** Of a roll-over of which nothing says the segment. */
function firstFree(outcomes: ReadonlyMap<number, RunOutcome>): number {
  let segment = 0;
  while (outcomes.has(segment)) segment++;
  return segment;
}

function declaredSegment(event: HindcastEvent | undefined): number {
  const segment = event === undefined ? 0 : dataOf(event)['segment'];
  return typeof segment === 'number' ? segment : 0;
}

export function eventToOutcome(event: HindcastEvent): RunOutcome | undefined {
  const outcome = eventToEnd(event);
  return outcome === undefined || eventToMismatches(event, false).length === 0
    ? outcome
    : { ...outcome, isOther: true };
}

function eventToEnd(event: HindcastEvent): RunOutcome | undefined {
  const data = dataOf(event);
  const recorded = typeof data['digest'] === 'string' && isDigest(data['digest']) ? data['digest'] : undefined;
  const of = (value: JsonValue | undefined): Digest | undefined =>
    containsHole(value) ? undefined : (recorded ?? (value === undefined ? undefined : digest(value)));
  if (event.type === 'run.completed') {
    // A program that returns nothing has the outcome null.
    const value = data['result'] === undefined && recorded === undefined ? null : data['result'];
    return { kind: 'completed', event: event.id, digest: of(value), value };
  }
  if (event.type === 'run.failed') {
    const error = isJsonObject(data['error']) ? jsonToError(data['error']) : undefined;
    return {
      kind: 'failed',
      event: event.id,
      digest: containsHole(data['error']) ? undefined : of(error === undefined ? undefined : { ...error }),
      error,
    };
  }
  if (event.type === 'run.rolled_over') {
    return {
      kind: 'rolled-over',
      event: event.id,
      digest: of(data['carried']),
      carried: data['carried'],
    };
  }
  return undefined;
}

function eventToRunInfo(event: HindcastEvent, contents: Contents, outcomes: ReadonlyMap<number, RunOutcome>): RunInfo {
  const data = dataOf(event);
  const program = isJsonObject(data['program']) ? data['program'] : {};
  const source = program['source'] === undefined ? undefined : contents.resolve(program['source']);
  const input = data['input'];
  const engine = isJsonObject(data['engine']) ? data['engine'] : {};
  const segment = declaredSegment(event);
  const text = typeof source === 'string' ? source : undefined;
  const recordedDigest = program['digest'];
  const draws = data['draws'];
  return {
    run: event.run,
    segment,
    event: event.id,
    program: {
      name: typeof program['name'] === 'string' ? program['name'] : 'program',
      version: typeof program['version'] === 'string' ? program['version'] : undefined,
      digest:
        typeof recordedDigest === 'string' && isDigest(recordedDigest)
          ? recordedDigest
          : text === undefined
            ? undefined
            : programDigest(text),
      source: text,
      withheld: containsHole(source),
      ...(eventToMismatches(event, false).some(({ value }) => value === 'data.program.source')
        ? { isOther: true as const }
        : {}),
    },
    input: input === undefined ? {} : contents.resolve(input),
    inputDigest: digest(input === undefined ? {} : input),
    seed: typeof data['seed'] === 'string' ? data['seed'] : undefined,
    start: typeof data['start'] === 'number' ? data['start'] : 0,
    draws: draws === 'derived' || draws === 'recorded' ? draws : undefined,
    limits: isJsonObject(data['limits']) ? data['limits'] : {},
    engineDigest: typeof engine['digest'] === 'string' ? engine['digest'] : undefined,
    outcome: outcomes.get(segment),
  };
}

export function computeTools(events: readonly HindcastEvent[]): ReadonlyMap<string, ToolInfo> {
  const tools = [...computeDeclarations(events).tools.values()];
  return new Map(
    tools.map(({ name, service, effect, reads, writes }) => [name, { name, service, effect, reads, writes }]),
  );
}

/** Runs of a stream in order of their declared start; of a stream that declares none, every run it mentions. */
export function listRuns(events: readonly HindcastEvent[]): readonly string[] {
  const started = events.filter((event) => event.type === 'run.started');
  return [...new Set((started.length > 0 ? started : events).map((event) => event.run))];
}
