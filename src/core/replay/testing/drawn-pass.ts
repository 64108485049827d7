/** Records and commands drawn by hand, for tests of rules that need no program: matching and the world. */
import type { JsonValue } from '../../base/json.ts';
import { digest, eventId } from '../../model/index.ts';
import { pathToParts } from '../command-path.ts';
import { finishJournal } from '../journal.ts';
import type { Journal, JournalEntry } from '../journal-types.ts';
import type { PassResult, ReplayCommand } from '../pass-types.ts';

/** `kind` and `name` come from the path. */
export function drawEntry(path: string, args: JsonValue | undefined, rest: Partial<JournalEntry> = {}): JournalEntry {
  const parts = pathToParts(path);
  const [kind = '', name = ''] = parts.label.split(':');
  return {
    path,
    kind,
    name,
    scope: parts.scope,
    label: parts.label,
    index: parts.index,
    argsDigest: args === undefined ? undefined : digest(args),
    args,
    attempts: [],
    observation: { kind: 'ok', value: path },
    issued: '0',
    delivered: '1',
    vt: 0,
    oneEvent: false,
    issueEvent: eventId(`issue ${path}`),
    issueType: '',
    finalEvent: eventId(`final ${path}`),
    finalType: undefined,
    reads: undefined,
    writes: undefined,
    url: undefined,
    causes: [],
    effects: [],
    evidence: [],
    events: [],
    site: undefined,
    agent: undefined,
    alias: undefined,
    due: undefined,
    transition: undefined,
    childRun: false,
    ...rest,
  };
}

export function drawJournal(...entries: readonly JournalEntry[]): Journal {
  return finishJournal(entries, { problems: [], orderAssumed: false, rules: [], replayable: true });
}

export function drawCommand(path: string, args: JsonValue, rest: Partial<ReplayCommand> = {}): ReplayCommand {
  const parts = pathToParts(path);
  const [kind = '', name = ''] = parts.label.split(':');
  return {
    order: 0,
    id: 0,
    path,
    kind,
    name,
    scope: parts.scope,
    label: parts.label,
    index: parts.index,
    args,
    argsDigest: digest(args),
    uses: [],
    selectedBy: undefined,
    step: undefined,
    site: undefined,
    reads: undefined,
    writes: undefined,
    idempotencyKey: undefined,
    orderDependent: false,
    moment: '0',
    vtAtIssue: 0,
    issuedAct: 0,
    match: 'inserted',
    rule: undefined,
    record: undefined,
    issuedPosition: '0',
    pending: undefined,
    delivery: undefined,
    cancelRequested: false,
    differs: false,
    evidence: undefined,
    from: undefined,
    ...rest,
  };
}

export function drawPass(...commands: readonly ReplayCommand[]): PassResult {
  const claimed = commands.filter((command) => command.match === 'claimed');
  return {
    commands,
    claimed: new Map(claimed.map((command) => [command.record?.path ?? '', command])),
    settled: undefined,
    limit: undefined,
    states: [],
    notes: [],
    derivedDraws: [],
    positionMismatch: undefined,
    vt: 0,
    usage: { ticks: 0, commands: 0, bytes: 0 },
  };
}
