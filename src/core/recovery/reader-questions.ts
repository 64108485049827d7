/**
 * What a reader must be able to tell from a report before a number of it is quoted, each question with its answer (R116, R124, R138, R139).
 *
 * Invariant: an answer rests on valid trials with a fault alone, and what they leave open is said as open, never as a no. Nothing here is
 * a score: the questions are not counted together. Made by campaign.ts; read by the page and the command line.
 */
import { nameToShown } from '../base/shown-text.ts';
import { countInvariants, isCounted, isInModelCall } from './invariant-counts.ts';
import { computeKillChange } from './kill-change.ts';
import { extraCallsOf, seenToText } from './outcome.ts';
import { pointsToText } from './placement.ts';
import type {
  CampaignReport,
  Cell,
  KillPoint,
  ReaderQuestion,
  Section,
  StrategyReport,
  TrialReport,
} from './report.ts';

type Parts = Pick<CampaignReport, 'trials' | 'strategies' | 'negativeControl' | 'menu' | 'notMeasured'>;

interface Design {
  readonly strategy: StrategyReport;
  readonly name: string;
  /** The valid ones with a fault. */
  readonly trials: readonly TrialReport[];
}

/** The time whose change with the number of the kill is told. */
const goesOn = 'next-acknowledged';

export function computeReaderQuestions(parts: Parts): readonly ReaderQuestion[] {
  const designs = parts.strategies
    .map((strategy): Design => {
      const trials = parts.trials.filter((trial) => isCounted(trial) && strategy.trials.includes(trial.id));
      return { strategy, name: nameToShown(strategy.name), trials };
    })
    .filter(({ trials }) => trials.length > 0);
  if (designs.length === 0) return [];
  return [
    askControl(parts),
    askStruck(designs),
    askTwice(designs),
    askReplay(designs),
    askModelCalls(designs),
    askOrdinals(designs),
    askRepetition(designs),
    askOmitted(parts),
    askSections(parts, designs),
  ];
}

function askControl({ negativeControl: { status, text, passing, failing } }: Parts): ReaderQuestion {
  return {
    id: 'control',
    question: 'Would a duplicate have been seen?',
    answers: [text],
    told: status === 'fails as it must',
    trials: [...passing.map(({ trial }) => trial), ...failing],
  };
}

function askStruck(designs: readonly Design[]): ReaderQuestion {
  const struck = designs.flatMap(({ name, strategy: { grid }, trials }) => {
    const hit = grid.filter((cell) => countOfCell(cell) > 0);
    const effects = [...new Set(hit.map(({ effect }) => effect))];
    const atEffects = effects.map((effect) => {
      const points = hit.filter((cell) => cell.effect === effect).map(({ point }) => point);
      return { name, text: `point ${pointsToText(points)} of ${nameToShown(effect)}` };
    });
    return trials.some(isInModelCall) ? [...atEffects, { name, text: 'a model call' }] : atEffects;
  });
  return {
    id: 'struck',
    question: 'Which intervals were struck?',
    answers:
      struck.length === 0
        ? ['No kill is established at a boundary of an effect.']
        : [...groupByText(struck), 'Every other boundary is untried.'],
    told: struck.length > 0,
    trials: designs.flatMap(({ trials }) => trials.filter(isPlaced).map(({ id }) => id)),
  };
}

function countOfCell({ fixed, repeated, random }: Cell): number {
  return fixed.length + repeated.length + random.length;
}

function isPlaced(trial: TrialReport): boolean {
  return (
    isInModelCall(trial) || trial.placements.some(({ verdict, point }) => verdict === 'verified' && point !== undefined)
  );
}

function askTwice(designs: readonly Design[]): ReaderQuestion {
  const twice = (trial: TrialReport): boolean => (trial.outcome.duplicates ?? 0) > 0;
  const isOpen = ({ outcome }: TrialReport): boolean =>
    outcome.duplicates === undefined || outcome.duplicatesAtLeast === true;
  const answers = designs.map(({ name, trials }) => {
    const bad = trials.filter(twice);
    const open = trials.filter((trial) => isOpen(trial) && !twice(trial)).length;
    const told =
      bad.length === 0 ? `in none of ${trials.length}` : `in ${bad.length} of ${trials.length}${whereTwice(bad)}`;
    return { name, text: `${told}${open === 0 ? '' : ` (not known in ${open})`}` };
  });
  return {
    id: 'twice',
    question: 'Did any effect commit twice?',
    answers: groupByText(answers),
    told: !designs.some(({ trials }) => trials.some((trial) => isOpen(trial) && !twice(trial))),
    trials: designs.flatMap(({ trials }) => trials.filter(twice).map(({ id }) => id)),
  };
}

/** By effect: at which of its own points the kills struck that doubled it; a kill of another effect may double it too. */
function whereTwice(bad: readonly TrialReport[]): string {
  const own = new Map<string, KillPoint[]>();
  const others = new Set<string>();
  for (const { placements, outcome } of bad) {
    const doubled = new Set(outcome.effects.filter(({ duplicates = 0 }) => duplicates > 0).map(({ effect }) => effect));
    for (const { effect, point } of placements) {
      if (effect === undefined || point === undefined) continue;
      if (doubled.has(effect)) own.set(effect, [...(own.get(effect) ?? []), point]);
      else others.add(effect);
    }
  }
  const parts = [...own].map(([effect, points]) => `${nameToShown(effect)} struck at ${pointsToText(points)}`);
  if (others.size > 0)
    parts.push(`where ${[...others].map(nameToShown).join(', ')} was struck, another effect was doubled`);
  return parts.length === 0 ? '' : `: ${parts.join('; ')}`;
}

function askReplay(designs: readonly Design[]): ReaderQuestion {
  const answers = designs.map(({ name, trials }) => {
    const count = countInvariants(trials).find(({ id }) => id === 'replay-completed');
    const checked = count?.checked ?? 0;
    const completed = trials.filter(({ outcome }) => outcome.completed === true).length;
    const open = trials.filter(({ outcome }) => outcome.completed === undefined).length;
    const run = `the run completed in ${completed} of ${trials.length}${open === 0 ? '' : ` (not known in ${open})`}`;
    const ended = `every replay ended in ${checked - (count?.violatedIn.length ?? 0)} of the ${checked} that ${checked === 1 ? 'records' : 'record'} one`;
    return { name, checked, text: `${checked === 0 ? 'no end of a replay is recorded' : ended}; ${run}` };
  });
  return {
    id: 'replay',
    question: 'Did replay complete after the restart?',
    answers: groupByText(answers),
    told: answers.some(({ checked }) => checked > 0),
    trials: designs.flatMap(({ trials }) =>
      trials.filter(({ outcome }) => outcome.completed !== true).map(({ id }) => id),
    ),
  };
}

function askModelCalls(designs: readonly Design[]): ReaderQuestion {
  const again = ({ outcome }: TrialReport): boolean => (extraCallsOf(outcome).count ?? 0) > 0;
  const isOpen = ({ outcome }: TrialReport): boolean => extraCallsOf(outcome).count === undefined;
  const answers = designs.map(({ name, trials }) => {
    const asked = trials.filter(again);
    const seen = asked.map(({ outcome }) => extraCallsOf(outcome));
    const calls = seenToText({
      count: seen.reduce((sum, { count = 0 }) => sum + count, 0),
      isAtLeast: seen.some(({ isAtLeast }) => isAtLeast),
    });
    const open = trials.filter(isOpen).length;
    const told = asked.length === 0 ? `none in ${trials.length}` : `${calls} in ${asked.length} of ${trials.length}`;
    return { name, text: `${told}${open === 0 ? '' : ` (not known in ${open})`}` };
  });
  return {
    id: 'model-calls',
    question: 'Which model calls were made because of a kill?',
    answers: groupByText(answers),
    told: !designs.some(({ trials }) => trials.some(isOpen)),
    trials: designs.flatMap(({ trials }) => trials.filter(again).map(({ id }) => id)),
  };
}

function askOrdinals(designs: readonly Design[]): ReaderQuestion {
  const changes = designs.flatMap(({ name, strategy }) => {
    const change = computeKillChange(strategy, goesOn);
    return change === undefined ? [] : [{ name, change }];
  });
  return {
    id: 'ordinals',
    question: 'How does recovery change with the number of the kill in one run?',
    answers:
      changes.length === 0
        ? ['No run has the time to its next acknowledged attempt after two of its kills.']
        : changes.map(({ name, change }) => `${name}: the next acknowledged attempt came ${change.text}`),
    told: changes.length > 0,
    trials: [...new Set(changes.flatMap(({ change }) => change.observations.map(({ trial }) => trial)))],
  };
}

function askRepetition(designs: readonly Design[]): ReaderQuestion {
  const single = designs.filter((design) => timesStruck(design) === 1);
  const counts = designs.map((design) => ({ name: design.name, text: repetitionToText(design) }));
  const rest =
    single.length === 0
      ? []
      : ['One trial establishes neither that side effects are avoided nor that versions agree: repeat it.'];
  return {
    id: 'repetition',
    question: 'Is it repeated?',
    answers: [...groupByText(counts), ...rest],
    told: single.length === 0,
    trials: single.flatMap(({ trials }) => trials.map(({ id }) => id)),
  };
}

/** Most trials at one boundary: thirteen boundaries struck once each repeat nothing. */
function timesStruck({ strategy: { grid }, trials }: Design): number {
  const most = Math.max(0, ...grid.map(countOfCell));
  return most === 0 ? trials.length : most;
}

function repetitionToText(design: Design): string {
  const count = design.trials.length;
  const valid = `${count} valid ${count === 1 ? 'trial' : 'trials'}`;
  const most = timesStruck(design);
  if (count === 1 || design.strategy.grid.every((cell) => countOfCell(cell) === 0)) return valid;
  return `${valid}, ${most === 1 ? 'each boundary struck once' : `one boundary struck up to ${most} times`}`;
}

function askOmitted({ menu }: Parts): ReaderQuestion {
  const omitted = menu.filter(({ included }) => !included).map(({ title }) => title);
  return {
    id: 'omitted',
    question: 'Which faults were left out?',
    answers: omitted.length === 0 ? ['None of the menu.'] : [`${omitted.join('; ')}.`, 'Of these nothing is said.'],
    told: true,
    trials: [],
  };
}

/** In the order in which they always stand; there is no sum of them. */
export const sectionTitles = [
  ['correctness', 'Correctness'],
  ['reliability', 'Reliability'],
  ['performance', 'Performance'],
  ['cost', 'Cost'],
  ['usability', 'Usability'],
] as const satisfies readonly (readonly [Section, string])[];

/** Each measurement in one section (R135). */
function askSections({ notMeasured }: Parts, designs: readonly Design[]): ReaderQuestion {
  const trials = designs.flatMap((design) => design.trials);
  const times = [
    ...new Set(trials.flatMap(({ metrics }) => metrics.filter(({ ms }) => ms !== undefined).map(({ id }) => id))),
  ];
  const hasLoad = trials.some(({ load }) => load.length > 0);
  const measured: Readonly<Record<Section, readonly string[]>> = {
    correctness: ['duplicates', 'losses', 'state and output against the control'],
    reliability: ['how many trials completed, of how many'],
    performance: [...times, ...(hasLoad ? ['throughput and latency under load'] : [])],
    cost: ['model calls made again', 'what they cost'],
    usability: [],
  };
  const answers = sectionTitles.map(([section, title]) => {
    const missing = notMeasured.filter((one) => one.section === section).map(({ what }) => what);
    const not = missing.length === 0 ? '' : `not measured: ${missing.join(', ')}`;
    return `${title}: ${[measured[section].join(', '), not].filter((text) => text !== '').join('; ')}.`;
  });
  return {
    id: 'sections',
    question: 'Which measurement belongs to which section?',
    answers,
    told: true,
    trials: [],
  };
}

/** "A / B: same.", "C: other.": designs of which the same is to be said stand together. */
function groupByText(answers: readonly { readonly name: string; readonly text: string }[]): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const { name, text } of answers) groups.set(text, [...(groups.get(text) ?? []), name]);
  return [...groups].map(([text, names]) => `${names.join(' / ')}: ${text}.`);
}
