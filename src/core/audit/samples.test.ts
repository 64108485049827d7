/** The shipped sample incidents, read as a person would: the headline says what happened, and a clean run says nothing. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseLossless } from '../base/lossless.ts';
import { type HindcastEvent, parseEvent } from '../model/index.ts';
import { emptyFilter } from '../projections/matching.ts';
import type { BranchReading } from '../projections/reading.ts';
import type { EffectVerdict } from '../projections/trace-reader.ts';
import { eventsToView, viewToProblems } from '../projections/testing/drawn-view.ts';
import { createReading } from './index.ts';

const folder = join(import.meta.dirname, '../../../public/samples');

function readSample(name: string): HindcastEvent[] {
  const text = readFileSync(join(folder, `${name}.hindcast.jsonl`), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const json = parseLossless(line);
      const event = json.ok ? parseEvent(json.value) : undefined;
      if (event?.ok !== true) throw new Error(`Not an event: ${line.slice(0, 200)}`);
      return event.value;
    });
}

function readEvents(events: readonly HindcastEvent[]): BranchReading {
  const view = eventsToView(events);
  return createReading(view, viewToProblems(view));
}

function readingOf(name: string): BranchReading {
  return readEvents(readSample(name));
}

function facts(reading: BranchReading): string[] {
  return reading.headline().facts.map((spans) => spans.map(({ text }) => text).join(''));
}

/** Commands of the effects table with this verdict. */
function withVerdict(reading: BranchReading, verdict: EffectVerdict): string[] {
  return reading.effects().flatMap((row) => (row.verdict === verdict ? [String(row.command)] : []));
}

function severe(reading: BranchReading): string[] {
  return reading
    .findings()
    .filter(({ severity }) => severity !== 'notice')
    .map(({ rule }) => rule);
}

const names = ['ticket-incident', 'ticket-with-key', 'clean-control', 'wrong-observation'];

describe.runIf(names.every((name) => existsSync(join(folder, `${name}.hindcast.jsonl`))))('sample incidents', () => {
  it('R45 a run that says nowhere what a command used is not enough to say what an edit would invalidate', () => {
    const rulesOf = (events: readonly HindcastEvent[]) =>
      readEvents(events)
        .findings()
        .map(({ rule }) => rule);
    const whole = readSample('clean-control');
    expect(rulesOf(whole)).not.toContain('insufficient-for-invalidation');
    const stripped = whole.map((event): HindcastEvent => {
      const { causes } = event;
      if (causes === undefined) return event;
      return { ...event, causes: causes.filter(({ as }) => as !== 'consumed' && as !== 'informed_by') };
    });
    expect(rulesOf(stripped)).toContain('insufficient-for-invalidation');
  });

  it('R23 R26 the incident: executed twice, the kill, the second dispatch, the step', () => {
    const reading = readingOf('ticket-incident');
    expect(facts(reading)).toEqual([
      'Ticket creation executed twice: 8421 and 8422. Worker 1 was killed after the commitment of 8421 and before its acknowledgement; worker 2 dispatched the ticket creation again without a key. Chosen by step open-ticket.',
    ]);
    expect(severe(reading)).toEqual([
      'executed-twice',
      'commitment-without-acknowledgement',
      'restore-point-lacks-effect',
    ]);
    expect(withVerdict(reading, 'executed twice')).toEqual(['/write:tickets.create#0']);
    expect(withVerdict(reading, 'executed once')).toEqual(['/write:mail.send#0']);
  });

  it('R30 the effects table has the words of the findings and of the headline for the same facts', () => {
    const reading = readingOf('ticket-incident');
    const [twice, once] = ['executed twice', 'executed once'].map((verdict) =>
      reading.effects().find((row) => row.verdict === verdict),
    );
    expect(reading.findings().map(({ title }) => title)).toContain('Ticket creation: acknowledgement absent');
    expect(twice?.attempts.map(({ absence }) => absence)).toEqual(['absent', undefined]);
    expect(once?.attempts.some(({ absence }) => absence !== undefined)).toBe(false);
    expect(twice?.chosenIn).toBe('step open-ticket');
  });

  it('every linked span of the headline leads to a record of the trace', () => {
    const events = readSample('ticket-incident');
    const byId = new Map(events.map((event) => [String(event.id), event]));
    const spans = readEvents(events)
      .headline()
      .facts.flat()
      .filter(({ event }) => event !== undefined);
    const types = spans.map(({ text, event }) => [text, byId.get(String(event))?.type]);
    expect(types).toEqual([
      ['Ticket creation executed twice', 'effect.committed'],
      ['8421', 'effect.committed'],
      ['8422', 'effect.committed'],
      ['Worker 1 was killed', 'worker.exited'],
      ['the commitment of 8421', 'effect.committed'],
      ['worker 2 dispatched the ticket creation again without a key', 'tool_call.dispatched'],
      ['Chosen by step open-ticket', 'decision.made'],
    ]);
  });

  it('R125 the same with a key: one ticket, and the saved answer', () => {
    const reading = readingOf('ticket-with-key');
    expect(facts(reading)).toEqual([
      'Ticket creation executed once: 8421. Worker 1 was killed after the commitment of 8421 and before its acknowledgement; worker 2 dispatched the ticket creation again with the same key and the service returned the saved answer. Chosen by step open-ticket.',
    ]);
    expect(withVerdict(reading, 'executed once')).toHaveLength(2);
    const saved = reading.effects().flatMap(({ attempts }) => attempts.flatMap(({ deduplicated }) => deduplicated));
    expect(saved).toHaveLength(1);
    expect(reading.findings().map(({ rule }) => rule)).toContain('answered-from-key');
  });

  it('the clean control has no violation and no gap, and says what was checked', () => {
    const reading = readingOf('clean-control');
    expect(severe(reading)).toEqual([]);
    expect(facts(reading)[0]).toMatch(
      /^No violation and no gap found in \d+ checks\. 2 outside effects, each executed once as told by the service\.$/,
    );
    const kinds = new Set(reading.transcript(emptyFilter, 0, 1000).lines.map(({ kind }) => kind));
    expect([...kinds]).toEqual(['event']);
  });

  it('R60 the sample without an access log says so', () => {
    const reading = readingOf('wrong-observation');
    expect(severe(reading)).toEqual([]);
    expect(facts(reading).join(' ')).toContain('Use of privileged access not recorded');
    expect(facts(reading)[0]).toBe('customers.lookup answered with what stood 543 days before.');
  });

  it('R70 the transcript of the incident shows the gap and the second execution in place', () => {
    const reading = readingOf('ticket-incident');
    const { lines } = reading.transcript(emptyFilter, 0, 1000);
    const at = (test: (line: (typeof lines)[number]) => boolean): number => lines.findIndex(test);
    const first = at(({ title }) => title.includes('committed ticket 8421'));
    const gap = at(({ kind }) => kind === 'gap');
    const exit = at(({ title }) => title.includes('exited by SIGKILL'));
    const twice = at(({ kind }) => kind === 'executed-twice');
    const second = at(({ title }) => title.includes('committed ticket 8422'));
    expect([first >= 0, gap - first, exit > gap, second > exit, twice > second]).toEqual([true, 1, true, true, true]);
    for (const line of lines) expect(line.events.length).toBeGreaterThan(0);
  });

  it('R30 without the declaration of its flush policy, what the killed worker did not record reads absent or lost', () => {
    const events = readSample('ticket-incident').filter(({ type }) => type !== 'stream.declared');
    const titles = readEvents(events)
      .findings()
      .map(({ title }) => title);
    expect(titles).toContain('Ticket creation: acknowledgement absent or lost');
    expect(titles).toContain('Worker 1 was killed with records possibly unwritten');
  });

  it('R31 R100 without the stream of the service, two executions are no longer known', () => {
    const events = readSample('ticket-incident').filter(({ source }) => source.component !== 'ticket-service');
    const reading = readEvents(events.filter(({ type }) => type !== 'stream.declared'));
    const row = reading.effects().find(({ tool }) => tool === 'tickets.create');
    expect([row?.verdict, row?.noServiceRecords]).toEqual(['uncertain', true]);
    expect(reading.findings().map(({ rule }) => rule)).toContain('no-service-records');
  });

  it('R22 a call attributed to another step yields exactly that finding', () => {
    const events = readSample('clean-control').map((event) =>
      event.type === 'tool_call.dispatched' && event.data.tool === 'tickets.create'
        ? { ...event, step: '/step:plan#0' }
        : event,
    );
    expect(severe(readEvents(events))).toEqual(['unauthorised-call']);
  });

  it('R18 R71 nothing depends on the order of the lines', () => {
    const events = readSample('ticket-incident');
    const outcome = (list: readonly HindcastEvent[]): unknown => {
      const reading = readEvents(list);
      return [
        facts(reading),
        reading.findings().map(({ id }) => id),
        reading.transcript(emptyFilter, 0, 1000).lines.map(({ key }) => key),
      ];
    };
    expect(outcome(events.toReversed())).toEqual(outcome(events));
  });
});
