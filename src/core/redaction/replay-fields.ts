/**
 * Fields of the lines that a replay writes, for redaction. An operation quotes what it changed: each part falls under the class of the
 * command it is for, and nothing of it leaves because its program does.
 */
import { createTable } from '../base/table.ts';
import { commandKinds } from '../model/index.ts';
import { modelCall, programText } from './call-fields.ts';
import {
  type Fields,
  count,
  environment,
  flag,
  listOf,
  name,
  object,
  position,
  references,
  standIn,
  value,
  words,
} from './rules.ts';

const replacement = object({
  path: references,
  record: references,
  replacement: { is: 'replacement' },
  evidence: references,
  from: object({
    origin: words('other-run', 'live'),
    run: name('sessions', 'run'),
    event: name('sessions', 'event'),
    call: object(modelCall),
  }),
  noop: flag,
});

/** What a person asked the replayer to do (`core/replay/operation.ts`), each part by its own class. */
const operation = object({
  op_id: name('sessions', 'operation'),
  kind: words('edit', 'patch', 'verify', 'live'),
  run: references,
  base_branch: name('sessions', 'branch'),
  base_digest: standIn,
  targets: listOf(replacement),
  supplies: listOf(replacement),
  input: object({ value: value('human-input'), digest: { is: 'digest', of: 'value' }, noop: flag }),
  program_before: programText,
  program_after: programText,
  sandbox: environment,
  policies: object({ world: words('strict', 'lenient'), missing: words('pending') }),
  limits: environment,
  flags: environment,
  actor: object({
    id: name('people', 'person'),
    kind: words('human', 'service', 'agent'),
    on_behalf_of: name('people', 'person'),
    privileged_path: name('people', 'privilege'),
  }),
  reason: value('annotations'),
  at: { is: 'moment' },
});

/** How many commands and records of each status. */
const tallies = object(
  Object.fromEntries(
    'commands records reused superseded changed inserted removed suspect pending uncertain cancelled ambiguous unknown open retained valueMissing'
      .split(' ')
      .map((status) => [status, count]),
  ),
);

/** What waits for a value, with the arguments it was asked with. */
const blocked = object({
  path: references,
  kind: words(...commandKinds),
  name: name('names', 'name'),
  reason: words(
    'open',
    'open-in-record',
    'uncertain',
    'suspect',
    'inserted',
    'changed',
    'withheld',
    'value-absent',
    'value-not-recorded',
    'double-claim',
    'waits-inside',
  ),
  args: value('arguments', 'messages', 'decisions', 'states', 'human-input'),
});

/** The sentence names commands and quotes what differs. */
const divergence = object({
  kind: words(
    'extra',
    'missing',
    'args',
    'shifted',
    'moved',
    'ambiguous',
    'order',
    'state',
    'outcome',
    'blocked-early',
    'unconsumed',
    'limit',
    'record',
  ),
  path: references,
  position,
  message: value('errors', 'names', 'arguments', 'messages', 'results', 'decisions', 'states', 'human-input'),
});

/** By event type. */
export const replayFields: Readonly<Record<string, Fields>> = createTable({
  'replay.started': { operation },
  'replay.completed': {
    status: words(
      'complete',
      'blocked',
      'diverged',
      'limit',
      'error',
      'identical',
      'identical-where-recorded',
      'aborted-by-host',
    ),
    counts: tallies,
    digests: standIn,
    blocked: listOf(blocked),
  },
  'replay.diverged': { divergences: listOf(divergence) },
  'observation.reused': {
    path: references,
    event: references,
    rule: words('exact', 'shifted', 'moved', 'unchecked', 'suspect', 'segment', 'M1', 'M2', 'M2b', 'M5'),
    delivered: position,
  },
});
