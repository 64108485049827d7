/**
 * What is wrong with a trace as a graph (SPEC P1 to P16): each check one function, each finding a stable code and a sentence.
 *
 * Events of a problem stay in the index and visible: a problem is said beside them, never instead of them. A list of events in a
 * problem may be cut; the sentence then holds the count, so that nothing is hidden.
 */
import { checkBases } from './branch-base.ts';
import { checkBranches } from './branch-problems.ts';
import type { CausalIndex } from './causal-index.ts';
import { computeComponents } from './cycles.ts';
import { numberInLog } from './logs.ts';
import { effectsWithoutClocks } from './order.ts';
import { checkIdentity } from './identity-problems.ts';
import { type CausalProblem, type ProblemInput, type Report, eventsPerProblem, logName, nameEvent } from './problem.ts';
import { checkVersions } from './version-problems.ts';

/** Most holes of one log that are told one by one; the rest are told as a count. */
const toldOneByOne = 20;

/** The same for all problems of one code. */
const mostOfOneCode = 1000;

export function computeProblems(input: ProblemInput): readonly CausalProblem[] {
  const problems: CausalProblem[] = [];
  const add: Report = (severity, code, message, positions, count = 1) => {
    const place = positions[0] === undefined ? undefined : input.placeOf?.(positions[0]);
    const events = positions.slice(0, eventsPerProblem).map(input.index.id);
    problems.push({
      code,
      message,
      severity,
      events,
      ...(place === undefined ? {} : { place }),
      ...(count === 1 ? {} : { count }),
    });
  };
  const { report, tellRest } = boundReport(input, add);
  checkRepeats(input, report);
  checkDangling(input, report);
  checkCycles(input, report);
  checkLogs(input, report);
  checkBranches(input, report);
  checkVersions(input, report);
  checkBases(input, report);
  checkClocks(input, report);
  checkIdentity(input, report);
  tellRest();
  return problems;
}

interface Untold {
  readonly severity: CausalProblem['severity'];
  readonly positions: number[];
  problems: number;
  count: number;
}

/** Passes on what is told one by one of each code, and tells the rest of it in one problem at the end. */
function boundReport({ index }: ProblemInput, add: Report): { readonly report: Report; readonly tellRest: () => void } {
  const told = new Map<string, number>();
  const untold = new Map<string, Untold>();
  const report: Report = (severity, code, message, positions, count = 1) => {
    const before = told.get(code) ?? 0;
    told.set(code, before + 1);
    if (before < mostOfOneCode) {
      add(severity, code, message, positions, count);
      return;
    }
    const rest = untold.get(code) ?? { severity, positions: [], problems: 0, count: 0 };
    untold.set(code, rest);
    rest.problems++;
    rest.count += count;
    for (const position of positions) if (rest.positions.length < eventsPerProblem) rest.positions.push(position);
  };
  const tellRest = (): void => {
    for (const [code, { severity, positions, problems, count }] of untold) {
      const [first] = positions;
      const where = first === undefined ? '' : `, the first at "${index.id(first)}"`;
      const what = problems === 1 ? 'problem' : 'problems';
      add(severity, code, `${problems.toLocaleString('en')} more ${what} of this kind${where}.`, positions, count);
    }
  };
  return { report, tellRest };
}

/** P1, P2: a second record of a run with an id is a copy, or it contradicts the first. */
function checkRepeats(input: ProblemInput, report: Report): void {
  const { index, source } = input;
  if (!index.hasRepeats) return;
  const { symbol } = index.columns;
  const firsts = new Map<number, number>();
  const ofOtherFiles: number[] = [];
  for (let i = 0; i < index.count; i++) {
    const first = firsts.get(symbol[i] ?? 0);
    if (first === undefined) {
      firsts.set(symbol[i] ?? 0, i);
      continue;
    }
    if (!index.has(i, 'repeat')) {
      if (!isOneFile(input, first, i)) ofOtherFiles.push(i);
      else tellConflict(input, [first, i], 'of two runs ', 'the one of the same run', report);
      continue;
    }
    const original = index.named(i, source.at(i).id);
    if (source.line(i) === source.line(original)) {
      const message = `Event ${nameEvent(input, original)} was read again, word for word; the copy is shown as "${index.id(i)}" and is no second act.`;
      report('notice', 'same-record', message, [i, original]);
    } else tellConflict(input, [original, i], '', 'the first one read', report);
  }
  tellOtherFiles(input, ofOtherFiles, report);
}

function tellConflict(
  { index }: ProblemInput,
  [first, later]: readonly [number, number],
  whose: string,
  meant: string,
  report: Report,
): void {
  const message = `Two different records ${whose}have the id "${index.id(first)}". Both are kept, the later as "${index.id(later)}"; causes that name the id mean ${meant}.`;
  report('problem', 'conflicting-id', message, [later, first]);
}

function isOneFile({ placeOf }: ProblemInput, a: number, b: number): boolean {
  const file = placeOf?.(a)?.file;
  return file !== undefined && file === placeOf?.(b)?.file;
}

/** P2: ids are unique in a stream; the streams of two runs that were opened together may use the same ones. */
function tellOtherFiles({ index }: ProblemInput, positions: readonly number[], report: Report): void {
  const [first] = positions;
  if (first === undefined) return;
  const what =
    positions.length === 1
      ? `One id is used by more than one run: "${index.id(first)}".`
      : `${positions.length} ids are used by more than one run, for example that of "${index.id(first)}".`;
  const message = `${what} The records stand in different files; a cause that names such an id means the record of its own run.`;
  report('notice', 'id-in-several-runs', message, positions, positions.length);
}

/** P3: one problem for each missing id, with the events that name it; ids that only one and the same event names are told together. */
function checkDangling(input: ProblemInput, report: Report): void {
  const effectsByCause = new Map<string, number[]>();
  for (const { cause, effect } of input.index.dangling) {
    const list = effectsByCause.get(cause);
    if (list === undefined) effectsByCause.set(cause, [effect]);
    else list.push(effect);
  }
  const causesByEffect = new Map<number, string[]>();
  for (const [cause, effects] of effectsByCause) {
    const [first = 0] = effects;
    if (effects.length === 1) {
      const list = causesByEffect.get(first);
      if (list === undefined) causesByEffect.set(first, [cause]);
      else list.push(cause);
    }
  }
  for (const [cause, effects] of effectsByCause) {
    const [first = 0] = effects;
    const alone = effects.length === 1 ? (causesByEffect.get(first) ?? []) : [];
    if (alone.length > 1) {
      if (alone[0] === cause) tellMissing(input, report, first, alone);
      continue;
    }
    const others = effects.length === 1 ? '' : ` and ${effects.length - 1} more`;
    const message = `${nameEvent(input, first)}${others} ${others === '' ? 'names' : 'name'} "${cause}" as a cause, which is not in this trace. Open the file that holds it together with this one.`;
    report('problem', 'dangling-cause', message, effects);
  }
}

function tellMissing(input: ProblemInput, report: Report, effect: number, causes: readonly string[]): void {
  const names = causes.slice(0, 3).map((cause) => `"${cause}"`);
  const rest = causes.length > names.length ? ` and ${causes.length - names.length} more` : '';
  const message = `${nameEvent(input, effect)} names ${causes.length} causes that are not in this trace: ${names.join(', ')}${rest}. Open the file that holds them together with this one.`;
  report('problem', 'dangling-cause', message, [effect], causes.length);
}

/** P4, P6: cycles of causes, and sets that only causes and log numbers together put before each other. */
function checkCycles(input: ProblemInput, report: Report): void {
  const { index, order } = input;
  if (order.cycles.length === 0) return;
  const told = new Set<number>();
  for (const cycle of computeComponents(effectsWithoutClocks(index), index.count).cycles) {
    for (const position of cycle) told.add(position);
    const names = cycle.slice(0, 5).map((position) => `"${index.id(position)}"`);
    const rest = cycle.length > 5 ? ` and ${cycle.length - 5} more` : '';
    const message =
      cycle.length === 1
        ? `Event ${nameEvent(input, cycle[0] ?? 0)} names itself as a cause.`
        : `${cycle.length} events cause each other in a circle: ${names.join(', ')}${rest}. They are shown without an order among them.`;
    report('problem', 'cause-cycle', message, cycle, cycle.length);
  }
  for (const position of checkBackwardEdges(input, report)) told.add(position);
  for (const cycle of order.cycles) {
    if (cycle.some((position) => told.has(position))) continue;
    const message = `The causes and the log numbers of ${cycle.length} events contradict each other, around ${nameEvent(input, cycle[0] ?? 0)}. They are shown without an order among them.`;
    report('problem', 'order-contradiction', message, cycle);
  }
}

/** P5: an effect with a lower number than its cause in one log. Returns the events told. */
function checkBackwardEdges(input: ProblemInput, report: Report): readonly number[] {
  const { index, order } = input;
  const told: number[] = [];
  for (const cycle of order.cycles) {
    for (const to of cycle) {
      for (const { from, grade } of index.causesOf(to)) {
        const before = index.seq(from);
        const after = index.seq(to);
        if (grade === 'clock-only' || before === undefined || after === undefined) continue;
        if (index.logNumber(from) !== index.logNumber(to) || after >= before) continue;
        told.push(from, to);
        const message = `Event ${nameEvent(input, to)} has number ${after} in its log, before its cause ${nameEvent(input, from)} with number ${before}. One of the two is wrong.`;
        report('problem', 'effect-before-cause', message, [to, from]);
      }
    }
  }
  return told;
}

/** P7, P8: numbers missing inside the range present, and numbers used twice. */
function checkLogs({ index, order }: ProblemInput, report: Report): void {
  const { logs } = order;
  for (let l = 0; l + 1 < logs.offsets.length; l++) {
    const end = logs.offsets[l + 1] ?? 0;
    const holes: number[] = [];
    const repeats: number[] = [];
    let told = 0;
    for (let at = (logs.offsets[l] ?? 0) + 1; at < end; at++) {
      const before = logs.positions[at - 1] ?? 0;
      const after = logs.positions[at] ?? 0;
      const step = (logs.numbers[at] ?? 0) - (logs.numbers[at - 1] ?? 0);
      const isRepeat = step === 0 && index.columns.symbol[before] !== index.columns.symbol[after];
      if (step <= 1 && !isRepeat) continue;
      if (told++ >= toldOneByOne) (isRepeat ? repeats : holes).push(before, after);
      else if (isRepeat) report('problem', 'repeated-number', repeatSentence(index, before, after), [after, before]);
      else
        report('problem', 'sequence-hole', holeSentence(index, logs.numbers.subarray(at - 1), before, after), [
          before,
          after,
        ]);
    }
    tellMore(index, report, 'sequence-hole', holes);
    tellMore(index, report, 'repeated-number', repeats);
  }
}

/** Of one log, what is not told one by one: two records for each hole, and for each number used twice. */
function tellMore(
  index: CausalIndex,
  report: Report,
  code: 'sequence-hole' | 'repeated-number',
  untold: readonly number[],
): void {
  const [first] = untold;
  if (first === undefined) return;
  const more = untold.length / 2;
  const what = code === 'sequence-hole' ? 'hole' : 'repeated number';
  report(
    'problem',
    code,
    `The log of ${logName(index, first)} has ${more} more ${what}${more === 1 ? '' : 's'}.`,
    untold,
    more,
  );
}

function repeatSentence(index: CausalIndex, before: number, after: number): string {
  return `The log of ${logName(index, after)} has the number ${String(numberInLog(index, after))} twice: "${index.id(before)}" and "${index.id(after)}".`;
}

/** `numbers`: of the two records, with which it begins. */
function holeSentence(index: CausalIndex, numbers: Float64Array, before: number, after: number): string {
  const first = (numbers[0] ?? 0) + 1;
  const last = (numbers[1] ?? 0) - 1;
  const what = first === last ? `Record ${first} is` : `Records ${first} to ${last} are`;
  return `${what} missing from the log of ${logName(index, after)}, between "${index.id(before)}" and "${index.id(after)}".`;
}

interface Skew {
  readonly effect: number;
  readonly cause: number;
  count: number;
  most: number;
}

/** P9: causes whose recorded time is after that of their effect, told once for each pair of clocks. Times are never moved. */
function checkClocks({ index, placeOf, ...rest }: ProblemInput, report: Report): void {
  const skews = new Map<string, Skew>();
  const { offsets, nodes, edges } = index.causes;
  for (let effect = 0; effect < index.count; effect++) {
    const end = offsets[effect + 1] ?? 0;
    const time = index.columns.time[effect] ?? Number.NaN;
    if (Number.isNaN(time)) continue;
    for (let at = offsets[effect] ?? 0; at < end; at++) {
      const cause = nodes[at] ?? 0;
      const ahead = (index.columns.time[cause] ?? Number.NaN) - time;
      if (!(ahead > 0) || index.edge(edges[at] ?? 0).grade === 'clock-only') continue;
      const key = JSON.stringify([clockName(index, cause), clockName(index, effect)]);
      const skew = skews.get(key);
      if (skew === undefined) skews.set(key, { effect, cause, count: 1, most: ahead });
      else {
        skew.count++;
        skew.most = Math.max(skew.most, ahead);
      }
    }
  }
  for (const { effect, cause, count, most } of skews.values()) {
    const pair =
      clockName(index, cause) === clockName(index, effect)
        ? `on the clock ${clockName(index, cause)}`
        : `between the clocks ${clockName(index, cause)} and ${clockName(index, effect)}`;
    const times = count === 1 ? 'one cause has' : `${count} causes have`;
    const message = `${times.charAt(0).toUpperCase()}${times.slice(1)} a later time than the effect, ${pair}, by up to ${durationText(most)}: for example ${nameEvent({ index, placeOf, ...rest }, effect)} and its cause "${index.id(cause)}". Order comes from the causes; no time was changed.`;
    report('notice', 'clock-contradiction', message, [effect, cause]);
  }
}

function clockName(index: CausalIndex, position: number): string {
  return index.clock(position) ?? `of ${logName(index, position)}`;
}

function durationText(millis: number): string {
  return millis < 1000 ? `${Number(millis.toPrecision(3))} ms` : `${Number((millis / 1000).toPrecision(4))} s`;
}
