/**
 * What a recorded run gives to a simulation: program, input, and for each command what was asked and what came of it.
 *
 * Invariant: read once, never changed. Used by the worker and the world.
 */
import { type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { type Result, err, ok } from '../base/result.ts';
import type { HindcastEvent } from '../model/index.ts';
import { computeInhabitedScopes } from '../replay/child-runs.ts';
import { type Contents, type JournalEntry, type RunInfo, readBase } from '../replay/index.ts';

export interface Recorded {
  readonly run: string;
  readonly program: string;
  /** Of the first segment. */
  readonly info: RunInfo;
  /** How the whole run ended: of the last segment. */
  readonly outcome: RunInfo['outcome'];
  readonly input: JsonValue;
  readonly entries: ReadonlyMap<string, JournalEntry>;
  /** Scopes in which something is recorded. */
  readonly inhabited: ReadonlySet<string>;
  readonly contents: Contents;
  /** Texts that decisions choose among. */
  readonly labels: ReadonlySet<string>;
  readonly effectIds: ReadonlySet<string>;
  /** What the stream declares of each tool about idempotency keys; a tool that is absent declares nothing. */
  readonly honoursKeys: ReadonlyMap<string, boolean>;
}

export function readRecorded(
  events: readonly HindcastEvent[],
  run: string | undefined,
  branch = 'main',
): Result<Recorded, string> {
  const base = readBase(events, run, branch);
  if (!base.ok) return base;
  const { infos, journals, contents } = base.value;
  const [info] = infos;
  const program = info?.program.source;
  if (info?.program.withheld === true)
    return err('The control program is withheld in this copy, so no worker can be simulated.');
  if (info === undefined || program === undefined)
    return err('The stream carries no control program, so no worker can be simulated.');
  if (info.input === undefined) return err('The input of the run is not in the stream, so no worker can be simulated.');
  if (branch !== 'main' && infos.at(-1)?.outcome === undefined)
    return err('The branch waits for answers and has no end, so no worker can be simulated. Supply them first.');
  const blocking = journals.find((journal) => !journal.replayable)?.problems[0];
  if (blocking !== undefined) return err(blocking.message);
  const entries = new Map<string, JournalEntry>();
  for (const journal of journals) for (const entry of journal.entries) entries.set(entry.path, entry);
  const lacking = [...entries.values()].find(
    ({ kind, observation }) => kind === 'draw' && !(observation.kind === 'ok' && typeof observation.value === 'number'),
  );
  if (lacking !== undefined)
    return err(
      `The time or random number at ${lacking.path} is withheld or not recorded, so no worker can be simulated.`,
    );
  return ok({
    run: base.value.run,
    program,
    info,
    outcome: infos.at(-1)?.outcome,
    input: info.input,
    entries,
    inhabited: computeInhabitedScopes([...entries.values()]),
    contents,
    labels: new Set([...entries.values()].flatMap(entryToLabels)),
    effectIds: new Set([...entries.values()].flatMap(({ effects }) => effects.flatMap(({ id }) => id ?? []))),
    honoursKeys: readKeyPolicies(events),
  });
}

function entryToLabels({ kind, args }: JournalEntry): readonly string[] {
  if (kind !== 'decide' || !isJsonObject(args)) return [];
  const { chosen, alternatives } = args;
  const all = [chosen, ...(isJsonArray(alternatives) ? alternatives : [])];
  return all.filter((label) => typeof label === 'string');
}

function readKeyPolicies(events: readonly HindcastEvent[]): ReadonlyMap<string, boolean> {
  const policies = new Map<string, boolean>();
  for (const event of events) {
    if (event.type !== 'stream.declared') continue;
    for (const { name, idempotency } of event.data.tools ?? [])
      if (idempotency?.honoured !== undefined) policies.set(name, idempotency.honoured);
  }
  return policies;
}
