/** Answers of other recorded runs, by content address: the same question and no other, of models and reads alone (replay 3.8). */
import { describe, expect, it } from 'vitest';
import { digest, eventToLine } from '../../core/model/index.ts';
import { record } from '../../core/replay/testing/record.ts';
import { traceId } from '../storage/index.ts';
import { createTestLibrary } from '../storage/testing/library.ts';
import { runImport } from './import-job.ts';
import { createOpener } from './open-traces.ts';
import { findAnswers } from './replay-reuse-job.ts';
import type { AnswerAsk, AnswerProgress } from './replay-reuse-methods.ts';

const program = `async function main(ctx, input) {
  const d = await ctx.model('decide', { q: input.q });
  await ctx.write('ticket', { title: 'x' });
  return d;
}`;

const library = createTestLibrary();
const storing = { library, readSlice: library.readSlice, ticks: () => 0 };
const opener = createOpener(storing);
const context = { signal: new AbortController().signal, progress: () => undefined };

async function store(q: number, action: string) {
  const events = await record(program, {
    input: { q },
    handlers: { 'model:decide': () => ({ ok: { action } }), 'write:ticket': () => ({ ok: { id: action } }) },
  });
  const blob = new Blob(events.map((event) => `${eventToLine(event)}\n`));
  const outcome = await runImport(storing, { files: [{ path: `${action}.jsonl`, blob }], origin: 'opened' }, context);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return { trace: outcome.value.trace, name: action };
}

const traces = [await store(1, 'open'), await store(1, 'close-it'), await store(1_000, 'close-another')];
const command = { path: '/model:decide#3', kind: 'model', name: 'decide', args: digest({ q: 1 }) } as const;

async function find(more: Partial<AnswerAsk> = {}, onProgress: (progress: AnswerProgress) => void = () => undefined) {
  const ask = { run: 'another', traces, commands: [command], ...more };
  const found = await findAnswers({ opener }, ask, { ...context, progress: onProgress });
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

describe('answers of other runs', () => {
  it('are those to the same arguments, each once, with the run and event they are from', async () => {
    const told: AnswerProgress[] = [];
    const found = await find({ traces: [...traces, traces[0] ?? { trace: traceId(''), name: '' }] }, (one) =>
      told.push(one),
    );
    expect(found.byPath).toEqual({
      '/model:decide#3': [
        expect.objectContaining({ traceName: 'open', outcome: { value: { action: 'open' } }, more: 1 }),
        expect.objectContaining({ traceName: 'close-it', outcome: { value: { action: 'close-it' } }, more: 0 }),
      ],
    });
    expect(told.at(-1)).toEqual({ done: 3, of: 4 });
  });

  it('are none of other arguments, of another name, or of the own run', async () => {
    expect((await find({ commands: [{ ...command, args: digest({ q: 2 }) }] })).byPath).toEqual({});
    expect((await find({ commands: [{ ...command, name: 'note' }] })).byPath).toEqual({});
    const run = (await find()).byPath[command.path]?.[0]?.run ?? '';
    expect((await find({ run })).byPath).toEqual({});
  });

  it('tell what could not be read', async () => {
    const found = await find({ traces: [{ trace: traceId('t-gone'), name: 'gone' }] });
    expect(found).toEqual({ byPath: {}, looked: 0, notRead: [expect.stringContaining('gone: ')] });
  });
});
