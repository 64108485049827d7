/**
 * What became of a branch, in one sentence: whether its replay came to its end, and what is decided on it otherwise than on what it was made
 * from. It stands before what follows from it outside.
 *
 * Invariant: words of the branch's own records alone; a choice of which anything is withheld is not held against another.
 */
import { type JsonValue, isJsonArray } from '../../base/json.ts';
import { nameToShown } from '../../base/shown-text.ts';
import { containsHole } from '../../base/withheld.ts';
import { memberOf, textAt } from '../../causal/index.ts';
import { mainBranch } from '../../model/index.ts';
import { pathToName } from '../branch-labels.ts';
import { listToText } from '../effects/words.ts';
import { valueToText } from '../title-words.ts';
import type { HeadlineSpan } from '../trace-reader.ts';
import type { TraceView } from '../trace-view.ts';
import { linked, linkedList, plain } from './spans.ts';

const decisionsTold = 3;
const waitsTold = 2;
/** Decisions of which more are not held against each other one by one. */
const decisionsRead = 5000;

/** Undefined for what no replay made. */
export function viewToBranchFact(view: TraceView): readonly HeadlineSpan[] | undefined {
  if (view.branch === mainBranch) return undefined;
  const end = view.ofType('replay.completed', 'replay.diverged').findLast((position) => isOwn(view, position));
  if (end === undefined) return undefined;
  const status = view.index.type(end) === 'replay.diverged' ? 'diverged' : textAt(view.data(end), 'status');
  return [plain(`${endToWords(view, end, status)}.`), ...decidedOtherwise(view, status === 'complete')];
}

function isOwn({ index, branch }: TraceView, position: number): boolean {
  return index.branch(position) === branch;
}

function endToWords(view: TraceView, end: number, status: string | undefined): string {
  switch (status) {
    case 'blocked':
      return `This branch ${waitsToWords(memberOf(view.data(end), 'blocked'))}`;
    case 'diverged':
      return 'This branch does not fit the record any more, and was left there';
    case 'limit':
      return 'The replay of this branch was stopped at a limit';
    case 'aborted-by-host':
      return 'The replay of this branch was cancelled before its end';
    default:
      return view.ofType('run.failed').some((position) => isOwn(view, position))
        ? 'This branch comes to its end, and fails there'
        : 'This branch completes';
  }
}

/** "waits for answers to a, b and 2 more". */
function waitsToWords(blocked: JsonValue | undefined): string {
  const paths = (isJsonArray(blocked) ? blocked : []).flatMap((one) => textAt(one, 'path') ?? []);
  if (paths.length === 0) return 'waits for answers';
  const names = paths.map((path) => nameToShown(pathToName(path)));
  return `waits for ${names.length === 1 ? 'an answer' : 'answers'} to ${listToText(names, waitsTold)}`;
}

/** “new” instead of “old” (name), each linked to the decision. */
function decidedOtherwise(view: TraceView, isWhole: boolean): readonly HeadlineSpan[] {
  const decisions = view.ofType('decision.made').slice(0, decisionsRead);
  const own = decisions.filter((position) => isOwn(view, position));
  const told = own.flatMap((position) => decisionToSpan(view, position) ?? []);
  if (told.length > 0) return [plain(' It decides '), ...linkedList(told, decisionsTold), plain('.')];
  const isKnown = own.every((position) => !containsHole(chosenAt(view, position)));
  return isWhole && isKnown && decisions.length > 0 ? [plain(' Every decision is as before.')] : [];
}

function decisionToSpan(view: TraceView, position: number): HeadlineSpan | undefined {
  const before = view.index.supersedes(position);
  const [now, then] = [chosenAt(view, position), before < 0 ? undefined : chosenAt(view, before)];
  if (now === undefined || containsHole(now) || (then !== undefined && containsHole(then))) return undefined;
  const [text, was] = [valueToText(now, 40), then === undefined ? '' : ` instead of “${valueToText(then, 40)}”`];
  if (then !== undefined && JSON.stringify(now) === JSON.stringify(then)) return undefined;
  const name = view.event(position).command?.name;
  const where = name === undefined ? '' : ` (${nameToShown(name)})`;
  return linked(`“${text}”${was}${where}`, view.index.id(position));
}

/** What control code went on with. */
function chosenAt(view: TraceView, position: number): JsonValue | undefined {
  const data = view.data(position);
  return memberOf(data, 'result') ?? memberOf(data, 'chosen') ?? memberOf(memberOf(data, 'args'), 'chosen');
}
