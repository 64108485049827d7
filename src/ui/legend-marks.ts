/**
 * Every mark the pictures and lists draw, by the place where it is met, with what it means.
 *
 * Invariant: nothing is drawn that does not stand here. The views map each kind of thing they draw to one of these ids, so a kind
 * without a mark does not compile, and a test looks every id up in the legend.
 */
import { branchStatuses } from './Chip.tsx';

interface LegendEntry {
  readonly id: string;
  readonly name: string;
  readonly meaning: string;
}

export const edgeMarks = [
  { id: 'edge:recorded', grade: 'recorded', name: 'Recorded', meaning: 'the producer named this cause' },
  {
    id: 'edge:inferred',
    grade: 'inferred',
    name: 'Inferred',
    meaning: 'drawn by a named rule; focus or hover shows it',
  },
  {
    id: 'edge:clock-only',
    grade: 'clock-only',
    name: 'Clock only',
    meaning: 'nothing but timestamps; no evidence of cause',
  },
] as const;

export const overviewMarks = [
  { id: 'overview:lane', name: 'Lane', meaning: 'one agent, or one process where no agent is recorded' },
  { id: 'overview:tick', name: 'Events', meaning: 'in the hue of most of them; taller where there are more' },
  { id: 'overview:at-once', name: 'Calls at once', meaning: 'a line each beside the ticks, up to four' },
  { id: 'overview:effect', name: 'Outside effect', meaning: 'left the system, or may have' },
  { id: 'overview:failure', name: 'Failure', meaning: 'at least one of the events failed' },
  { id: 'overview:kill', name: 'Kill', meaning: 'a process ended by a signal or a fault' },
  { id: 'overview:restart', name: 'Restart', meaning: 'a process begins again' },
  { id: 'overview:fork', name: 'Fork', meaning: 'a branch was made from here' },
  { id: 'overview:finding', name: 'Finding', meaning: 'the last evidence of a violation' },
  { id: 'overview:gap', name: 'Gap', meaning: 'a record should follow here, and is not there' },
  { id: 'overview:selection', name: 'Selection', meaning: 'where the selected event stands' },
] as const;

/** The one name of an insertion point: here, on pictures and lists, and spoken. */
export const stepInWord = 'could step in';

export const stepInMeaning =
  'sent; neither a commitment nor an answer is on record: where an overseer could have stepped in';

export const graphMarks = [
  { id: 'graph:effect', name: 'Outside effect', meaning: 'drawn strongest: it cannot be taken back' },
  {
    id: 'graph:insertion-point',
    name: stepInWord,
    meaning: stepInMeaning,
  },
  { id: 'graph:gap', name: 'Gap', meaning: 'the record that should follow is not there' },
  { id: 'graph:findings', name: 'Findings', meaning: 'how many findings rest on the event' },
  { id: 'graph:rim', name: 'Beyond the rim', meaning: 'more causes ↑ or effects ↓; press to bring them in' },
  { id: 'graph:lane', name: 'Lane', meaning: 'events of one agent on one branch' },
] as const;

export const transcriptMarks = [
  { id: 'transcript:executed-twice', name: 'Executed twice', meaning: 'two effects of one command' },
  { id: 'transcript:recorded-twice', name: 'Recorded twice', meaning: 'one act, more than one record of it' },
  { id: 'transcript:problem', name: 'Violation', meaning: 'records show what must not happen' },
  { id: 'transcript:cannot-answer', name: 'Cannot answer', meaning: 'nothing of the content is on record' },
  {
    id: 'transcript:folded',
    name: 'Folded',
    meaning: 'lines that say nothing of their own, counted; press to list them',
  },
  { id: 'transcript:under', name: 'Under', meaning: 'its recorded parent, where other lines stand between' },
] as const;

export const timelineMarks = [
  { id: 'timeline:dot', name: 'Event', meaning: 'a dot in the lane of its agent or process' },
  { id: 'timeline:effect', name: 'Outside effect', meaning: 'a larger dot, and the line in bold' },
] as const;

export const previewMarks = [
  { id: 'preview:edited', name: 'edited', meaning: 'what would be different' },
  { id: 'preview:falls', name: 'falls', meaning: 'depends on the edit, by what the records say they used' },
  { id: 'preview:may-fall', name: 'may fall', meaning: 'was only informed by what falls' },
  { id: 'preview:unknown', name: 'unknown', meaning: 'declares nothing it used; the trace cannot say' },
  { id: 'preview:holds', name: 'falls in part', meaning: 'begins as recorded; something in it falls' },
  { id: 'preview:stands', name: 'stands', meaning: 'does not depend on the edit' },
  { id: 'preview:frontier', name: 'Frontier', meaning: 'above it what is kept, below it what falls' },
] as const;

const statusMeanings: Readonly<Record<(typeof branchStatuses)[number], string>> = {
  reused: 'kept as it was recorded',
  moved: 'asked for elsewhere or under a key; its recorded answer counts',
  superseded: 'replaced by the edit',
  changed: 'came out differently',
  inserted: 'was not there before',
  removed: 'no longer asked for',
  'not reached': 'the branch has not come that far',
  suspect: 'read something that changed',
  pending: 'needs an outcome that no record has',
  'orphan effect': 'the world has it, the branch did not ask for it',
  uncertain: 'sent; outcome not recorded',
  unknown: 'the trace does not say what it depends on',
};

export const branchMarks = [
  ...branchStatuses.map((status) => ({ id: `branch:${status}`, name: status, meaning: statusMeanings[status] })),
  { id: 'branch:inherited', name: 'Inherited', meaning: 'a tick alone: from the parent, as it was recorded' },
];

export const findingMarks = [
  { id: 'finding:violation', name: 'Violation', meaning: 'records show what must not happen' },
  { id: 'finding:gap', name: 'Gap', meaning: 'a record that was due is not there' },
  { id: 'finding:notice', name: 'Notice', meaning: 'never recorded, or worth knowing' },
] as const;

export const basisMarks = [
  { id: 'basis:not recorded', name: '', meaning: 'no record says it; nothing was filled in' },
  { id: 'basis:withheld', name: '', meaning: 'recorded, and left out of this copy' },
  { id: 'basis:does not apply', name: '', meaning: 'does not apply: nothing could stand here' },
  { id: 'basis:derived', name: '', meaning: 'followed from other records by a named way' },
] as const;

type IdOf<T extends readonly LegendEntry[]> = T[number]['id'];

export type OverviewMarkId = IdOf<typeof overviewMarks>;
export type GraphMarkId = IdOf<typeof graphMarks>;
export type TranscriptMarkId = IdOf<typeof transcriptMarks>;
export type PreviewMarkId = IdOf<typeof previewMarks>;
export type FindingMarkId = IdOf<typeof findingMarks>;
export type BasisMarkId = IdOf<typeof basisMarks>;
export type EdgeMarkId = IdOf<typeof edgeMarks>;
export type TimelineMarkId = IdOf<typeof timelineMarks>;
