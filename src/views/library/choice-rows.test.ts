import { describe, expect, it } from 'vitest';
import { choiceToRows, filterRows, rowToRequest } from './choice-rows.ts';

const formats = [
  {
    id: 'otlp',
    label: 'OTLP',
    files: ['a.jsonl'],
    traces: Array.from({ length: 5000 }, (_, n) => ({ key: `k${n}`, title: n === 7 ? '' : `Run ${n}`, records: n })),
  },
  { id: 'codex', label: 'Codex', files: ['b', 'c'], traces: [] },
];

describe('the chooser', () => {
  it('has a row for every trace, and one for a format whose files are one trace', () => {
    const rows = choiceToRows(formats);
    expect(rows).toHaveLength(5001);
    expect(rows.find(({ trace }) => trace === 'k7')).toMatchObject({ title: 'k7', size: '7 records' });
    expect(rows[5000]).toMatchObject({ title: 'b and 1 more', trace: undefined, size: '2 files' });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(5001);
  });

  it('lists by name, numbers as numbers', () => {
    const traces = ['run 10', 'Run 9', 'a'].map((title) => ({ key: title, title, records: 1 }));
    const rows = choiceToRows([{ id: 'otlp', label: 'OTLP', files: [], traces }]);
    expect(rows.map(({ title }) => title)).toEqual(['a', 'Run 9', 'run 10']);
  });

  it('lists what has no name but an id by time', () => {
    const at = (key: string, startedAt?: string) => ({ key, title: key, records: 1, startedAt });
    const traces = [
      at('019a93b9-f380', '2025-11-17T15:30:28Z'),
      at('ffe0a93b9-f380', '2025-11-16T10:00:00+02:00'),
      at('task 2', '2020-01-01T00:00:00Z'),
    ];
    const rows = choiceToRows([{ id: 'codex', label: 'Codex', files: [], traces }]);
    expect(rows.map(({ title }) => title)).toEqual(['task 2', 'ffe0a93b9-f380', '019a93b9-f380']);
  });

  it('narrows by title and key', () => {
    const rows = choiceToRows(formats);
    expect(filterRows(rows, ' run 4999 ').map(({ trace }) => trace)).toEqual(['k4999']);
    expect(filterRows(rows, 'K499')).toHaveLength(11);
    expect(filterRows(rows, '')).toBe(rows);
  });

  it('says what was asked and how it was judged, and narrows by both', () => {
    const traces = [
      { key: 'a', title: 'sample 1', about: 'Where is the ball?', verdict: 'score C', records: 1 },
      { key: 'b', title: 'Where is it?', about: 'Where is it?', records: 1 },
    ];
    const rows = choiceToRows([{ id: 'inspect', label: 'Inspect', files: [], traces }]);
    expect(rows.map(({ about, verdict }) => [about, verdict])).toEqual([
      ['Where is the ball?', 'score C'],
      [undefined, undefined],
    ]);
    expect(filterRows(rows, 'BALL').map(({ trace }) => trace)).toEqual(['a']);
    expect(filterRows(rows, 'score c').map(({ trace }) => trace)).toEqual(['a']);
  });

  it('reads only the files that hold the trace, and all where an archive hides them', () => {
    const files = ['a.jsonl', 'b.jsonl', 'ledger.jsonl'].map((path) => ({ path, blob: new Blob([]) }));
    const traces = [
      { key: 'r-a', title: 'A', records: 3, files: ['a.jsonl', 'ledger.jsonl'] },
      { key: 'r-b', title: 'B', records: 3, files: ['all.zip/b.jsonl'] },
    ];
    const rows = choiceToRows([{ id: 'hindcast', label: 'Own', files: [], traces }]);
    const [a, b] = rows.map((row) => rowToRequest({ files, origin: 'opened' }, row).files.map(({ path }) => path));
    expect(a).toEqual(['a.jsonl', 'ledger.jsonl']);
    expect(b).toEqual(['a.jsonl', 'b.jsonl', 'ledger.jsonl']);
  });

  it('R87 says of the chosen trial that it is one, for trials are judged together and other runs are not', () => {
    const traces = [
      { key: 'r-a', title: 'A', records: 3, isTrial: true },
      { key: 'r-b', title: 'B', records: 3 },
    ] as const;
    const rows = choiceToRows([{ id: 'hindcast', label: 'Own', files: [], traces }]);
    expect(rows.map((row) => rowToRequest({ files: [], origin: 'opened' }, row).choice)).toEqual([
      { format: 'hindcast', trace: 'r-a', isTrial: true },
      { format: 'hindcast', trace: 'r-b' },
    ]);
  });

  it('opens a row as a trace of its own, under its title', () => {
    const request = { files: [], origin: 'opened', name: 'all' } as const;
    const [first, last] = [choiceToRows(formats)[1], choiceToRows(formats)[5000]];
    if (first === undefined || last === undefined) throw new Error('rows');
    expect(rowToRequest(request, first)).toMatchObject({ name: 'Run 0', choice: { format: 'otlp', trace: 'k0' } });
    expect(rowToRequest(request, last)).toEqual({ ...request, choice: { format: 'codex', trace: undefined } });
  });
});
