/**
 * The headline: the few facts that findings and the ledger establish, gravest first, each linked to its evidence.
 *
 * Invariant: nothing stands here that no finding, ledger row or run record establishes. Where nothing was found it says what was
 * looked at, never that all is well. Of a branch of which a copy holds a part nothing is said that rests on the absence of a record.
 */
import { isAssumedOutside } from '../effects/assumed.ts';
import { findingsByCommand } from '../effects/concerns.ts';
import type { EffectCommand, EffectLedger } from '../effects/ledger.ts';
import { countToText } from '../effects/words.ts';
import type { Finding, Headline, HeadlineSpan } from '../trace-reader.ts';
import type { EventId } from '../../model/index.ts';
import { type StepOf, effectToFact, isSimulated, simulatedToFact } from './effect-story.ts';
import type { RunStory } from './run-story.ts';
import { linked, plain } from './spans.ts';

export interface HeadlineInput {
  readonly ledger: EffectLedger;
  readonly findings: readonly Finding[];
  readonly checked: Headline['checked'];
  readonly runs: readonly RunEnd[];
  /** Events of the branch that are not in this copy. */
  readonly leftOut: number;
  /** Values withheld from this copy, of which a check may have needed some. */
  readonly withheld: number;
  readonly stepOf: StepOf;
  /** What the agents did, for a run of which no outside effect tells. */
  readonly story?: RunStory | undefined;
  /** What became of the branch that a replay made. */
  readonly branch?: readonly HeadlineSpan[] | undefined;
}

export interface RunEnd {
  readonly run: string;
  readonly outcome: 'completed' | 'failed' | 'not recorded';
  /** The record of the end; without one, the last thing recorded of the run. */
  readonly event: EventId | undefined;
  readonly message?: string | undefined;
}

/** More facts than these are counted, not told. */
const mostFacts = 5;

export function computeHeadline(input: HeadlineInput): Headline {
  const { findings, checked, leftOut } = input;
  const count = (severity: Finding['severity']): number =>
    findings.filter((finding) => finding.severity === severity).length;
  const counts = {
    violations: count('violation'),
    gaps: count('gap'),
    notices: count('notice'),
    failedRuns: failedOf(input).length,
  };
  if (leftOut > 0) return { facts: partFacts(input), ...counts, checked, leftOut };
  const own = findingsByCommand(input.ledger.commands, findings);
  const facts = [...effectFacts(input, own), ...findingFacts(input, own), ...simulatedFacts(input), ...runFacts(input)];
  const isQuiet = counts.violations + counts.gaps === 0;
  const told: (readonly HeadlineSpan[])[] = isQuiet ? [...facts, quietFact(input)] : facts;
  const story = needsStory(input) ? input.story : undefined;
  // What is quiet has said already which ends are not recorded.
  const about = story === undefined || story.about.length === 0 ? [] : [story.about];
  // What a session was about stands before what was looked at; where nobody asked anything, the checks come first.
  if (story !== undefined && isQuiet && about.length > 0)
    told.splice(0, told.length, ...facts, ...about, [...story.acts, plain('.')], quietFact(input));
  else if (story !== undefined && isQuiet) told.push([...story.acts, plain('.')]);
  else if (story !== undefined) told.unshift(...about, [...story.acts, ...story.end]);
  if (input.branch !== undefined) told.unshift(input.branch);
  const shown = told.slice(0, mostFacts);
  if (told.length > shown.length)
    shown.push([plain(`${countToText(told.length - shown.length, 'more fact')} in the findings.`)]);
  return { facts: shown, ...counts, checked };
}

/** What the records of a part establish, behind what keeps the rest open. */
function partFacts(input: HeadlineInput): readonly (readonly HeadlineSpan[])[] {
  const { checked, ledger, leftOut, story } = input;
  const open = checked.filter(({ isOpen }) => isOpen === true).length;
  const limit = `${countToText(leftOut, 'event')} of this branch ${leftOut === 1 ? 'is' : 'are'} left out of this copy: ${String(open)} of ${countToText(checked.length, 'check')} ${open === 1 ? 'is' : 'are'} not decidable in this copy.`;
  const found = findingFacts(input, new Map());
  const outside = ledger.commands.filter(({ stopped }) => stopped === undefined);
  const effects = countToText(outside.length, 'outside effect');
  const here: HeadlineSpan[] = [
    ...(story === undefined ? [] : [...story.acts, plain(outside.length === 0 ? '.' : '; ')]),
    ...(outside.length === 0
      ? []
      : [linked(effects, outside[0]?.first), plain(outside.length === 1 ? ' is among it.' : ' are among it.')]),
  ];
  return [
    [plain(limit)],
    ...found.slice(0, mostFacts - 2),
    ...(here.length === 0 ? [] : [[plain('What is here: '), ...here]]),
    ...runFacts(input),
  ].slice(0, mostFacts);
}

/** Findings about the records and not about the run. */
export const recordRules: ReadonlySet<string> = new Set(['order-problems']);

/** Where findings speak of the records alone, and no service tells of an effect, nothing else says what the run did. */
function needsStory({ ledger, findings }: HeadlineInput): boolean {
  const isAboutRun = findings.some(({ severity, rule }) => severity !== 'notice' && !recordRules.has(rule));
  return !isAboutRun && !ledger.commands.some(({ hasServiceRecords }) => hasServiceRecords);
}

/** Effects that findings of weight speak of, told as a story; those executed twice or missing come first. */
function effectFacts({ ledger, stepOf }: HeadlineInput, own: FindingsByCommand): HeadlineSpan[][] {
  const order: readonly EffectCommand['verdict'][] = [
    'executed twice',
    'missing',
    'uncertain',
    'not decidable in this copy',
    'executed once',
    'not executed',
  ];
  return ledger.commands
    .map((command) => ({ command, weighty: (own.get(command) ?? []).filter(({ severity }) => severity !== 'notice') }))
    .filter(({ weighty }) => weighty.some(({ rule }) => storyRules.has(rule)))
    .map((told) => ({ ...told, weight: order.indexOf(told.command.verdict) }))
    .sort((a, b) => a.weight - b.weight)
    .map(({ command, weighty }) => effectToFact(command, stepOf, weighty[0]?.id));
}

/** Findings that the story of their effect already tells. */
const storyRules: ReadonlySet<string> = new Set([
  'executed-twice',
  'missing-effect',
  'uncertain-effect',
  'dispatch-without-acknowledgement',
  'commitment-without-acknowledgement',
  'acknowledgement-without-result',
  'restore-point-lacks-effect',
]);

/** Notices that are facts of the run, or without which the rest would read as the whole. */
const toldNotices: ReadonlySet<string> = new Set(['privileged-access-log', 'old-observation', 'agent-without-records']);

type FindingsByCommand = ReadonlyMap<EffectCommand, readonly Finding[]>;

/** What else was found, a sentence a finding; findings of one rule share a sentence. */
function findingFacts({ findings }: HeadlineInput, own: FindingsByCommand): HeadlineSpan[][] {
  const ofCommands = new Set([...own.values()].flat());
  const rest = findings.filter((finding) => {
    if (finding.severity === 'notice') return toldNotices.has(finding.rule) && finding.evidence.length > 0;
    return !(storyRules.has(finding.rule) && ofCommands.has(finding));
  });
  const byRule = new Map<string, Finding[]>();
  for (const finding of rest) {
    const list = byRule.get(finding.rule);
    if (list === undefined) byRule.set(finding.rule, [finding]);
    else list.push(finding);
  }
  return [...byRule.values()].map((list) => {
    const [first, second, ...rest] = list;
    const shown = [first, second].filter((finding) => finding !== undefined);
    const spans = shown.flatMap((finding) => [plain('; '), linked(finding.title, finding.evidence[0], finding.id)]);
    // Titles may end in a count of their own: what is left out is counted with its noun, and never beside a bare number.
    const more = linked(
      countToText(rest.length, 'more finding of this kind', 'more findings of this kind'),
      undefined,
      rest[0]?.id,
    );
    return [...spans.slice(1), ...(rest.length === 0 ? [] : [plain('; '), more]), plain('.')];
  });
}

/** What a replay only simulated, and whose answers it went on with: no outside effect, and nothing about it is uncertain. */
function simulatedFacts({ ledger }: HeadlineInput): HeadlineSpan[][] {
  const simulated = ledger.commands.filter(isSimulated);
  return simulated.length === 0 ? [] : [simulatedToFact(simulated)];
}

function failedOf({ runs }: HeadlineInput): readonly RunEnd[] {
  return runs.filter(({ outcome }) => outcome === 'failed');
}

function runFacts(input: HeadlineInput): HeadlineSpan[][] {
  const { runs } = input;
  const failed = failedOf(input);
  return failed.slice(0, 2).map(({ event, message }, at) => {
    const which =
      runs.length === 1
        ? 'The run failed'
        : at === 0
          ? `${String(failed.length)} of ${countToText(runs.length, 'run')} failed`
          : 'Another failed';
    // What failed before it may be told elsewhere in the record; its end does not.
    return [
      linked(which, event),
      plain(message === undefined ? '; the record of its end gives no reason.' : `: ${message.slice(0, 200)}.`),
    ];
  });
}

/** What was looked at where nothing was found. */
function quietFact({ ledger, checked, runs, withheld }: HeadlineInput): HeadlineSpan[] {
  const { commands } = ledger;
  const open = runs.filter(({ outcome }) => outcome === 'not recorded').length;
  const end =
    open === 0
      ? ''
      : ` The end of ${open === 1 && runs.length === 1 ? 'the run' : countToText(open, 'run')} is not recorded.`;
  const limit =
    withheld === 0 ? '' : ` of this copy; what is withheld from it (${countToText(withheld, 'value')}) was not checked`;
  return [
    plain(`No violation and no gap found in ${countToText(checked.length, 'check')}${limit}. `),
    ...effectsSentence(commands),
    plain(end),
  ];
}

/** What was stopped before it ran is no outside effect; it is told beside them, what was simulated in a fact of its own. */
function effectsSentence(all: readonly EffectCommand[]): HeadlineSpan[] {
  const stopped = all.filter((command) => command.stopped !== undefined && !isSimulated(command));
  const told = outsideSentence(all.filter((command) => command.stopped === undefined));
  if (stopped.length === 0) return told;
  const stops = new Set(stopped.map((command) => command.stopped));
  const how = stops.size === 1 ? (stopped[0]?.stopped ?? '') : 'refused or ended before anything ran';
  const verb = how.startsWith('refused') ? (stopped.length === 1 ? 'was ' : 'were ') : '';
  return [
    ...told,
    plain(' '),
    linked(countToText(stopped.length, 'request'), stopped[0]?.first),
    plain(` ${verb}${how}.`),
  ];
}

/** No record says whether the tool reaches outside. */
function isAssumedCommand({ attempts, hasServiceRecords }: EffectCommand): boolean {
  const dispatched = attempts.flatMap(({ records }) => records.dispatched);
  return !hasServiceRecords && dispatched.length > 0 && dispatched.every(isAssumedOutside);
}

function outsideSentence(commands: readonly EffectCommand[]): HeadlineSpan[] {
  if (commands.length === 0) return [plain('No request with an outside effect is recorded.')];
  const told = commands.filter(({ hasServiceRecords }) => hasServiceRecords);
  const once = told.filter(({ verdict }) => verdict === 'executed once');
  const isAssumed = commands.every(isAssumedCommand);
  const noun = isAssumed ? 'call that may have left the system' : 'outside effect';
  const nouns = isAssumed ? 'calls that may have left the system' : 'outside effects';
  const spans: HeadlineSpan[] = [linked(countToText(commands.length, noun, nouns), commands[0]?.first)];
  if (once.length === commands.length)
    return [...spans, plain(`${commands.length === 1 ? '' : ', each'} executed once as told by the service.`)];
  if (told.length === 0)
    return [...spans, plain(', told by the caller alone: no records of the services are in this trace.')];
  const parts = [
    once.length > 0 ? `${String(once.length)} executed once as told by the service` : '',
    told.length > once.length ? `${String(told.length - once.length)} not executed` : '',
    commands.length > told.length ? `${String(commands.length - told.length)} without any record of the service` : '',
  ].filter((part) => part !== '');
  return [...spans, plain(`: ${parts.join(', ')}.`)];
}
