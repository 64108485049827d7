/**
 * Imports from files to the real storage service: whole traces or nothing.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../core/base/result.ts';
import { eventToLine } from '../../core/model/index.ts';
import { drawTrace } from '../../core/model/testing/trace.ts';
import { beginImport, listTraces, readAccessLog } from '../storage/index.ts';
import { createTestLibrary, type TestLibrary } from '../storage/testing/library.ts';
import { computeFingerprint } from './content-digest.ts';
import { runImport } from './import-job.ts';
import type { ImportFailure, ImportOutcome, ImportProgress, ImportRequest, OpenedFile } from './import-methods.ts';
import { createOpener } from './open-traces.ts';

const drawing = drawTrace(`
  worker/w1/1 agent=planner:
    step=1:
      plan  decision.made  {"chosen":"open"}
      ask   tool_call.dispatched  path=/write:ticket#0 attempt=1 key=k-1  <- plan:selected_by  {"effect":"external"}
  tickets:
    made  effect.committed  <- ask:result_of  {"effect":{"id":"8421"}}
`);
const lines = ['plan', 'ask', 'made'].map((name) => eventToLine(drawing.event(name)));
const text = lines.map((line) => `${line}\n`).join('');

function fileOf(content: BlobPart, path = 'incident.hindcast.jsonl'): OpenedFile {
  return { path, blob: new Blob([content]) };
}

interface Run {
  readonly files: readonly OpenedFile[];
  readonly over?: Partial<ImportRequest>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly giveTurn?: () => Promise<void>;
}

function run(
  library: TestLibrary,
  { files, over = {}, signal = new AbortController().signal, onProgress = () => undefined, giveTurn }: Run,
): Promise<Result<ImportOutcome, ImportFailure>> {
  let ticks = 0;
  const request = { files, origin: 'opened', ...over } as const;
  return runImport({ library, readSlice: library.readSlice, ticks: () => (ticks += 50), giveTurn }, request, {
    signal,
    progress: onProgress,
  });
}

async function must(result: Promise<Result<ImportOutcome, ImportFailure>>): Promise<ImportOutcome> {
  const settled = await result;
  if (!settled.ok) throw new Error(settled.error.message);
  return settled.value;
}

async function countRows({ db }: TestLibrary): Promise<number> {
  const counts = await Promise.all(
    [db.traces, db.runs, db.body, db.places, db.index, db.problems, db.imports, db.log].map((table) => table.count()),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

describe('an import', () => {
  it('makes a trace whose every line and event reads back as it was written', async () => {
    const library = createTestLibrary();
    const outcome = await must(run(library, { files: [fileOf(text)] }));
    expect(outcome).toMatchObject({ name: 'incident', alreadyThere: false, events: 3, problems: 0 });
    const opened = await createOpener({ library, readSlice: library.readSlice }).open(outcome.trace);
    if (!opened.ok) throw new Error(opened.error.message);
    const { source, index } = opened.value;
    expect([0, 1, 2].map(source.line)).toEqual(lines);
    expect([0, 1, 2].map(source.at)).toEqual(['plan', 'ask', 'made'].map(drawing.event));
    expect(index.causesOf(index.find(drawing.id('made'))).map(({ from }) => index.id(from))).toEqual([
      drawing.id('ask'),
    ]);
  });

  it('R106 notes whether a record of it starts a trial', async () => {
    const library = createTestLibrary();
    const folder = join(import.meta.dirname, '../../../public/samples');
    const noted = ['ticket-incident', 'wrong-observation'].map(async (name) => {
      const { trace } = await must(
        run(library, { files: [fileOf(readFileSync(join(folder, `${name}.hindcast.jsonl`), 'utf8'))] }),
      );
      return (await library.db.traces.get(trace))?.holdsTrial;
    });
    expect(await Promise.all(noted)).toEqual([true, false]);
  });

  it('is called after what a person asked, where the file has only an id for a name', async () => {
    const asked =
      '{"type":"user","sessionId":"s","parentUuid":null,"uuid":"u","message":{"role":"user","content":"Mend the door"}}\n';
    const file = fileOf(asked, '50a7220d-7250-46f3-b38e-b716ce25032e.jsonl');
    const outcome = await must(run(createTestLibrary(), { files: [file] }));
    expect(outcome.name).toBe('Mend the door (50a7220d)');
  });

  it('tells its progress: the first events at once, bytes read of all bytes, the phases in order', async () => {
    const heard: ImportProgress[] = [];
    await must(run(createTestLibrary(), { files: [fileOf(text)], onProgress: (progress) => heard.push(progress) }));
    expect([...new Set(heard.map(({ phase }) => phase))]).toEqual(['looking', 'reading', 'indexing', 'storing']);
    expect(heard.find(({ firstRows }) => firstRows !== undefined)?.firstRows?.map(({ type }) => type)).toEqual([
      'decision.made',
      'tool_call.dispatched',
      'effect.committed',
    ]);
    expect(heard.at(-1)).toMatchObject({ bytesRead: text.length, bytesTotal: text.length, events: 3, secondsLeft: 0 });
  });

  it('tells how far it is while it looks, and a turn of the host cancels it there', async () => {
    const library = createTestLibrary();
    const many = lines[0]?.replace('"id":"', `"note":"${'x'.repeat(50_000)}","id":"`) ?? '';
    const file = fileOf(Array.from({ length: 8 }, (_, n) => many.replace('"id":"', `"id":"${n}-`)).join('\n'));
    const heard: ImportProgress[] = [];
    const controller = new AbortController();
    let turns = 0;
    const giveTurn = (): Promise<void> => {
      if (++turns === 3) controller.abort();
      return Promise.resolve();
    };
    const options = {
      signal: controller.signal,
      onProgress: (progress: ImportProgress) => heard.push(progress),
      giveTurn,
    };
    expect(await run(library, { files: [file], ...options })).toMatchObject({
      ok: false,
      error: { code: 'cancelled' },
    });
    expect([...new Set(heard.map(({ phase }) => phase))]).toEqual(['looking']);
    const read = [...new Set(heard.map(({ bytesRead }) => bytesRead))];
    expect(read.length).toBeGreaterThan(2);
    expect(Math.max(...read)).toBeLessThan(file.blob.size);
    expect([turns, await countRows(library)]).toEqual([3, 0]);
  });

  it('R68: of the same content, packed and under another name, adds nothing and names the trace', async () => {
    const library = createTestLibrary();
    const first = await must(run(library, { files: [fileOf(text)] }));
    const before = await countRows(library);
    const packed = gzipSync(new TextEncoder().encode(text));
    const again = await must(run(library, { files: [fileOf(packed, 'copy.jsonl.gz')] }));
    expect(again).toMatchObject({ trace: first.trace, name: 'incident', alreadyThere: true });
    expect(await countRows(library)).toBe(before);
  });

  it('R67: tells a wrong checksum at the end of an archive of any length', async () => {
    const library = createTestLibrary();
    const note = (n: number): string => `${lines[0]?.replace('"id":"', `"id":"n${n}-`) ?? ''}\n`;
    const packed = gzipSync(new TextEncoder().encode(Array.from({ length: 2000 }, (_, n) => note(n)).join('')));
    packed[packed.length - 6] = (packed[packed.length - 6] ?? 0) ^ 255;
    const outcome = await must(run(library, { files: [fileOf(packed)] }));
    expect(outcome.events).toBe(2000);
    const rows = await library.db.problems.toArray();
    const told = rows.flatMap(({ problems }) => problems.map(({ code }) => code));
    expect(told.filter((code) => code === 'archive-damaged')).toHaveLength(1);
  });

  it('keeps what a damaged line held, and counts it', async () => {
    const library = createTestLibrary();
    const outcome = await must(run(library, { files: [fileOf(`${text}{"v":1,"id"\n`)] }));
    expect(outcome).toMatchObject({ events: 3, problems: 1 });
    const [row] = await library.db.problems.toArray();
    expect(row?.problems).toMatchObject([{ severity: 'problem', place: { line: 4, offset: text.length } }]);
    expect(new TextDecoder().decode(row?.problems[0]?.raw)).toBe('{"v":1,"id"');
    const [trace] = await listTraces(library);
    expect(trace).toMatchObject({
      problems: 1,
      counts: { input: 4, mapped: 3, merged: 0, problems: 1 },
      sourceBytes: text.length + 12,
    });
  });

  it('finds what is wrong with the graph, with the line it stands in, and again when the index is rebuilt', async () => {
    const library = createTestLibrary();
    const orphan = lines[2]?.replace(`"event":"${drawing.id('ask')}"`, '"event":"nowhere"') ?? '';
    const outcome = await must(run(library, { files: [fileOf(`${lines[0] ?? ''}\n${orphan}\n`)] }));
    expect(outcome.problems).toBe(1);
    expect(await listTraces(library)).toMatchObject([{ problems: 1 }]);
    const place = { file: 'incident.hindcast.jsonl', line: 2, offset: (lines[0]?.length ?? 0) + 1 };
    const dangling = expect.objectContaining({ code: 'dangling-cause', place });
    const open = async () => {
      const opened = await createOpener({ library, readSlice: library.readSlice }).open(outcome.trace);
      return opened.ok ? opened.value : undefined;
    };
    const first = await open();
    expect(first?.graphProblems).toContainEqual(dangling);
    await library.db.index.toCollection().modify({ version: -1, problems: [] });
    const rebuilt = await open();
    expect(rebuilt?.graphProblems).toEqual(first?.graphProblems);
    expect(rebuilt?.index.columns).toEqual(first?.index.columns);
    expect(await library.db.index.toCollection().first()).toMatchObject({ version: first?.index.columns.version });
  });

  it('R68: two different records of one id are both kept and told once', async () => {
    const library = createTestLibrary();
    const other = lines[0]?.replace('"open"', '"close"') ?? '';
    const outcome = await must(run(library, { files: [fileOf(text, 'a.jsonl'), fileOf(`${other}\n`, 'b.jsonl')] }));
    expect(outcome).toMatchObject({ events: 4, problems: 1 });
  });

  it('a different damaged line makes it a different trace', async () => {
    const library = createTestLibrary();
    const one = await must(run(library, { files: [fileOf(`${text}{"v":1,"a"\n`)] }));
    const two = await must(run(library, { files: [fileOf(`${text}{"v":1,"b"\n`)] }));
    expect(two.alreadyThere).toBe(false);
    expect(two.trace).not.toBe(one.trace);
  });

  it('takes its name from the request, the folder, or the files', async () => {
    const names: string[] = [];
    for (const [files, over] of [
      [[fileOf(text)], { name: ' Ticket incident ' }],
      [[fileOf(text, 'run/a.jsonl'), fileOf('', 'run/b.jsonl')], {}],
      [[fileOf(text, 'a.hindcast.jsonl.gz'), fileOf('', 'b.jsonl')], {}],
      // The first that events came from, whatever stands before it.
      [[fileOf('null\n', 'null.jsonl'), fileOf(text, 'good.jsonl'), fileOf('', 'c.jsonl')], {}],
      [[fileOf(text, `x\u202egpj\n${'n'.repeat(300)}.jsonl`)], {}],
    ] as const) {
      names.push((await must(run(createTestLibrary(), { files, over }))).name);
    }
    expect(names.slice(0, 4)).toEqual(['Ticket incident', 'run', 'a and 1 more', 'good and 2 more']);
    expect(names[4]).toMatch(/^x\\u202egpj n{188}…$/);
  });
});

describe('an import that does not end well leaves nothing', () => {
  it('when the input cannot be used, and says why', async () => {
    const library = createTestLibrary();
    const result = await run(library, { files: [fileOf('null')] });
    expect(result.ok).toBe(false);
    expect(!result.ok && result.error.message.length).toBeGreaterThan(20);
    expect(await countRows(library)).toBe(0);
  });

  it('when it is cancelled after the first batch', async () => {
    const library = createTestLibrary();
    const controller = new AbortController();
    const result = await run(library, {
      files: [fileOf(text)],
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(await countRows(library)).toBe(0);
  });

  it('when the quota is reached while bytes are written', async () => {
    const library = createTestLibrary();
    library.db.body.hook('creating', () => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const result = await run(library, { files: [fileOf(text)] });
    expect(result).toMatchObject({ ok: false, error: { code: 'quota' } });
    expect(await countRows(library)).toBe(0);
  });

  it('when there is a defect on the way', async () => {
    const library = createTestLibrary();
    const broken = (): never => {
      throw new Error('a defect');
    };
    await expect(run(library, { files: [fileOf(text)], onProgress: broken })).rejects.toThrow('a defect');
    expect(await countRows(library)).toBe(0);
  });

  it('when another tab is importing the same file', async () => {
    const library = createTestLibrary();
    const files = [fileOf(text)];
    await beginImport(library.otherTab(), await computeFingerprint(files), 'incident');
    const result = await run(library, { files });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'busy', message: expect.stringContaining('another tab') },
    });
    expect(await countRows(library)).toBe(1);
    expect((await readAccessLog(library)).entries).toEqual([]);
  });
});

describe('several traces in what was opened', () => {
  const session =
    '{"type":"user","sessionId":"s","parentUuid":null,"uuid":"u","message":{"role":"user","content":"hi"}}';
  const files = [fileOf(text, 'run/a.jsonl'), fileOf(`${session}\n`, 'run/b.jsonl')];

  it('asks which are wanted before anything is stored, and imports what was chosen', async () => {
    const library = createTestLibrary();
    const asked = await run(library, { files });
    expect(asked).toMatchObject({
      ok: false,
      error: { code: 'choice', formats: [{ id: 'hindcast' }, { id: 'claude-code', files: ['run/b.jsonl'] }] },
    });
    expect(await countRows(library)).toBe(0);
    const own = await must(run(library, { files, over: { choice: { format: 'hindcast' } } }));
    expect(own.events).toBe(3);
    const other = await must(run(library, { files, over: { choice: { format: 'claude-code' }, name: 'the session' } }));
    expect([other.name, other.alreadyThere]).toEqual(['the session', false]);
  });

  it('says of each its own files and their size, not those of all that was looked through', async () => {
    const library = createTestLibrary();
    await must(run(library, { files, over: { choice: { format: 'hindcast' } } }));
    await must(run(library, { files, over: { choice: { format: 'claude-code' } } }));
    const rows = (await listTraces(library)).map(({ files: own, sourceBytes }) => [...own, sourceBytes]);
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual(['run/a.jsonl', text.length]);
    expect(rows).toContainEqual(['run/b.jsonl', session.length + 1]);
  });
});
