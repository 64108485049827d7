/** Findings and read models over branches that the replay engine wrote: nothing there may look like an incident of the record. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseLossless } from '../base/lossless.ts';
import { type HindcastEvent, parseEvent } from '../model/index.ts';
import { isOutsideEffect } from '../projections/effects/stopped.ts';
import { emptyFilter } from '../projections/matching.ts';
import type { BranchReading } from '../projections/reading.ts';
import { eventsToView, viewToProblems } from '../projections/testing/drawn-view.ts';
import type { TraceView } from '../projections/trace-view.ts';
import { textToEditFile } from '../replay/edit-file.ts';
import { record } from '../replay/testing/record.ts';
import { replay } from '../replay/testing/replay-case.ts';
import { createReading } from './index.ts';

const program = `async function main(ctx, input) {
  const d = await ctx.model('decide', { q: 1 });
  const act = ctx.decide('act', d.action, { alternatives: ['open', 'close'], uses: [d] });
  const t = await ctx.write('ticket', { title: act }, { by: 'act', writes: ['tickets'] });
  await ctx.state('case', { id: t.id }, { uses: [t] });
  return t.id;
}`;

const handlers = {
  'model:decide': () => ({ ok: { action: 'open' } }),
  'write:ticket': () => ({ ok: { id: 8421 }, effects: [{ id: '8421' }] }),
};

async function readBranch(request: Parameters<typeof replay>[1]): Promise<BranchReading> {
  const events: readonly HindcastEvent[] = await record(program, { handlers });
  const { lines } = await replay(events, request);
  const branch = lines[0]?.branch ?? 'no branch';
  const view = eventsToView([...events, ...lines], branch);
  // The recorder of the cases numbers all components together: holes in one log say nothing here.
  return createReading(
    view,
    viewToProblems(view).filter(({ code }) => code !== 'sequence-hole'),
  );
}

function severe(reading: BranchReading): string[] {
  return reading
    .findings()
    .filter(({ severity }) => severity !== 'notice')
    .map(({ title }) => title);
}

describe('a branch', () => {
  it('R41 R58 R59 an unedited replay adds no finding', async () => {
    const reading = await readBranch({});
    expect(severe(reading)).toEqual([]);
    expect(reading.effects().map(({ verdict, effectIds }) => [verdict, effectIds])).toEqual([
      ['executed once', ['8421']],
    ]);
  });

  it('R44 R47 an edited decision: the new request was sent to nobody, and the effect outside is named', async () => {
    const reading = await readBranch({ edits: [{ target: { path: '/decide:act#0' }, value: 'close' }] });
    expect(severe(reading)).toEqual(['This branch lacks 8421, which exists outside']);
    const requests = reading
      .effects()
      .flatMap(({ attempts }) => attempts.filter(({ dispatched }) => dispatched !== undefined));
    expect(requests.map(({ status }) => status)).toEqual(['not executed']);
    expect(reading.transcript(emptyFilter, 0, 100).lines.some(({ kind }) => kind === 'gap')).toBe(true);
  });
});

const samples = join(import.meta.dirname, '../../../public/samples');

/** The shipped wrong observation with every answer of its edit file: the whole branch, simulated to its end. */
async function viewShippedBranch(): Promise<TraceView> {
  const events = readFileSync(join(samples, 'wrong-observation.hindcast.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const json = parseLossless(line);
      const event = json.ok ? parseEvent(json.value) : undefined;
      if (event?.ok !== true) throw new Error(`not an event: ${line.slice(0, 80)}`);
      return event.value;
    });
  const file = textToEditFile(readFileSync(join(samples, 'wrong-observation.edit.json'), 'utf8'));
  if (!file.ok) throw new Error('the edit file of the sample is not one');
  const { lines, result } = await replay(events, file.value);
  expect(result).toBe('complete');
  return eventsToView([...events, ...lines], lines[0]?.branch ?? 'no branch');
}

describe('a branch whose answers a person supplied', () => {
  it('R28 R44 its requests are simulated, not sent: told as that, and judged by no rule as requests that left', async () => {
    const view = await viewShippedBranch();
    const requests = view.ofType('tool_call.dispatched').filter((at) => view.index.has(at, 'externalDispatch'));
    expect(requests.map((at) => isOutsideEffect(view, at))).toEqual([false, false]);
    const reading = createReading(view, viewToProblems(view));
    const facts = reading.headline().facts.map((spans) => spans.map(({ text }) => text).join(''));
    expect(facts.slice(0, 2)).toEqual([
      'This branch completes. It decides “covered” instead of “expired” (coverage), “free-repair” instead of “paid-repair” (resolution) and “workshop” instead of “offers” (queue).',
      'This branch lacks 9107 and mail-301, which exist outside.',
    ]);
    expect(facts).toContain('Ticket creation and mail sending: simulated, not sent; answers supplied by a person.');
    expect(facts.join(' ')).not.toMatch(/uncertain|No acknowledgement/);
    expect(severe(reading)).toEqual(['This branch lacks 9107 and mail-301, which exist outside']);
    const rules = reading.findings().map(({ rule }) => rule);
    for (const rule of ['no-service-records', 'acting-identity', 'decision-evidence'])
      expect(rules).not.toContain(rule);
    const told = reading.findings().flatMap(({ text, known }) => [text, ...known]);
    expect(told.join(' ')).not.toMatch(/dispatched|without an idempotency key/);
    expect(told).toContain(
      'Ticket creation on this branch: the replay simulated it, not sent; answer supplied by a person.',
    );
    expect(reading.effects().map(({ verdict, stopped }) => [verdict, stopped])).toEqual([
      ['not executed', 'simulated, not sent'],
      ['not executed', 'simulated, not sent'],
    ]);
    // No service acknowledged it.
    const answeredBy = reading.effects().flatMap(({ attempts }) => attempts.map((attempt) => attempt.answeredBy));
    expect(answeredBy).toEqual(['person', 'person']);
  });
});

describe('what became of a branch is said first, in its headline', () => {
  const headOf = async (request: Parameters<typeof replay>[1]): Promise<string | undefined> =>
    (await readBranch(request))
      .headline()
      .facts.map((spans) => spans.map(({ text }) => text).join(''))
      .at(0);

  it('R38 that it completes, and what it decides otherwise, or that every decision is as before', async () => {
    const act = { target: { path: '/decide:act#0' } };
    const supply = [{ path: '/write:ticket#0', value: { id: 9 } }];
    expect(await headOf({ edits: [{ ...act, value: 'close' }], supply })).toBe(
      'This branch completes. It decides “close” instead of “open” (act).',
    );
    expect(await headOf({})).toBe('This branch completes. Every decision is as before.');
  });

  it('R38 what it waits for', async () => {
    const edit = { target: { path: '/decide:act#0' }, value: 'close' };
    expect(await headOf({ edits: [edit] })).toBe(
      'This branch waits for an answer to ticket. It decides “close” instead of “open” (act).',
    );
  });

  it('R38 that it fails, or was stopped', async () => {
    const failing = program.replace('return t.id', "throw new Error('no')");
    expect(await headOf({ program: failing })).toMatch(/^This branch comes to its end, and fails there\./);
    expect(await headOf({ program: 'async function main() { for (;;); }' })).toMatch(
      /^The replay of this branch was stopped at a limit\./,
    );
  });
});

describe('R31 the children of a program', () => {
  it.each([
    ['that asked for something', `(c, n) => c.model('m', { n })`],
    ['that asked for nothing', '(c, n) => n + 1'],
    ['within another', `(c, n) => c.child('inner', n, (d) => d.read('r', {}))`],
  ])('have their records in its journal: one %s', async (_name, does) => {
    const source = `async function main(ctx) { return ctx.child('helper', 1, ${does}); }`;
    const view = eventsToView(await record(source));
    expect(view.ofType('agent.spawned').length).toBeGreaterThan(0);
    const found = createReading(view, viewToProblems(view)).findings();
    expect(found.filter(({ rule }) => rule === 'agent-without-records')).toEqual([]);
  });
});
