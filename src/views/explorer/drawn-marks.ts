/**
 * The mark of every kind of thing the explorer draws, as the legend names it.
 *
 * Invariant: each table is over all members of the type it is keyed by, so a new kind without a mark does not compile. Read by the
 * test that holds the legend to what is drawn.
 */
import type { ConeNode, Fact, Finding, OverviewMark, TranscriptLine } from '../../core/projections/trace-reader.ts';
import type { EdgeGrade } from '../../core/model/index.ts';
import type { PreviewStatus } from '../../data/index.ts';
import type {
  BasisMarkId,
  EdgeMarkId,
  FindingMarkId,
  GraphMarkId,
  OverviewMarkId,
  PreviewMarkId,
  TimelineMarkId,
  TranscriptMarkId,
} from '../../ui/legend-marks.ts';

type Table<K extends string, Id extends string> = Readonly<Record<K, Id>>;

const overview: Table<
  OverviewMark['kind'] | 'lane' | 'tick' | 'at-once' | 'effect' | 'failure' | 'selection',
  OverviewMarkId
> = {
  lane: 'overview:lane',
  tick: 'overview:tick',
  'at-once': 'overview:at-once',
  effect: 'overview:effect',
  failure: 'overview:failure',
  kill: 'overview:kill',
  restart: 'overview:restart',
  fork: 'overview:fork',
  finding: 'overview:finding',
  gap: 'overview:gap',
  selection: 'overview:selection',
};

/** A plain event is drawn as its family. */
const graph: Table<Exclude<ConeNode['kind'], 'event'> | 'effect' | 'findings' | 'rim' | 'lane', GraphMarkId> = {
  effect: 'graph:effect',
  'insertion-point': 'graph:insertion-point',
  gap: 'graph:gap',
  findings: 'graph:findings',
  rim: 'graph:rim',
  lane: 'graph:lane',
};

const transcript: Table<Exclude<TranscriptLine['kind'], 'event'> | 'under', TranscriptMarkId | FindingMarkId> = {
  gap: 'finding:gap',
  'executed-twice': 'transcript:executed-twice',
  'recorded-twice': 'transcript:recorded-twice',
  'cannot-answer': 'transcript:cannot-answer',
  problem: 'transcript:problem',
  folded: 'transcript:folded',
  under: 'transcript:under',
};

const timeline: Table<'event' | 'effect', TimelineMarkId> = { event: 'timeline:dot', effect: 'timeline:effect' };

const preview: Table<PreviewStatus | 'holds' | 'frontier', PreviewMarkId> = {
  edited: 'preview:edited',
  falls: 'preview:falls',
  'may-fall': 'preview:may-fall',
  unknown: 'preview:unknown',
  holds: 'preview:holds',
  stands: 'preview:stands',
  frontier: 'preview:frontier',
};

const findings: Table<Finding['severity'], FindingMarkId> = {
  violation: 'finding:violation',
  gap: 'finding:gap',
  notice: 'finding:notice',
};

/** What is recorded has no mark: it stands as it is. */
const bases: Table<Exclude<Fact['basis'], 'recorded'> | 'withheld' | 'does not apply', BasisMarkId> = {
  'not recorded': 'basis:not recorded',
  derived: 'basis:derived',
  withheld: 'basis:withheld',
  'does not apply': 'basis:does not apply',
};

const edges: Table<EdgeGrade, EdgeMarkId> = {
  recorded: 'edge:recorded',
  inferred: 'edge:inferred',
  'clock-only': 'edge:clock-only',
};

export const drawnMarks = { overview, graph, transcript, timeline, preview, findings, bases, edges } as const;
