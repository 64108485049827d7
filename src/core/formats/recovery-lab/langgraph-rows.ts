/**
 * Rows of LangGraph's `checkpoints` and `writes` tables to drafts of events.
 */
import { numberAt, present, textAt } from './record.ts';
import { type ExportRow, memberOf, parsed, type RowDraft } from './tables.ts';

export function langgraphRow({ table, cells, row }: ExportRow): RowDraft {
  const execution = textAt(cells, 'thread_id') ?? '';
  const id = `langgraph/${execution}:${textAt(cells, 'checkpoint_id') ?? ''}`;
  const own = { component: 'langgraph', execution };
  if (table === 'langgraph-write') {
    const write = {
      id: `${id}:${textAt(cells, 'task_id') ?? ''}:${numberAt(cells, 'idx') ?? textAt(cells, 'idx') ?? ''}`,
      type: 'langgraph.write',
      causes: [{ event: id, as: 'consumed' } as const],
      data: present({ channel: textAt(cells, 'channel'), value: parsed(cells['v']), row }),
    };
    return { ...own, events: [write] };
  }
  const parent = textAt(cells, 'parent_checkpoint_id');
  const body = parsed(cells['c']);
  const checkpoint = {
    id,
    type: 'checkpoint.written',
    time: textAt(body, 'ts'),
    causes: parent === undefined ? [] : [{ event: `langgraph/${execution}:${parent}`, as: 'consumed' } as const],
    data: present({
      version: memberOf(body, 'channel_versions'),
      states: memberOf(body, 'channel_values'),
      meta: parsed(cells['m']),
      row,
    }),
  };
  return { ...own, events: [checkpoint] };
}
