/**
 * The analysis of recovery trials over traces of the library.
 *
 * Invariant: each trace is judged as it was opened; what replays added to it is no record of a trial. A trace without a trial is not
 * read: its index says which types of records it has. Called by the library worker.
 */
import { isJsonObject, type JsonObject } from '../../core/base/json.ts';
import { parseLossless } from '../../core/base/lossless.ts';
import { type Result, err, ok } from '../../core/base/result.ts';
import { columnsVersion } from '../../core/causal/index.ts';
import type { HindcastEvent } from '../../core/model/index.ts';
import type {
  Claim,
  LedgerFile,
  RecoveryOptions,
  RecoveryReport,
  RecoveryTrace,
  TrialReport,
} from '../../core/recovery/index.ts';
import {
  createBody,
  type LibraryContext,
  listRuns,
  type ReadSlice,
  readTraceParts,
  type StoredTraceParts,
  type TraceId,
} from '../storage/index.ts';
import {
  type RecoveryAnswer,
  type RecoveryFailure,
  type RecoveryMethods,
  type RecoveryRequest,
  trialType,
} from './recovery-methods.ts';
import type { Handlers } from './server.ts';
import { storedLineToEvent } from './stored-source.ts';

/** Files of this format without a trial are engines' own tables, or streams of which the trial stands in another trace. */
const tableFormat = 'recovery-lab';

interface Facts {
  readonly hasTrial: boolean;
  readonly mayHoldTables: boolean;
  readonly runs: readonly string[];
}

interface Read {
  readonly key: string;
  readonly traces: readonly RecoveryTrace[];
  readonly judged: RecoveryAnswer['judged'];
  readonly notRead: RecoveryAnswer['notRead'];
}

export function createRecoveryHandlers(library: LibraryContext, readSlice: ReadSlice): Handlers<RecoveryMethods> {
  /** A trace is named by its content, so what it holds never changes. */
  const known = new Map<TraceId, Facts>();
  /** The events of the last question: a claim is judged over the same trials again. */
  let last: Read | undefined;

  async function factsOf(id: TraceId): Promise<Result<Facts, string>> {
    const found = known.get(id);
    if (found !== undefined) return ok(found);
    const parts = await readTraceParts(library, id, columnsVersion);
    if (!parts.ok) return err(parts.error.message);
    const runs = await listRuns(library, id);
    const facts = {
      hasTrial: holdsTrial(parts.value),
      mayHoldTables: parts.value.trace.format === tableFormat,
      runs: runs.map(({ run }) => run),
    };
    known.set(id, facts);
    return ok(facts);
  }

  /** Without an index of this version the lines are searched. */
  function holdsTrial(parts: StoredTraceParts): boolean {
    if (parts.index !== undefined) return parts.index.columns.types.includes(trialType);
    return partsToEvents(parts).some(({ type }) => type === trialType);
  }

  function partsToEvents({ chunks }: StoredTraceParts): readonly HindcastEvent[] {
    const body = createBody(chunks, { readSlice });
    return Array.from({ length: body.count }, (_, position) => storedLineToEvent(body.line(position)));
  }

  async function read(ids: readonly TraceId[]): Promise<Read> {
    const key = ids.join('\n');
    if (last?.key === key) return last;
    const notRead: { readonly id: TraceId; readonly message: string }[] = [];
    const facts = new Map<TraceId, Facts>();
    for (const id of ids) {
      const one = await factsOf(id);
      if (one.ok) facts.set(id, one.value);
      else notRead.push({ id, message: one.error });
    }
    const trialRuns = new Set([...facts.values()].flatMap(({ hasTrial, runs }) => (hasTrial ? runs : [])));
    const traces: RecoveryTrace[] = [];
    const judged: TraceId[] = [];
    for (const [id, { hasTrial, mayHoldTables, runs }] of facts) {
      if (!hasTrial && !mayHoldTables && !runs.some((run) => trialRuns.has(run))) continue;
      const parts = await readTraceParts(library, id, columnsVersion);
      if (!parts.ok) {
        notRead.push({ id, message: parts.error.message });
        continue;
      }
      traces.push({ name: id, events: partsToEvents(parts.value), problems: parts.value.problems });
      judged.push(id);
    }
    last = { key, traces, judged, notRead };
    return last;
  }

  return {
    recovery: async (_context, request) => {
      // Loaded when first asked for: most pages never judge a trial.
      const { analyseRecovery, textToClaim, textToLedger } = await import('../../core/recovery/index.ts');
      const options = readOptions(request, textToClaim, textToLedger);
      if (!options.ok) return options;
      const { traces, judged, notRead } = await read(request.traces);
      const report = analyseRecovery(traces, options.value);
      return ok({
        report,
        judged,
        leftOut: request.traces.length - judged.length - notRead.length,
        notRead,
        places: placesOf(report, traces),
      });
    },
  };
}

type ParseClaim = (text: string) => Result<Claim, string>;
type ParseLedger = (name: string, text: string) => Result<LedgerFile, string>;

function readOptions(
  { claim, present, ledger }: RecoveryRequest,
  parseClaim: ParseClaim,
  parseLedger: ParseLedger,
): Result<RecoveryOptions, RecoveryFailure> {
  const parsed = claim === undefined ? undefined : parseClaim(claim);
  if (parsed?.ok === false) return err({ code: 'claim', message: parsed.error });
  const today = textToEnvelope(present);
  if (!today.ok) return err({ code: 'envelope', message: today.error });
  const kept = ledger === undefined ? undefined : parseLedger(ledger.name, ledger.text);
  if (kept?.ok === false) return err({ code: 'ledger', message: kept.error });
  return ok({ claim: parsed?.value, present: today.value, ledger: kept?.value });
}

function textToEnvelope(text: string | undefined): Result<JsonObject | undefined, string> {
  if (text === undefined) return ok(undefined);
  const parsed = parseLossless(text.replace(/^\uFEFF/, ''));
  if (!parsed.ok) return err(`The envelope is not JSON: ${parsed.error.message}, at character ${parsed.error.at + 1}.`);
  return isJsonObject(parsed.value) ? ok(parsed.value) : err('The envelope cannot be used: it is no JSON object.');
}

function placesOf({ campaigns, engines }: RecoveryReport, traces: readonly RecoveryTrace[]): RecoveryAnswer['places'] {
  // Maps: an event or a run may be called like a member that every object has.
  const places = new Map<string, Readonly<Record<string, TraceId>>>();
  for (const { id, traces: names } of campaigns.flatMap((campaign): readonly TrialReport[] => campaign.trials)) {
    if (names.length < 2) continue;
    const own = new Map<string, TraceId>();
    for (const { name, events } of traces) {
      if (!names.includes(name)) continue;
      // Cast: the names given to the analysis are ids of the library.
      for (const event of events) if (!own.has(event.id)) own.set(event.id, name as TraceId);
    }
    places.set(id, Object.fromEntries(own));
  }
  for (const { engine, run, steps, operations, notes, statusEvents } of engines.runs) {
    const wanted = new Set([steps, operations, notes].flatMap((list) => list.flatMap(({ events }) => events)));
    for (const event of statusEvents) wanted.add(event);
    const own = new Map<string, TraceId>();
    for (const { name, events } of traces) {
      // Cast: as above.
      for (const event of events) if (wanted.has(event.id) && !own.has(event.id)) own.set(event.id, name as TraceId);
    }
    places.set(`${engine} ${run}`, Object.fromEntries(own));
  }
  return Object.fromEntries(places);
}
