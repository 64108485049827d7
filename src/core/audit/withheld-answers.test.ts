/**
 * A redacted copy judges an effect as its original does, or says that it cannot: what was answered is withheld, and may tell of what is
 * recorded, or of more.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLossless } from '../base/lossless.ts';
import { type HindcastEvent, parseEvent } from '../model/index.ts';
import { eventsToView, viewToProblems } from '../projections/testing/drawn-view.ts';
import type { BranchReading } from '../projections/reading.ts';
import type { CheckedRule } from '../projections/trace-reader.ts';
import { type RedactionPolicy, closedPolicy, openClasses, redact, valueClasses } from '../redaction/index.ts';
import { createReading } from './index.ts';

const sample = join(import.meta.dirname, '../../../public/samples/ticket-incident.hindcast.jsonl');
const lines = readFileSync(sample, 'utf8').trim().split('\n');
const undecided = 'not decidable in this copy';
const path = '/write:tickets.create#0';

function toEvent(line: string): HindcastEvent {
  const json = parseLossless(line);
  const event = json.ok ? parseEvent(json.value) : undefined;
  if (event?.ok !== true) throw new Error(`not an event: ${line.slice(0, 80)}`);
  return event.value;
}

function read(events: readonly HindcastEvent[]): BranchReading {
  const view = eventsToView(events);
  return createReading(view, viewToProblems(view));
}

function readCopy(events: readonly HindcastEvent[], policy: RedactionPolicy): BranchReading {
  return read(redact({ events, policy, secret: 'c'.repeat(32) }).lines.map(toEvent));
}

const all = lines.map(toEvent);
/** Two requests of one ticket: the first was committed and never answered, the second committed as 8422 and answered. */
const records = all.filter(({ command, type }) => command?.path === path && type !== 'tool_call.result_persisted');
const claim = all.find(({ type }) => type === 'duplicate.detected')?.id ?? '';
const second = records.findLast(({ type }) => type === 'effect.committed')?.id ?? '';

function isAnswer(type: string): boolean {
  return type === 'tool_call.acknowledged' || type === 'tool_call.completed';
}

/** The incident without some of its records, in which the second worker was told of another ticket. */
function incident(dropped: ReadonlySet<string>, ticket: string): readonly HindcastEvent[] {
  return lines.flatMap((line) => {
    const { id, type, command } = toEvent(line);
    if (dropped.has(id) || id === claim) return [];
    return [toEvent(command?.path === path && isAnswer(type) ? line.replaceAll('8422', ticket) : line)];
  });
}

const policies: readonly RedactionPolicy[] = [
  closedPolicy,
  ...valueClasses.map(({ id }) => openClasses(closedPolicy, [id])),
  openClasses(
    closedPolicy,
    valueClasses.map(({ id }) => id),
  ),
];

function verdictOf(reading: BranchReading): string | undefined {
  return reading.effects()[0]?.verdict;
}

function effectRules(reading: BranchReading): readonly string[] {
  const rules = ['executed-twice', 'uncertain-effect', 'missing-effect', 'recorded-twice'];
  return reading.findings().flatMap(({ rule }) => (rules.includes(rule) ? [rule] : []));
}

function openRules(checked: readonly CheckedRule[]): readonly string[] {
  return checked.flatMap(({ rule, isOpen }) => (isOpen === true ? [rule] : []));
}

describe('an answer that a copy withholds', () => {
  const oneTicket = new Set([second]);

  it('R28 R73 R100 names the recorded effect by its stand-in: the copy judges as its original does', () => {
    const events = incident(oneTicket, '8421');
    expect(verdictOf(read(events))).toBe('executed once');
    for (const policy of policies) expect(verdictOf(readCopy(events, policy))).toBe('executed once');
    const copy = redact({ events, policy: closedPolicy, secret: 'c'.repeat(32) }).lines;
    expect(copy.join('')).not.toMatch(/\b8421\b/);
    // A copy of the copy says so too.
    expect(verdictOf(readCopy(copy.map(toEvent), closedPolicy))).toBe('executed once');
  });

  it('R28 R100 names no recorded effect: the copy says that it cannot tell', () => {
    const copy = readCopy(incident(oneTicket, '8499'), closedPolicy);
    expect(verdictOf(copy)).toBe(undecided);
    expect(copy.effects()[0]?.undecided).toMatch(
      /^whether the request of \S+ 2 was executed too is not decidable in this copy, which withholds what was answered$/,
    );
    expect(effectRules(copy)).toEqual([]);
    const { checked } = copy.headline();
    expect(openRules(checked)).toContain('uncertain-effect');
  });

  it('R28 R100 may tell of another effect than the service recorded for that very request', () => {
    const firstId = records.find(({ type }) => type === 'effect.committed')?.id ?? '';
    const events = incident(new Set([firstId]), '8499');
    expect(verdictOf(read(events))).toBe('uncertain');
    const copy = readCopy(events, closedPolicy);
    // The first request stays open, whatever was answered to the second.
    expect(verdictOf(copy)).toBe('uncertain');
    const asked = records.filter(({ type }) => type === 'tool_call.dispatched').map(({ id }) => id as string);
    const alone = incident(new Set([firstId, asked[0] ?? '']), '8499');
    expect([verdictOf(read(alone)), verdictOf(readCopy(alone, closedPolicy))]).toEqual(['uncertain', undecided]);
    expect(readCopy(alone, closedPolicy).effects()[0]?.undecided).toBe(
      'whether a caller was told of another effect is not decidable in this copy, which withholds what was answered',
    );
  });

  it('R100 of a request with its own commitment leaves what the service recorded', () => {
    const copy = readCopy(all, closedPolicy);
    expect(copy.effects().map(({ verdict }) => verdict)).toEqual(
      read(all)
        .effects()
        .map(({ verdict }) => verdict),
    );
    expect(copy.effects().every((row) => row.undecided === undefined)).toBe(true);
  });

  it('R28 R100 never makes a copy judge otherwise: any records missing, any ticket told, any policy', () => {
    const seen = new Set<string | undefined>();
    fc.assert(
      fc.property(
        fc.subarray(records.map(({ id }) => id as string)),
        fc.constantFrom('8421', '8422', '8499', 'true'),
        fc.constantFrom(...policies),
        (dropped, ticket, policy) => {
          const events = incident(new Set(dropped), ticket);
          const [original, copy] = [read(events), readCopy(events, policy)];
          const told = original.effects().map(({ verdict }) => verdict);
          const verdicts = copy.effects().map(({ verdict }) => verdict);
          for (const verdict of verdicts) seen.add(verdict);
          expect(verdicts).toEqual(told.map((verdict, n) => (verdicts[n] === undecided ? undecided : verdict)));
          const found = effectRules(original);
          const isOpen = copy.effects().some((row) => row.undecided !== undefined);
          expect(effectRules(copy)).toEqual(isOpen ? found.filter((rule) => rule !== 'uncertain-effect') : found);
        },
      ),
      { seed: 7, numRuns: 60, endOnFailure: true },
    );
    expect([...seen]).toEqual(
      expect.arrayContaining(['executed once', 'executed twice', 'uncertain', 'missing', undecided]),
    );
  });
});
