/**
 * A redacted copy judges every effect as its original does, or says that it cannot: over the samples, altered in many ways, and under any
 * classes that are kept.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLossless } from '../base/lossless.ts';
import { type HindcastEvent, parseEvent } from '../model/index.ts';
import { drawTrace } from '../model/testing/trace.ts';
import type { BranchReading } from '../projections/reading.ts';
import { eventsToView, viewToProblems } from '../projections/testing/drawn-view.ts';
import { type ValueClass, closedPolicy, openClasses, redact, valueClasses } from '../redaction/index.ts';
import { createReading } from './index.ts';

const samples = join(import.meta.dirname, '../../../public/samples');
const names = ['ticket-incident', 'ticket-with-key', 'clean-control', 'wrong-observation'];
const undecided = 'not decidable in this copy';

interface Sample {
  readonly lines: readonly string[];
  /** Lines of records that a verdict rests on. */
  readonly told: readonly number[];
}

function parseLine(line: string): HindcastEvent | undefined {
  const json = parseLossless(line);
  const event = json.ok ? parseEvent(json.value) : undefined;
  return event?.ok === true ? event.value : undefined;
}

function toEvent(line: string): HindcastEvent {
  const event = parseLine(line);
  if (event === undefined) throw new Error(`not an event: ${line.slice(0, 80)}`);
  return event;
}

function readSample(name: string): Sample {
  const lines = readFileSync(join(samples, `${name}.hindcast.jsonl`), 'utf8')
    .trim()
    .split('\n');
  const told = lines.flatMap((line, n) => {
    const { type, command } = toEvent(line);
    const isOfEffect = type.startsWith('effect.') || command?.path.includes('write:') === true;
    return isOfEffect || type === 'duplicate.detected' ? [n] : [];
  });
  return { lines, told };
}

const all = names.map(readSample);

function read(events: readonly HindcastEvent[]): BranchReading {
  const view = eventsToView(events);
  return createReading(view, viewToProblems(view));
}

/** Changes of one record, each of something that a verdict is made of. */
const changes: readonly ((line: string) => string)[] = [
  (line) => line.replace(/:(?:842\d|9107)/g, ':8499'),
  (line) => line.replace(/:(?:842\d|9107)/g, ':8421'),
  (line) => line.replace(/mail-30\d/g, 'mail-399'),
  (line) => line.replace(/:(842\d|9107)/g, ':"opened as $1, see queue"'),
  (line) => line.replace(/"(response|result)":/, '"told":'),
  (line) => line.replace(/"(response|result)":/, '"effect_id":"8421","$1":'),
  (line) => line.replace(/"(response|result)":/, '"effect_id":"8499","$1":'),
  (line) => line.replace(/"(response|result)":\{/, '"$1":{"note":"write to a@b.example",'),
  (line) => line.replace(/"effect":\{"kind":"\w+","id":"[\w-]+"/, '"effect":{"kind":"other"'),
  (line) => line.replace(/"effect":\{"kind":"\w+"/, '"effect":{"kind":"other"'),
  (line) => line.replace(/"idempotency_key":"[^"]*"/, '"idempotency_key":"k"'),
  (line) => line.replace(/"idempotency_key":"[^"]*"/, '"idempotency_key":""'),
  (line) => line.replace(/"http_status":\d+/, '"http_status":503'),
  (line) => line.replace(/"causes":\[.*?\],/, ''),
  (line) => line.replace(/"command":\{.*?\},/, ''),
  (line) => line.replace(/"attempt":\d+/, '"attempt":7'),
  (line) => line.replace('"tool_call.acknowledged"', '"tool_call.completed"'),
  (line) => line.replace('"tool_call.acknowledged"', '"tool_call.failed"'),
  (line) => line.replace('"tool_call.completed"', '"tool_call.timed_out"'),
  (line) => line.replace('"effect.committed"', '"effect.deduplicated"'),
  (line) => line.replace('"effect.committed"', '"effect.refused"'),
  (line) => line.replace('"effect.committed"', '"effect.reconciled"'),
  (line) => line.replace('"data":{', '"origin":"supplied","data":{'),
  (line) => line.replace('"data":{', '"replayed":true,"data":{'),
  (line) => line.replace('"data":{', '"data":{"executed":false,'),
  (line) => line.replace('"data":{', '"data":{"executed":true,'),
  (line) => line.replace('"data":{', '"data":{"refused":true,"executed":false,'),
];

interface Plan {
  readonly sample: number;
  readonly dropped: readonly number[];
  /** Which record is changed, and how. */
  readonly changed: readonly (readonly [number, number])[];
}

const plans: fc.Arbitrary<Plan> = fc.record({
  sample: fc.nat(names.length - 1),
  dropped: fc.array(fc.nat(1000), { maxLength: 6 }),
  changed: fc.array(fc.tuple(fc.nat(1000), fc.nat(changes.length - 1)), { maxLength: 8 }),
});

/** A change that leaves no event is none. */
function toTrace({ sample, dropped, changed }: Plan): readonly HindcastEvent[] {
  const { lines, told } = all[sample] ?? { lines: [], told: [] };
  const at = (n: number): number => told[n % told.length] ?? -1;
  const altered = new Map<number, string>();
  for (const [n, change] of changed)
    altered.set(at(n), (changes[change] ?? String)(altered.get(at(n)) ?? lines[at(n)] ?? ''));
  const gone = new Set(dropped.map(at));
  return lines.flatMap((line, n) => (gone.has(n) ? [] : [parseLine(altered.get(n) ?? line) ?? toEvent(line)]));
}

const keptClasses = fc.oneof(
  fc.constant<ValueClass[]>([]),
  fc.constant(valueClasses.map(({ id }) => id)),
  fc.subarray<ValueClass>(['results', 'effects', 'names', 'attributes', 'errors', 'components', 'sessions', 'agents']),
);

function countByRule(reading: BranchReading): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { rule } of reading.findings()) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
}

/** Rules of which the reading says that what is withheld would tell. */
function openRules(reading: BranchReading): ReadonlySet<string> {
  const rules = reading.headline().checked.flatMap(({ rule, isOpen }) => (isOpen === true ? [rule] : []));
  const isOpen = reading.effects().some((row) => row.undecided !== undefined);
  return new Set([...rules, ...(isOpen ? ['uncertain-effect'] : [])]);
}

function copyOf(events: readonly HindcastEvent[], kept: readonly ValueClass[]): BranchReading {
  const policy = openClasses(closedPolicy, kept);
  return read(redact({ events, policy, secret: 'c'.repeat(32) }).lines.map(toEvent));
}

function expectAlike(original: BranchReading, copy: BranchReading): void {
  const told = original.effects().map(({ verdict, stopped, times }) => ({ verdict, stopped, times }));
  const shown = copy.effects().map(({ verdict, stopped, times }) => ({ verdict, stopped, times }));
  expect(shown).toEqual(told.map((row, n) => (shown[n]?.verdict === undecided ? { ...row, verdict: undecided } : row)));
  const open = openRules(copy);
  const [found, kept] = [countByRule(original), countByRule(copy)];
  for (const rule of new Set([...found.keys(), ...kept.keys()])) {
    const [before, after] = [found.get(rule) ?? 0, kept.get(rule) ?? 0];
    // What is not decidable is not found, and never found anew.
    if (open.has(rule)) expect([rule, after <= before]).toEqual([rule, true]);
    else expect([rule, after]).toEqual([rule, before]);
  }
}

describe('a redacted copy', () => {
  it('R28 R73 R74 R100 judges every effect as its original does, or says that it cannot', { timeout: 120_000 }, () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(plans, keptClasses, (plan, kept) => {
        const events = toTrace(plan);
        const copy = copyOf(events, kept);
        for (const { verdict } of copy.effects()) seen.add(verdict);
        expectAlike(read(events), copy);
      }),
      { seed: 8, numRuns: 60, endOnFailure: true },
    );
    expect([...seen].sort()).toEqual(
      ['executed once', 'executed twice', 'missing', 'not executed', 'uncertain', undecided].sort(),
    );
  });

  it.each(names)('R73 R74 of the sample %s judges all of it, whatever is kept', (name) => {
    const events = (all[names.indexOf(name)]?.lines ?? []).map(toEvent);
    for (const kept of [[], ...valueClasses.map(({ id }) => [id])]) {
      const copy = copyOf(events, kept);
      expectAlike(read(events), copy);
      expect(copy.effects().filter(({ verdict }) => verdict === undecided)).toEqual([]);
    }
  });

  it.each([
    [
      'ended in an error that is withheld',
      ' & {"imported":{"format":"claude-code"}}',
      '{"error":{"name":"E","message":"m"}}',
    ],
    ['whose call is of another format', ' & {"imported":{"format":"claude-code"}}', '{"result":"done"}'],
    ['of the program itself', '', '{"result":"done"}'],
  ])('R31 R74 finds no sub-agent without records that its original has not: one that %s', (_, imported, joined) => {
    const { events } = drawTrace(`
      w/w/1:
        s agent.spawned path=/child:look#0 {"to":"looker","child":{"scope":"/child:look#0"}}${imported}
        j agent.joined <- s:result_of ${joined}${imported}`);
    const copy = copyOf(events, []);
    expectAlike(read(events), copy);
    expect(openRules(copy)).toContain('agent-without-records');
  });
});
