/**
 * Differences between a pass and its base, each with what is needed to read it (replay 3.9).
 *
 * All are collected and ordered by base position; the first is the headline. Identity does not cascade: a difference in one
 * scope does not hide what is equal in another.
 */
import { type JsonValue, plainToRecorded } from '../base/json.ts';
import { digest } from '../model/index.ts';
import type { Contents } from './contents.ts';
import { commandToContradiction, infoToContradictions } from './contradiction.ts';
import type { Journal, JournalEntry } from './journal-types.ts';
import { computeJsonDifferences } from './json-diff.ts';
import { kindToText } from './kind-words.ts';
import type { PassResult, ReplayCommand } from './pass-types.ts';
import { type Position, comparePositions } from './position.ts';
import type { Divergence, DivergenceSide } from './report-types.ts';
import type { RunInfo } from './run-info.ts';
import { commandToStatus, isBaseRecord, isRecomputed, pairedRecords } from './statuses.ts';

export interface DivergenceInput {
  readonly journal: Journal;
  readonly info: RunInfo;
  readonly pass: PassResult;
  readonly contents: Contents;
  readonly verify: boolean;
  /** Positions of a branch are not those a recorder would have counted. */
  readonly comparesPositions: boolean;
  readonly edited: ReadonlySet<string>;
}

export function computeDivergences(input: DivergenceInput): readonly Divergence[] {
  const found: Divergence[] = [];
  const { pass, journal, info } = input;
  const deliveries = pass.commands.filter((c) => c.delivery !== undefined).sort((a, b) => actOf(a) - actOf(b));
  let last: ReplayCommand | undefined;
  for (const command of pass.commands) {
    const contradiction = commandToContradiction(command, info);
    if (contradiction !== undefined) found.push(contradiction);
    for (const divergence of [commandDivergence(command, input), orderDivergence(command, input)]) {
      if (divergence !== undefined) found.push(withContext(divergence, command, last, deliveries));
    }
    if (command.match === 'claimed' && command.rule === 'M1') last = command;
  }
  found.push(...missing(input));
  found.sort((a, b) => comparePositions(a.position ?? '0', b.position ?? '0'));
  const { positionMismatch } = pass;
  if (
    input.verify &&
    input.comparesPositions &&
    found.length === 0 &&
    positionMismatch !== undefined &&
    !journal.orderAssumed
  ) {
    const { path, act, recorded, actual } = positionMismatch;
    const message = `${path} was ${act} as number ${recorded} in the record and as number ${actual} now.`;
    found.push({ kind: 'order', path, message, segment: info.segment, position: recorded });
  }
  const isExplained = found.length > 0;
  for (const { message } of infoToContradictions(info))
    found.push({ kind: 'record', path: '', message, segment: info.segment });
  found.push(...endDivergences(input, isExplained));
  return found;
}

function commandDivergence(
  command: ReplayCommand,
  { info, contents, edited }: DivergenceInput,
): Divergence | undefined {
  // Of most commands there is nothing to show, and what would be shown is not made.
  if (standsAsRecorded(command)) return undefined;
  const base = { path: command.path, segment: info.segment };
  const actual = commandToSide(command);
  const { record } = command;
  if (command.match === 'ambiguous') {
    return {
      ...base,
      kind: 'ambiguous',
      message: `${command.path} is issued a second time; it gets no observation.`,
      position: behind(command.moment),
      actual,
    };
  }
  if (record === undefined) {
    const message = `${describe(command)} was not in the record.`;
    return { ...base, kind: 'extra', message, position: behind(command.moment), actual };
  }
  const expected = recordToSide(record, contents);
  const position = record.issued ?? record.delivered ?? '0';
  if (command.kind === 'state' && (command.match === 'changed' || command.differs)) {
    return {
      ...base,
      kind: 'state',
      message: `The state "${command.name}" differs from the recorded one.`,
      position,
      expected,
      actual,
      ...diffOf(expected, actual),
    };
  }
  if (command.match === 'changed') {
    if (isRecomputed(command.kind) && edited.has(record.path)) return undefined;
    const message = `${describe(command)} has other arguments than recorded.`;
    return { ...base, kind: 'args', message, position, expected, actual, ...diffOf(expected, actual) };
  }
  if (command.rule === 'M2') {
    return {
      ...base,
      kind: 'shifted',
      message: movedToText(command, record),
      position,
      expected,
      actual,
    };
  }
  if (command.rule === 'M5') {
    return {
      ...base,
      kind: 'moved',
      message: movedToText(command, record),
      position,
      expected,
      actual,
    };
  }
  if (command.differs && commandToStatus(command) === 'changed') {
    return {
      ...base,
      kind: 'outcome',
      message: `The outcome of the ${nameOf(command)} differs from the recorded one.`,
      position: record.delivered ?? position,
      expected,
      actual,
    };
  }
  return undefined;
}

function standsAsRecorded({ match, record, rule, differs }: ReplayCommand): boolean {
  return match === 'claimed' && record !== undefined && rule !== 'M2' && rule !== 'M5' && !differs;
}

function orderDivergence(command: ReplayCommand, { info, contents }: DivergenceInput): Divergence | undefined {
  const { delivery, record } = command;
  if (delivery?.clamped !== true || record === undefined || command.rule === 'M5' || command.rule === 'M2')
    return undefined;
  return {
    kind: 'order',
    path: command.path,
    segment: info.segment,
    message: `${describe(command)} was delivered earlier in the record than it is asked for now.`,
    position: record.delivered ?? '0',
    expected: recordToSide(record, contents),
    actual: commandToSide(command),
  };
}

/** Records that nothing claimed. What is only recomputed counts as missing once the run has ended without it. */
function missing({ journal, pass, info, contents }: DivergenceInput): readonly Divergence[] {
  const paired = pairedRecords(pass);
  const out: Divergence[] = [];
  for (const record of journal.entries) {
    if (!isBaseRecord(record)) continue;
    const command = pass.claimed.get(record.path);
    const position = record.issued ?? record.delivered ?? '0';
    const base = (): Pick<Divergence, 'path' | 'segment' | 'position' | 'expected'> => ({
      path: record.path,
      segment: info.segment,
      position,
      expected: recordToSide(record, contents),
    });
    if (command === undefined && !paired.has(record.path)) {
      if (isRecomputed(record.kind) && pass.settled === undefined) continue;
      out.push({ ...base(), kind: 'missing', message: missingToText(record, pass.settled !== undefined) });
    } else if (
      command !== undefined &&
      command.delivery === undefined &&
      command.pending === undefined &&
      pass.settled !== undefined
    ) {
      out.push({
        ...base(),
        kind: 'unconsumed',
        message: `The observation of the ${nameOf(record)} was not consumed: the run ended before.`,
        position: record.delivered ?? position,
      });
    }
  }
  return out;
}

function endDivergences({ pass, info, verify }: DivergenceInput, explained: boolean): readonly Divergence[] {
  const base = { path: '', segment: info.segment };
  const { outcome } = info;
  if (pass.limit !== undefined) return [{ ...base, kind: 'limit', message: pass.limit.message }];
  const { settled } = pass;
  if (settled === undefined) {
    if (outcome === undefined || explained || !verify) return [];
    return [
      {
        ...base,
        kind: 'blocked-early',
        message: pass.commands.some((c) => c.pending !== undefined)
          ? 'The record has an outcome; the replay waits for values that were not recorded.'
          : 'The record has an outcome; the replay has no command open and waits for a promise that nothing settles.',
      },
    ];
  }
  if (settled.kind === 'not-a-program') return [];
  const made = settledDigest(settled);
  if (outcome === undefined) {
    // A record that stops early says nothing about the outcome, unless nothing in it was left open.
    return verify ? [{ ...base, kind: 'outcome', message: 'The run ends now; its record has no outcome.' }] : [];
  }
  const sameKind = { ok: 'completed', err: 'failed', 'rolled-over': 'rolled-over' }[settled.kind] === outcome.kind;
  if (sameKind && (outcome.digest === undefined || outcome.digest === made)) return [];
  // A segment that rolls over has not ended the run: what it hands to the next is not the outcome.
  const message =
    sameKind && outcome.kind === 'rolled-over'
      ? `What segment ${String(info.segment)} carries on to the next differs from what it carried on in the record.`
      : 'The outcome of the run differs from the recorded one.';
  return [{ ...base, kind: 'outcome', message }];
}

export function settledDigest(settled: NonNullable<PassResult['settled']>): ReturnType<typeof digest> | undefined {
  switch (settled.kind) {
    case 'ok':
      return digest(plainToRecorded(settled.value));
    case 'err':
      return digest(plainToRecorded({ ...settled.error }));
    case 'rolled-over':
      return digest(plainToRecorded(settled.carried));
    case 'not-a-program':
      return undefined;
  }
}

function actOf(command: ReplayCommand): number {
  return command.delivery?.act ?? -1;
}

/** The last reused command before, and what was delivered since. */
function withContext(
  divergence: Divergence,
  command: ReplayCommand,
  last: ReplayCommand | undefined,
  deliveries: readonly ReplayCommand[],
): Divergence {
  const end = firstAtOrAfter(deliveries, command.issuedAct);
  const start = last === undefined ? 0 : firstAtOrAfter(deliveries, last.issuedAct + 1);
  return {
    ...divergence,
    ...(last?.record === undefined ? {} : { lastMatch: last.record.issueEvent }),
    deliveriesSince: deliveries
      .slice(Math.max(start, end - mostDeliveries), Math.max(start, end))
      .map((other) => other.path),
  };
}

const mostDeliveries = 20;

function firstAtOrAfter(deliveries: readonly ReplayCommand[], act: number): number {
  let low = 0;
  let high = deliveries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = deliveries[middle];
    if (at !== undefined && actOf(at) < act) low = middle + 1;
    else high = middle;
  }
  return low;
}

function commandToSide(command: ReplayCommand): DivergenceSide {
  const observation = command.delivery?.observation;
  return {
    path: command.path,
    kind: command.kind,
    name: command.name,
    args: command.args,
    argsDigest: command.argsDigest,
    ...(observation?.kind === 'ok' && (isRecomputed(command.kind) || command.kind === 'child')
      ? { value: observation.value }
      : {}),
    ...(command.site === undefined ? {} : { site: command.site }),
  };
}

function recordToSide(record: JournalEntry, contents: Contents): DivergenceSide {
  const args: JsonValue | undefined =
    record.args === undefined ? undefined : (contents.resolve(record.args) ?? record.args);
  return {
    path: record.path,
    kind: record.kind,
    name: record.name,
    event: record.issueEvent,
    ...(args === undefined ? {} : { args }),
    ...(record.argsDigest === undefined ? {} : { argsDigest: record.argsDigest }),
    ...(record.site === undefined ? {} : { site: record.site }),
    ...(record.alias === undefined ? {} : { alias: record.alias }),
  };
}

function diffOf(expected: DivergenceSide, actual: DivergenceSide): Pick<Divergence, 'differences'> {
  if (expected.args === undefined || actual.args === undefined) return {};
  return { differences: computeJsonDifferences(expected.args, actual.args) };
}

function describe(item: { readonly kind: string; readonly name: string; readonly path: string }): string {
  return `The ${nameOf(item)}`;
}

function nameOf({ kind, name, path }: { readonly kind: string; readonly name: string; readonly path: string }): string {
  return `${kindToText(kind)} "${name}" at ${path}`;
}

function movedToText(command: ReplayCommand, record: JournalEntry): string {
  return `${describe(command)} moved: the same command with the same arguments is recorded at ${record.path}.`;
}

/** Before the end of the run nothing is known of what it has not come to. */
function missingToText(record: JournalEntry, ended: boolean): string {
  return `${describe(record)} is in the record and was ${ended ? 'not asked for' : 'not reached'}.`;
}

/** Just after a base position, before the next one. */
function behind(position: Position): Position {
  return `${position}.0`;
}
