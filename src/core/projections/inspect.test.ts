/** What the inspector says of an event; in the shipped samples, what it offers for editing in its place. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseLossless } from '../base/lossless.ts';
import { type EventId, type HindcastEvent, eventId, mainBranch, parseEvent } from '../model/index.ts';
import { drawReader, eventsToReader } from './testing/drawn-reader.ts';
import { eventsToView } from './testing/drawn-view.ts';
import type { TraceView } from './trace-view.ts';

const samples = join(import.meta.dirname, '../../../public/samples');

function readSample(name: string): readonly HindcastEvent[] {
  const lines = readFileSync(join(samples, name), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const json = parseLossless(line);
    const event = json.ok ? parseEvent(json.value) : undefined;
    return event?.ok === true ? [event.value] : [];
  });
}

function isCause(view: TraceView, cause: EventId, event: EventId): boolean {
  const wanted = view.index.find(cause);
  const queue = [view.index.find(event)];
  const seen = new Set(queue);
  for (const here of queue) {
    for (const { from } of view.causesOf(here)) {
      if (from === wanted) return true;
      if (seen.has(from)) continue;
      seen.add(from);
      queue.push(from);
    }
  }
  return false;
}

const names = readdirSync(samples).filter((name) => name.endsWith('.hindcast.jsonl'));

it.each(names)('%s: what is offered to edit in place of an event is one of its causes', (name) => {
  const events = readSample(name);
  const [view, reader] = [eventsToView(events), eventsToReader(events)];
  const offers = events.flatMap(({ id }) => {
    const cause = reader.inspect(mainBranch, id)?.editableCause;
    return cause === undefined ? [] : [{ id, cause: cause.id }];
  });
  expect(offers.length).toBeGreaterThan(0);
  expect(offers.filter(({ id, cause }) => !isCause(view, cause, id))).toEqual([]);
});

it('R145 names that turn a line around or fill a page are escaped and cut wherever an event is explained', () => {
  const turned = '\u202egnp.exe\u202c';
  const long = 'N'.repeat(100_000);
  for (const name of [turned, long]) {
    const events = readSample('wrong-observation.hindcast.jsonl').map((event): HindcastEvent => {
      const named = { ...event, agent: name, session: name, step: name, source: { ...event.source, component: name } };
      return named;
    });
    const reader = eventsToReader(events);
    for (const { id, type } of events) {
      const found = reader.inspect(mainBranch, id);
      const matrix = type === 'decision.made' ? reader.decisionProvenance(mainBranch, id) : undefined;
      const cells = (matrix?.cells ?? []).flatMap(({ entries }) => entries.map(({ value }) => value));
      const short = [found?.row.title, found?.row.source, ...(found?.chain ?? []).map(({ value }) => value), ...cells];
      const facts = [...(found?.identity ?? []), ...(found?.persistence ?? [])].map(({ value }) => value);
      expect([...short, ...facts].filter((text) => /[\u202a-\u202e]/.test(text ?? ''))).toEqual([]);
      expect(short.filter((text) => (text ?? '').length > 1000)).toEqual([]);
      expect(facts.filter((text) => (text ?? '').length > 2000)).toEqual([]);
    }
  }
});

describe('an event with very many neighbours', () => {
  const sources = Array.from({ length: 5000 }, (_, at) => `s${at}`);
  const reader = drawReader(`
    worker:
      pol policy.evaluated {"policy":"limit","verdict":"allow"}
      ${sources.map((id) => `${id} artifact.used {"name":"${id}"}`).join('\n      ')}
      d decision.made <- ${sources.map((id) => `${id}:consumed`).join(', ')}, pol:authorized_by {"chosen":1}
      ${sources.map((id) => `a${id} step.started <- d:caused_by {"name":"${id}"}`).join('\n      ')}
      n annotation.made {"annotator":{"id":"maya","kind":"human"},"target":${JSON.stringify(sources)},"label":"all"}
  `);
  const found = reader.inspect(mainBranch, eventId('d'));

  it('lists a bounded part of either side, some of every kind, and counts the rest', () => {
    const kinds = new Map<string, number>();
    for (const { as } of found?.causes.listed ?? []) kinds.set(as, (kinds.get(as) ?? 0) + 1);
    expect([...kinds]).toEqual([
      ['consumed', 199],
      ['authorized_by', 1],
    ]);
    expect(found?.causes.unlisted).toEqual([{ as: 'consumed', count: 4801 }]);
    expect(found?.causes.listed[0]?.row.id).toBe('s0');
    expect(found?.effects.listed.length).toBe(200);
    expect(found?.effects.unlisted).toEqual([{ as: 'caused_by', count: 4800 }]);
  });

  it('has notes and targets of notes bounded and counted alike', () => {
    const about = reader.inspect(mainBranch, eventId('n'))?.about;
    expect([about?.listed.length, about?.unlisted]).toEqual([200, 4800]);
  });
});

it('a dispatch leads to the decision it rests on, not to its own answer', () => {
  const events = readSample('wrong-observation.hindcast.jsonl');
  const reader = eventsToReader(events);
  const titles = events.flatMap(({ id }) => {
    const found = reader.inspect(mainBranch, id);
    return found?.row.title.startsWith('warranty-desk dispatched tickets.create') === true
      ? [found.editableCause?.title]
      : [];
  });
  expect(titles).toEqual(['warranty-desk chose offers']);
});

it('what programs read otherwise than it is written is told where its event is read, once, whoever told of the record', () => {
  const told = (data: string, code?: string) => {
    const problems =
      code === undefined ? [] : [{ code, message: 'line 1', severity: 'notice', events: [eventId('a')] } as const];
    const remarks = drawReader(`w:\n  a run.started {"input":${data}}`, { problems }).inspect(mainBranch, eventId('a'));
    return remarks?.remarks.map(({ message }) => message);
  };
  const long = 'The number "data.input.n" is written 9007199254740993123, which programs read as another number or';
  const twice = 'The member "data.input.n" stands more than once in its object.';
  expect(told('{"n":1}')).toEqual([]);
  expect(told('{"n":9007199254740993123}')).toEqual([expect.stringContaining(long)]);
  expect(told('{"n":1e999,"n":2}')).toEqual([expect.stringContaining(twice), expect.stringContaining('1e999')]);
  expect(told('{"n":9007199254740993123}', 'inexact-number')).toEqual(['line 1']);
  expect(told('{"n":9007199254740993123}', 'other')).toEqual(['line 1', expect.stringContaining(long)]);
});
