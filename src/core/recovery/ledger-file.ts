/**
 * The ledger of an outside service as a file of its own (CSV, JSON or JSON lines): one row for each thing the service did. It is what an
 * engine's own tables are held against; which column was taken for what is said in `basis`.
 *
 * A row whose outcome says that nothing new was done (refused, answered from what was saved) is no execution and is counted apart.
 */
import { err, ok, type Result } from '../base/result.ts';
import { type CutLine, namesOf, type Table, textToTable } from './table-file.ts';

export interface LedgerRow {
  readonly run: string;
  /** The command or step that the service was told, where it was. */
  readonly command: string | undefined;
  /** What was done, in the service's words. */
  readonly operation: string | undefined;
  readonly id: string | undefined;
  readonly key: string | undefined;
  readonly time: string | undefined;
  /** `row 3`, or the id of a record in a stream. */
  readonly event: string;
}

export interface LedgerFile {
  readonly name: string;
  readonly rows: readonly LedgerRow[];
  /** Rows that say that nothing new was done. */
  readonly notExecuted: number;
  readonly basis: string;
  /** Its last line, which is not whole: it may tell of any run that it does not rule out. */
  readonly cut: CutLine | undefined;
  /** Of all rows, of those too that say that nothing new was done. */
  readonly ids: ReadonlySet<string>;
}

/** In the order in which they are looked for: an exact name wins over a looser one. */
const columns = {
  run: /^(?:run|run_?id|workflow_?(?:id|uuid)|execution_?id|invocation_?id|thread_?id|correlation_?id|trace_?id|workflow)$/i,
  command: /^(?:command|path|step|node|function(?:_?name)?|activity(?:_?id)?)$/i,
  operation: /^(?:kind|operation|op|effect|action|tool|method|type)$/i,
  id: /^(?:id|effect_?id|object_?id|reference|ticket(?:_?id)?|message_?id|order_?id|payment_?id|charge_?id)$/i,
  key: /^(?:idempotency_?key|key)$/i,
  time: /^(?:time|at|timestamp|ts|committed_?at|created_?at|wall)$/i,
  outcome: /^(?:status|outcome|result|settled|verdict)$/i,
} as const;
type Column = keyof typeof columns;

const nothingNew =
  /dedup|saved|replayed|refus|reject|fail|error|denied|dropped|not.?executed|conflict|^4\d\d$|^5\d\d$/i;

export function textToLedger(name: string, text: string): Result<LedgerFile, string> {
  const rows = textToTable(text);
  return rows.ok ? rowsToLedger(name, rows.value) : err(`${name}: ${rows.error}`);
}

function rowsToLedger(name: string, { rows, cut }: Table): Result<LedgerFile, string> {
  const names = namesOf(rows);
  const taken = new Map<Column, string>();
  for (const [column, pattern] of Object.entries(columns) as readonly (readonly [Column, RegExp])[]) {
    const found = names.find((one) => pattern.test(one));
    if (found !== undefined) taken.set(column, found);
  }
  if (!taken.has('run'))
    return err(
      `${name} names no run: a ledger needs a column "run" (or "workflow_id", "thread_id", "correlation_id" and the like) to be joined by.`,
    );
  if (!taken.has('command') && !taken.has('operation') && !taken.has('id'))
    return err(`${name} does not say what was done: a ledger needs a column "command", "operation" or "id".`);
  const all = rows.map((row, i) => toLedgerRow(new Map(row), taken, i));
  const ids = new Set(all.flatMap(({ row }) => row.id ?? []));
  const executed = all.filter(({ isExecution, row }) => isExecution && row.run !== '').map(({ row }) => row);
  const read = [...taken].map(([column, one]) => `${column} from "${one}"`).join(', ');
  const basis = cut === undefined ? read : `${read}; line ${cut.line} was cut off as it was written, and is not read`;
  return ok({ name, rows: executed, notExecuted: all.length - executed.length, basis, cut, ids });
}

function toLedgerRow(
  cells: ReadonlyMap<string, string>,
  taken: ReadonlyMap<Column, string>,
  at: number,
): { readonly row: LedgerRow; readonly isExecution: boolean } {
  const cell = (column: Column): string | undefined => {
    const text = cells.get(taken.get(column) ?? '')?.trim() ?? '';
    return text === '' ? undefined : text;
  };
  const row = {
    run: cell('run') ?? '',
    command: cell('command'),
    operation: cell('operation'),
    id: cell('id'),
    key: cell('key'),
    time: cell('time'),
    event: `row ${at + 1}`,
  };
  return { row, isExecution: !nothingNew.test(cell('outcome') ?? '') };
}
