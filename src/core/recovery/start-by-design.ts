/**
 * What a later start of a run has otherwise than the first by the design of the trial: the program, where another one is deployed on
 * purpose, and time and input of a later segment, which the run itself has carried over.
 *
 * Invariant: a design is what the records of the trial say, never its name; and each value is excused by another record that tells the
 * same value. Called by leaks.ts.
 */
import { isJsonObject, type JsonValue } from '../base/json.ts';
import { canon, type HindcastEvent } from '../model/index.ts';
import type { Life } from '../projections/effects/lives.ts';
import { isRedeployed } from './settings.ts';
import { textIn, type TrialRecords } from './trial-records.ts';

type IsByDesign = (path: string, value: JsonValue) => boolean;

export function createDesigned(trial: TrialRecords, first: HindcastEvent, later: HindcastEvent): IsByDesign {
  const isOther = isOtherProgram(trial, first, later);
  const carried = carriedTo(trial, later);
  return (path, value) => (isOther && programMembers.test(path)) || carried.get(path) === canon(value);
}

/** What one program has otherwise than another of its name. */
const programMembers = /^program\.(?:version|digest|source|api|language)$/;

/** The harness deployed another version for this life than for the first, and that one ran. */
function isOtherProgram(trial: TrialRecords, first: HindcastEvent, later: HindcastEvent): boolean {
  const { design } = trial.data;
  if (design === undefined ? !isRedeployed(trial) : design !== 'redeploy') return false;
  const [was, is] = [first, later].map((event) => deployedTo(trial, trial.ledger.lives.of(event)));
  const ran = later.type === 'run.started' ? textIn(later.data.program, 'version') : undefined;
  return is !== undefined && was !== undefined && is !== was && (ran === undefined || ran === is);
}

function deployedTo(trial: TrialRecords, life: Life | undefined): string | undefined {
  if (life === undefined) return undefined;
  const spawned = trial.ofType('worker.spawned').find((event) => announces(event, life));
  return textIn(spawned?.data.versions, 'program');
}

/** Whether the record of a start is that of this life. */
export function announces(spawned: HindcastEvent, life: Life): boolean {
  const isCause = life.started?.causes?.some(({ event }) => event === spawned.id) === true;
  const worker = spawned.data?.['worker'];
  return isCause || (life.incarnation !== undefined && textIn(worker, 'incarnation') === life.incarnation);
}

/** By the roll-over that led to this segment: a segment begins when the one before it ended, with what that one left. */
function carriedTo(trial: TrialRecords, { causes, data }: HindcastEvent): ReadonlyMap<string, string> {
  const rolled = trial
    .ofType('run.rolled_over')
    .find(
      (event) => causes?.some((cause) => cause.event === event.id) === true && isInto(event, textIn(data, 'segment')),
    );
  const values: readonly (readonly [string, JsonValue | undefined])[] = [
    ['input', rolled?.data.carried],
    ['start', jsonIn(rolled?.data, 'at')],
  ];
  return new Map(values.flatMap(([path, value]) => (value === undefined ? [] : [[path, canon(value)] as const])));
}

function jsonIn(data: unknown, name: string): JsonValue | undefined {
  return isJsonObject(data) ? data[name] : undefined;
}

function isInto({ data }: HindcastEvent, segment: string | undefined): boolean {
  return segment !== undefined && textIn(data?.['next'], 'segment') === segment;
}
