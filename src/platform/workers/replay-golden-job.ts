/**
 * Golden cases over stored traces: proposed, pinned, run, written into files and read from them.
 *
 * Invariant: what is pinned was seen to hold (core/golden L1), nothing is sent, and every act is in the access log. The branch that
 * produced a result is stored like that of any replay, where another program than the recorded one ran. Called by the replay worker, which
 * loads it when it is first asked for.
 */
import { rules, streamAudit } from '../../core/audit/index.ts';
import { parseLossless } from '../../core/base/lossless.ts';
import { type Result, err, ok } from '../../core/base/result.ts';
import {
  type Golden,
  type GoldenResult,
  type PinRequest,
  goldenToJson,
  parseGolden,
  pinGolden,
  runGolden,
  sliceTrace,
} from '../../core/golden/index.ts';
import { type HindcastEvent, branchId, digest, eventToLine } from '../../core/model/index.ts';
import type { ReplayRequest as EngineRequest } from '../../core/replay/replay-plan.ts';
import { type NamedText, isZip, textsToZip, zipToTexts } from '../files/zip.ts';
import {
  type StoredGolden,
  type TraceId,
  addBranch,
  deleteGolden,
  listGoldens,
  readSettings,
  recordAct,
  saveGolden,
} from '../storage/index.ts';
import { createCountedSandbox } from './counted-sandbox.ts';
import { openedToEvents } from './replay-input.ts';
import type {
  GoldenCase,
  GoldenFile,
  GoldenPinAsk,
  GoldenPlace,
  GoldenProposal,
  GoldenRunAnswer,
  GoldenRunAsk,
  GoldenRunProgress,
  GoldenVerdict,
} from './replay-golden-methods.ts';
import { type ReplayDeps, createReporter, defaultPatience, personToAuthor } from './replay-job.ts';
import type { ReplayFailure } from './replay-methods.ts';
import { settleProgram } from './replay-set-job.ts';
import type { CallContext } from './server.ts';

const streamName = 'trace.hindcast.jsonl';
const goldenName = 'golden.json';

function refused(message: string): Result<never, ReplayFailure> {
  return err({ code: 'refused', message });
}

export async function readGoldens({ library }: Pick<ReplayDeps, 'library'>): Promise<readonly GoldenCase[]> {
  return (await listGoldens(library)).flatMap(storedToCase);
}

/** One that this version cannot read is left where it is and not listed. */
function storedToCase({ golden, ...rest }: StoredGolden): readonly GoldenCase[] {
  const parsed = parseGolden(golden);
  return parsed.ok ? [{ ...rest, golden: parsed.value }] : [];
}

type PinBase = Pick<PinRequest, 'events' | 'sandbox' | 'author' | 'audit' | 'stream' | 'shouldStop' | 'run' | 'branch'>;

async function placeToPin(
  deps: ReplayDeps,
  { trace, run, branch }: GoldenPlace,
  signal: AbortSignal,
): Promise<Result<PinBase, ReplayFailure>> {
  const opened = await deps.opener.open(trace);
  if (!opened.ok) return opened;
  const { person } = await readSettings(deps.library.db);
  const started = deps.ticks();
  return ok({
    events: openedToEvents(opened.value),
    sandbox: await deps.loadSandbox(),
    author: personToAuthor(person, deps.library.now()),
    audit: streamAudit,
    stream: streamName,
    branch,
    shouldStop: () => signal.aborted || deps.ticks() - started > defaultPatience,
    ...(run === undefined ? {} : { run }),
  });
}

export async function proposeGolden(
  deps: ReplayDeps,
  place: GoldenPlace,
  { signal }: CallContext<undefined>,
): Promise<Result<GoldenProposal, ReplayFailure>> {
  const base = await placeToPin(deps, place, signal);
  if (!base.ok) return base;
  const pinned = await pinGolden({ ...base.value, name: 'proposal' });
  if (!pinned.ok) return refused(pinned.error);
  const found = new Set(streamAudit.findingsOf(base.value.events, place.branch).map(({ rule }) => rule));
  return ok({
    properties: pinned.value.golden.properties,
    // A notice says what was never recorded; nothing a program does can break that.
    invariants: rules
      .filter(({ id, severity }) => severity !== 'notice' && !found.has(id))
      .map(({ id, title }) => ({ rule: id, title })),
  });
}

export async function pinCase(
  deps: ReplayDeps,
  ask: GoldenPinAsk,
  { signal }: CallContext<undefined>,
): Promise<Result<GoldenCase, ReplayFailure>> {
  const base = await placeToPin(deps, ask, signal);
  if (!base.ok) return base;
  const { name, reason, properties, exempt, trace } = ask;
  const pinned = await pinGolden({
    ...base.value,
    name,
    properties,
    exempt,
    ...(reason === undefined || reason.trim() === '' ? {} : { reason: reason.trim() }),
  });
  return pinned.ok ? ok(await keep(deps, pinned.value.golden, trace, 'Pinned')) : refused(pinned.error);
}

export function addCase(deps: Pick<ReplayDeps, 'library'>, golden: Golden, trace: TraceId): Promise<GoldenCase> {
  return keep(deps, golden, trace, 'Brought');
}

/** The same case twice is one. */
async function keep(
  { library }: Pick<ReplayDeps, 'library'>,
  golden: Golden,
  trace: TraceId,
  verb: string,
): Promise<GoldenCase> {
  const json = goldenToJson(golden);
  const id = digest(json).slice('sha256:'.length, 'sha256:'.length + 16);
  const detail = `${verb} golden case "${golden.name}": ${golden.properties.length} properties of ${golden.branch}, set ${golden.set}.`;
  await saveGolden(library, { id, trace, golden: json }, detail);
  return { id, trace, golden, created: library.now().toISOString() };
}

export async function removeCase(
  { library }: Pick<ReplayDeps, 'library'>,
  { id, golden }: Pick<GoldenCase, 'id' | 'golden'>,
): Promise<undefined> {
  await deleteGolden(library, id, `Removed golden case "${golden.name}". Its record stays.`);
  return undefined;
}

export async function runCases(
  deps: ReplayDeps,
  { cases, program }: GoldenRunAsk,
  context: CallContext<GoldenRunProgress>,
): Promise<Result<GoldenRunAnswer, ReplayFailure>> {
  const results: Record<string, GoldenVerdict | { readonly problem: string }> = {};
  let done = 0;
  const report = createReporter(deps.ticks, (commands) => context.progress({ done, commands }));
  for (const one of cases) {
    context.progress({ done, commands: 0 });
    const base = await placeToPin(deps, { trace: one.trace, branch: branchId(one.golden.branch) }, context.signal);
    if (base.ok) {
      const sandbox = createCountedSandbox(base.value.sandbox, report);
      results[one.id] = await runCase(deps, one, { ...base.value, sandbox }, program);
    } else results[one.id] = { problem: base.error.message };
    done += 1;
  }
  return ok({ results });
}

async function runCase(
  { library }: ReplayDeps,
  { golden, trace }: GoldenCase,
  { events, sandbox, author, audit, shouldStop }: PinBase,
  text: string | undefined,
): Promise<GoldenVerdict | { readonly problem: string }> {
  const request: EngineRequest = {
    events,
    run: golden.run,
    base: golden.branch,
    sandbox,
    author,
    ...(shouldStop === undefined ? {} : { shouldStop }),
  };
  const program = text === undefined ? undefined : await settleProgram({ ...request, program: { source: text } });
  const ran = await runGolden({
    golden,
    events,
    sandbox,
    author,
    audit,
    ...(shouldStop === undefined ? {} : { shouldStop }),
    ...(program === undefined ? {} : { program }),
  });
  if (!ran.ok) return { problem: ran.error };
  const { lines, ...verdict } = ran.value;
  const sentence = verdictToSentence(ran.value);
  if (verdict.program.after === verdict.program.before || lines.length === 0) {
    await recordAct(library, { what: 'replay', detail: sentence, trace });
    return { ...verdict, stored: false };
  }
  const { branch, result } = verdict;
  const label = `Golden case "${golden.name}"`;
  const added = await addBranch(
    library,
    { trace, branch, label, status: result, lines: lines.map(eventToLine) },
    { what: 'replay', detail: sentence, trace },
  );
  return added.ok ? { ...verdict, stored: true } : { ...verdict, stored: false, notStored: added.error.message };
}

function verdictToSentence({ name, passes, counts, program }: GoldenResult): string {
  return `Golden case "${name}" against program ${program.after}: ${passes ? 'passes' : 'fails'}, ${counts.holds} hold, ${counts.broken} broken, ${counts['not-decided']} not decided, ${counts.exempt} exempt.`;
}

export async function exportCases(
  { library, opener }: ReplayDeps,
  cases: readonly GoldenCase[],
): Promise<Result<Blob, ReplayFailure>> {
  const texts: NamedText[] = [];
  const folders = new Set<string>();
  for (const { golden, trace, id } of cases) {
    const opened = await opener.open(trace);
    if (!opened.ok) return opened;
    const events = openedToEvents(opened.value);
    const slice = sliceTrace(events, golden.run, golden.branch);
    if (slice === undefined)
      return refused(
        `The branch ${golden.branch} of "${golden.name}" is no longer in the library, so it cannot be written.`,
      );
    const named = golden.name.replace(/[^\p{L}\p{N}._-]+/gu, '-');
    const folder = folders.has(named) ? `${named}-${id}` : named;
    folders.add(folder);
    const lines = slice.map((position) => `${lineAt(events, position)}\n`);
    texts.push({ path: `${folder}/${golden.stream}`, text: lines.join('') });
    texts.push({ path: `${folder}/${goldenName}`, text: `${JSON.stringify(goldenToJson(golden), undefined, 2)}\n` });
    await recordAct(library, { what: 'export', detail: `Wrote golden case "${golden.name}" into a file.`, trace });
  }
  return ok(new Blob([textsToZip(texts)], { type: 'application/zip' }));
}

function lineAt(events: readonly HindcastEvent[], position: number): string {
  const event = events[position];
  return event === undefined ? '' : eventToLine(event);
}

export async function readCases(
  files: readonly { readonly path: string; readonly blob: Blob }[],
): Promise<Result<readonly GoldenFile[], ReplayFailure>> {
  const texts = new Map<string, string>();
  for (const { path, blob } of files) {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    if (!isZip(bytes)) {
      texts.set(path, new TextDecoder().decode(bytes));
      continue;
    }
    const unpacked = zipToTexts(bytes, (name) => /\.jsonl?$/.test(name));
    if (!unpacked.ok) return refused(`${path}: ${unpacked.error}`);
    for (const one of unpacked.value) texts.set(`${path}/${one.path}`, one.text);
  }
  const found: GoldenFile[] = [];
  for (const [path, text] of texts) {
    if (!path.endsWith('.json')) continue;
    const golden = textToGolden(text);
    if (!golden.ok) return refused(`${path}: ${golden.error}`);
    const beside = `${path.slice(0, path.lastIndexOf('/') + 1)}${golden.value.stream}`;
    const stream = texts.get(beside);
    if (stream === undefined)
      return refused(`${path} names ${golden.value.stream} as its record; choose that file together with it.`);
    found.push({ golden: golden.value, stream: new Blob([stream]) });
  }
  if (found.length > 0) return ok(found);
  return refused(
    `There is no golden case in what was chosen. A case is a ${goldenName} with its stream beside it, or an archive of such folders.`,
  );
}

function textToGolden(text: string): Result<Golden, string> {
  const value = parseLossless(text.replace(/^\uFEFF/, ''));
  if (!value.ok) return err(`it is not JSON: ${value.error.message}, at character ${String(value.error.at + 1)}.`);
  return parseGolden(value.value);
}
