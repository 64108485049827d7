/**
 * Short forms for the conformance cases: record a program, replay it under an edit, look at the report.
 *
 * With `HINDCAST_REPLAY_CASES=FILE` every replay made here is also appended to that file, with its digests: so the set of all cases is kept in
 * `fixtures/versions/replays` and replayed elsewhere (another host, another page, a later engine).
 */
import { appendFileSync } from 'node:fs';
import { loadSandbox } from '../../../platform/sandbox/node.ts';
import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { type HindcastEvent, parseEvent } from '../../model/index.ts';
import type { Edit, EditFile, Supply } from '../edit-file.ts';
import { runReplay } from '../replay.ts';
import type { ReplayRequest } from '../replay-plan.ts';
import type { ReplayItem, ReplayReport } from '../report-types.ts';
import { type KeptReplay, divergences, reportToDigests } from './kept-replay.ts';

export { divergences };

export const author = { actor: { id: 'ada', kind: 'human' }, at: '2024-01-01T00:00:00Z' } as const;

export interface CaseOptions extends Partial<Omit<ReplayRequest, 'events' | 'edit' | 'program'>> {
  readonly edits?: readonly Edit[];
  readonly supply?: readonly Supply[];
  readonly program?: string;
}

export async function replay(events: readonly HindcastEvent[], options: CaseOptions = {}): Promise<ReplayReport> {
  const result = await tryReplay(events, options);
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

export async function tryReplay(
  events: readonly HindcastEvent[],
  options: CaseOptions = {},
): ReturnType<typeof runReplay> {
  const { edits, supply, program, ...rest } = options;
  const edit: EditFile | undefined =
    edits === undefined && supply === undefined ? undefined : { edits: edits ?? [], supply: supply ?? [] };
  const asked = {
    author,
    ...rest,
    ...(edit === undefined ? {} : { edit }),
    ...(program === undefined ? {} : { program: { source: program } }),
  };
  const made = await runReplay({ events, sandbox: await loadSandbox(), ...asked });
  const file = process.env['HINDCAST_REPLAY_CASES'];
  if (file !== undefined && rest.sandbox === undefined && made.ok) {
    const kept: KeptReplay = { asked, events, expected: reportToDigests(made.value) };
    appendFileSync(file, `${JSON.stringify(kept)}\n`);
  }
  return made;
}

export function paths(items: readonly ReplayItem[]): readonly string[] {
  return items.map((item) => item.path);
}

export function at(events: readonly HindcastEvent[], type: string, path?: string): HindcastEvent {
  const found = events.find((event) => event.type === type && (path === undefined || event.command?.path === path));
  if (found === undefined) throw new Error(`no ${type} at ${path ?? 'any path'}`);
  return found;
}

/** An event with some fields replaced, read through the model like any other. */
export function alter(event: HindcastEvent, fields: Readonly<Record<string, JsonValue>>): HindcastEvent {
  const record: unknown = event;
  if (!isJsonObject(record)) throw new Error('an event is recorded JSON');
  const parsed = parseEvent({ ...record, ...fields });
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}
