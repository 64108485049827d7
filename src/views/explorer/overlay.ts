/**
 * What the panes lay over the events: what an edit would make fall, or what a replay made of each event.
 *
 * Invariant: a mark is a sign, a word and a look together, never a hue alone; what an overlay does not know has no mark. Pure: made from
 * the preview or from the marks of a branch, so that graph, transcript, timeline and inspector cannot disagree.
 */
import type { EventId } from '../../core/model/index.ts';
import type { BranchMark, BranchMarks } from '../../core/projections/trace-reader.ts';
import type { ReplayReason } from '../../core/replay/reason.ts';
import type { Preview, PreviewStatus } from '../../data/index.ts';
import type { BranchStatus } from '../../ui/Chip.tsx';
import { type FallTag, fallTags, fallenToSentence, fallsInside, itemToTag } from '../../ui/fall-words.ts';
import { countOf } from '../../ui/format.ts';
import { reasonToWords, reasonsToSteps } from '../../ui/reason-words.ts';

export interface Mark {
  readonly sign: BranchStatus;
  readonly word: string;
  readonly meaning: string;
  readonly look: 'edited' | 'fallen' | 'maybe' | 'kept' | 'new' | 'open';
}

export interface OverlayGroup {
  readonly mark: Mark;
  /** Those that can be stepped through: of a very long run not all. */
  readonly events: readonly EventId[];
  readonly count: number;
}

export interface Overlay {
  readonly kind: 'preview' | 'branch' | 'parent';
  /** Of a preview: what falls, counted as everywhere. */
  readonly sentence?: string;
  readonly markOf: (event: EventId | undefined) => Mark | undefined;
  /** From the event towards the edit, nearest first. */
  readonly reasonsOf: (event: EventId) => readonly ReplayReason[];
  /**
   * By mark, in the order in which it is told. Of a preview every event of the branch is in one group; of a branch what it inherits is in
   * none, and bears a tick alone.
   */
  readonly groups: readonly OverlayGroup[];
}

const previewMarks: Readonly<Record<PreviewStatus | 'inside', Mark>> = {
  edited: { sign: 'superseded', word: 'edited', meaning: 'What would be different.', look: 'edited' },
  falls: {
    sign: 'removed',
    word: 'falls',
    meaning: 'It depends on the edit, by what the records say they used.',
    look: 'fallen',
  },
  'may-fall': { sign: 'suspect', word: 'may fall', meaning: 'It was only informed by what falls.', look: 'maybe' },
  unknown: {
    sign: 'unknown',
    word: 'unknown',
    meaning: 'It, or what it used, declares nothing that it used: the trace cannot say what becomes of it.',
    look: 'maybe',
  },
  inside: { sign: 'changed', ...fallsInside, look: 'new' },
  stands: { sign: 'reused', word: 'stands', meaning: 'It does not depend on the edit.', look: 'kept' },
};

const branchMarks: Readonly<Record<BranchMark['status'], Mark>> = {
  reused: { sign: 'reused', word: 'reused', meaning: 'The branch kept it as it was recorded.', look: 'kept' },
  superseded: { sign: 'superseded', word: 'superseded', meaning: 'The edit replaces its value.', look: 'edited' },
  changed: { sign: 'changed', word: 'changed', meaning: 'It came out differently on the branch.', look: 'new' },
  inserted: {
    sign: 'inserted',
    word: 'inserted',
    meaning: 'What the branch was made from has nothing in its place.',
    look: 'new',
  },
  removed: { sign: 'removed', word: 'removed', meaning: 'The branch no longer asks for it.', look: 'fallen' },
  'not reached': {
    sign: 'not reached',
    word: 'not reached',
    meaning: 'The branch has not come that far: nothing is known of it yet.',
    look: 'maybe',
  },
  suspect: {
    sign: 'suspect',
    word: 'suspect',
    meaning: 'What it read may have been changed by the edit.',
    look: 'maybe',
  },
  pending: { sign: 'pending', word: 'pending', meaning: 'It needs an outcome that no record has.', look: 'open' },
  open: {
    sign: 'not reached',
    word: 'open',
    meaning: 'It was asked for, and the run ended on the branch before it was answered.',
    look: 'open',
  },
  uncertain: {
    sign: 'uncertain',
    word: 'uncertain',
    meaning: 'It was sent, and no record says whether it was executed.',
    look: 'open',
  },
  'orphan effect': {
    sign: 'orphan effect',
    word: 'orphan effect',
    meaning: 'The world has it; the branch did not ask for it. It cannot be taken back by a replay.',
    look: 'edited',
  },
};

const inherited: Mark = {
  sign: 'reused',
  word: 'inherited',
  meaning: 'The branch has it from what it was made from, as it was recorded.',
  look: 'kept',
};

/** On the original an event that came out differently is one that gave way. */
const parentLooks: Partial<Readonly<Record<BranchMark['status'], Mark['look']>>> = { changed: 'fallen' };

/** Events of the branch that is shown: the first of them by id, and how many there are. */
export interface ListedEvents {
  readonly ids: readonly EventId[];
  readonly total: number;
}

export function previewToOverlay(
  { items, events, holding }: Pick<Preview, 'items' | 'events' | 'holding'>,
  all: ListedEvents,
): Overlay {
  const steps = new Map<EventId, { readonly status?: PreviewStatus; readonly because?: ReplayReason }>(
    [...holding, ...events].map((one) => [one.event, one]),
  );
  const isHolding = new Set<string>(holding.map(({ event }) => event));
  const tagOf = (event: EventId) => itemToTag({ event, status: steps.get(event)?.status ?? 'stands' }, isHolding);
  const members = new Map<FallTag, EventId[]>(fallTags.map((tag) => [tag, []]));
  for (const event of new Set([...steps.keys(), ...all.ids])) members.get(tagOf(event))?.push(event);
  return {
    kind: 'preview',
    // An edit that equals the record is none, and nothing is supposed.
    ...(events.length === 0 ? {} : { sentence: fallenToSentence({ items, events, holding }) }),
    markOf: (event) => {
      return event === undefined ? undefined : previewMarks[tagOf(event)];
    },
    reasonsOf: (event) => {
      const out: ReplayReason[] = [];
      const seen = new Set<EventId>([event]);
      for (let step = steps.get(event)?.because; step !== undefined; step = steps.get(step.event)?.because) {
        out.push(step);
        if (seen.has(step.event)) break;
        seen.add(step.event);
      }
      return out;
    },
    groups: fallTags.flatMap((tag) => {
      const list = members.get(tag) ?? [];
      // What is not listed by id stands: everything else is named by the preview.
      const count = tag === 'stands' ? Math.max(list.length, all.total - steps.size) : list.length;
      return list.length === 0 ? [] : [{ mark: previewMarks[tag], events: list, count }];
    }),
  };
}

const branchOrder: readonly BranchMark['status'][] = [
  'orphan effect',
  'superseded',
  'changed',
  'inserted',
  'pending',
  'open',
  'suspect',
  'uncertain',
  'removed',
  'not reached',
  'reused',
];

export function marksToOverlay(marks: BranchMarks, side: 'branch' | 'parent'): Overlay {
  const list = side === 'branch' ? marks.onBranch : marks.onParent;
  const toMark = (status: BranchMark['status']): Mark => {
    const look = side === 'parent' ? parentLooks[status] : undefined;
    return look === undefined ? branchMarks[status] : { ...branchMarks[status], look };
  };
  const byEvent = new Map(list.map(({ event, status }) => [event, toMark(status)]));
  return {
    kind: side,
    markOf: (event) => (event === undefined ? undefined : (byEvent.get(event) ?? inherited)),
    reasonsOf: () => [],
    groups: branchOrder.flatMap((status) => {
      const members = list.filter((one) => one.status === status).map(({ event }) => event);
      return members.length === 0 ? [] : [{ mark: toMark(status), events: members, count: members.length }];
    }),
  };
}

/** Steps of a path that are told before the rest is counted. */
const toldSteps = 4;

/** “used “X”, which follows from “Y””. */
export function reasonsToText(reasons: readonly ReplayReason[], titleOf: (event: EventId) => string): string {
  const steps = reasonsToSteps(reasons);
  const told = steps.length <= toldSteps ? steps : [...steps.slice(0, toldSteps - 1), ...steps.slice(-1)];
  return told
    .map(({ event, as }, at) => {
      const skipped =
        steps.length > toldSteps && at === toldSteps - 1
          ? `… ${countOf(steps.length - toldSteps, 'more step')} …, `
          : '';
      return `${skipped}${at === 0 ? '' : 'which '}${reasonToWords(as)} “${titleOf(event)}”`;
    })
    .join(', ');
}
