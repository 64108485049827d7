/** What a copy says of a branch: of a whole one what its original says, of a part nothing that rests on what was left out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseLossless } from '../base/lossless.ts';
import { createBranches } from '../causal/index.ts';
import { type HindcastEvent, branchId, mainBranch, parseEvent } from '../model/index.ts';
import type { BranchReading } from '../projections/reading.ts';
import { eventsToView, viewToProblems } from '../projections/testing/drawn-view.ts';
import { closedPolicy, openClasses, valueClasses } from '../redaction/index.ts';
import { textToEditFile } from '../replay/edit-file.ts';
import { replay } from '../replay/testing/replay-case.ts';
import { type CopyRequest, makeCopy } from '../share/index.ts';
import { createReading } from './index.ts';
import { rulesOfPresence } from './partial.ts';
import { rules } from './registry.ts';

const samples = join(import.meta.dirname, '../../../public/samples');

function parse(text: string): HindcastEvent[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const json = parseLossless(line);
      const event = json.ok ? parseEvent(json.value) : undefined;
      if (event?.ok !== true) throw new Error(`not an event: ${line.slice(0, 80)}`);
      return event.value;
    });
}

function read(events: readonly HindcastEvent[], branch: string): BranchReading {
  const view = eventsToView(events, branch);
  return createReading(view, viewToProblems(view));
}

interface OpenedCopy {
  readonly events: readonly HindcastEvent[];
  readonly branch: string;
}

function copyOf(events: readonly HindcastEvent[], branch: string, request: Partial<CopyRequest> = {}): OpenedCopy {
  const { index, source } = eventsToView(events);
  const copy = makeCopy(index, source, createBranches(index, source), {
    selection: { branches: [branchId(branch)], scope: { kind: 'all' } },
    policy: closedPolicy,
    secret: 'c'.repeat(32),
    title: 'copy',
    view: { branch },
    ...request,
  });
  return { events: parse(copy.payload.stream), branch: copy.payload.view?.branch ?? 'no branch' };
}

function factsOf(reading: BranchReading): string {
  return reading
    .headline()
    .facts.map((spans) => spans.map(({ text }) => text).join(''))
    .join('\n');
}

const everything = openClasses(
  closedPolicy,
  valueClasses.map(({ id }) => id),
);

let whole: readonly HindcastEvent[] = [];
let branch = '';

beforeAll(async () => {
  const events = parse(readFileSync(join(samples, 'wrong-observation.hindcast.jsonl'), 'utf8'));
  const file = textToEditFile(readFileSync(join(samples, 'wrong-observation.edit.json'), 'utf8'));
  if (!file.ok) throw new Error(file.error);
  const { lines } = await replay(events, file.value);
  // A sibling asked for some of the same before it stopped.
  const sibling = await replay(events, { ...file.value, supply: file.value.supply.slice(0, 2) });
  whole = [...events, ...sibling.lines, ...lines];
  branch = lines[0]?.branch ?? 'no branch';
});

describe('a copy of a branch alone', () => {
  it.each([
    ['everything kept', everything, /This branch lacks 9107 and mail-301, which exist outside\./],
    ['the closed policy', closedPolicy, /This branch lacks \S+ and \S+, which exist outside\./],
  ])('R47 R71 finds what the branch lacks, with %s', (_, policy, lacks) => {
    const copy = copyOf(whole, branch, { policy });
    const reading = read(copy.events, copy.branch);
    expect(factsOf(reading)).toMatch(lacks);
    expect(reading.headline().leftOut).toBeUndefined();
    const weighty = (one: BranchReading): string[] =>
      one.findings().flatMap(({ rule, severity }) => (severity === 'notice' ? [] : [rule]));
    expect(weighty(reading)).toEqual(weighty(read(whole, branch)));
  });

  it('R47 carries each effect that it lacks with the request and the answer, and where it forks', () => {
    const { events } = copyOf(whole, branch);
    const typesOf = (list: readonly HindcastEvent[], type: string): number =>
      list.filter((event) => event.branch === mainBranch && event.type === type).length;
    expect(typesOf(whole, 'effect.committed')).toBe(2);
    for (const type of ['effect.committed', 'tool_call.acknowledged'])
      expect([type, typesOf(events, type)]).toEqual([type, typesOf(whole, type)]);
    // All but what was made durable of the answer that was edited.
    const persisted = 'tool_call.result_persisted';
    expect(typesOf(events, persisted)).toBe(typesOf(whole, persisted) - 1);
    const created = events.find(({ type }) => type === 'branch.created');
    const fork = created?.type === 'branch.created' ? created.data.fork : undefined;
    expect(events.map(({ id }) => id as string)).toContain(fork);
    expect(new Set(events.map((event) => event.branch as string))).toEqual(new Set([mainBranch, created?.branch]));
  });

  it('says of the original, of which it holds a part, nothing that rests on what was left out', () => {
    const { events } = copyOf(whole, branch, { policy: everything });
    const reading = read(events, mainBranch);
    const { leftOut = 0, checked, violations, gaps } = reading.headline();
    const own = eventsToView(whole).positions.length;
    expect(leftOut).toBe(own - eventsToView(events).positions.length);
    expect([violations, gaps]).toEqual([0, 0]);
    expect(checked.filter(({ isOpen }) => isOpen === true)).toHaveLength(rules.length);
    expect(factsOf(reading)).toContain(
      `${String(leftOut)} events of this branch are left out of this copy: ${String(rules.length)} of ${String(rules.length)} checks are not decidable in this copy.`,
    );
    expect(factsOf(reading)).not.toMatch(/No violation|No request|not recorded|no records/);
    expect(new Set(reading.effects().map(({ verdict }) => verdict))).toEqual(new Set(['not decidable in this copy']));
  });
});

it('R35 R43 a branch that rests on what was left out may rest on what it does not inherit: that is not decidable', () => {
  const of = (events: readonly HindcastEvent[]): boolean | undefined => {
    const copy = copyOf(events, mainBranch, { policy: everything });
    expect(copy.events.some(({ type }) => type === 'share.omitted')).toBe(true);
    const { leftOut, checked } = read(copy.events, mainBranch).headline();
    expect(leftOut).toBeUndefined();
    return checked.find(({ rule }) => rule === 'order-problems')?.isOpen;
  };
  const own = whole.findLast((event) => event.branch === branch)?.id;
  const last = whole.findLast((event) => event.branch === mainBranch);
  if (own === undefined || last === undefined) throw new Error('a branch and its original');
  const mixed = whole.map((event): HindcastEvent =>
    event === last ? { ...event, causes: [...(event.causes ?? []), { event: own, as: 'caused_by' }] } : event,
  );
  expect(
    read(mixed, mainBranch)
      .findings()
      .map(({ title }) => title),
  ).toContain('Branches mixed with each other: 1');
  expect([of(whole), of(mixed)]).toEqual([undefined, true]);
});

describe('a copy of a part', () => {
  const incident = parse(readFileSync(join(samples, 'ticket-incident.hindcast.jsonl'), 'utf8'));
  const committed = incident.findLast(({ type }) => type === 'effect.committed')?.id ?? '';
  const slice = { branches: [mainBranch], scope: { kind: 'slice' as const, event: committed } };

  it('keeps what the records that are here establish, and makes no gap of what is not here', () => {
    const { events } = copyOf(incident, mainBranch, { selection: slice, policy: everything });
    const reading = read(events, mainBranch);
    const found = reading.findings();
    expect(found.map(({ rule }) => rule)).toContain('executed-twice');
    expect(found.every(({ rule }) => rulesOfPresence.has(rule))).toBe(true);
    expect(found[0]?.unknown.at(-1)).toMatch(/^What the \d+ events left out of this copy would tell\.$/);
    const { checked } = reading.headline();
    expect(checked.find(({ rule }) => rule === 'executed-twice')?.isOpen).toBeUndefined();
    expect(checked.find(({ rule }) => rule === 'commitment-without-acknowledgement')?.isOpen).toBe(true);
    expect(factsOf(reading)).toMatch(/are left out of this copy: \d+ of \d+ checks are not decidable/);
    expect(factsOf(reading)).toContain('executed twice');
  });

  it('a copy of the copy lacks what the first one lacked, and so does one that does not say of which branch', () => {
    const first = copyOf(incident, mainBranch, { selection: slice });
    const second = copyOf(first.events, mainBranch);
    expect(read(second.events, mainBranch).headline().leftOut).toBe(read(first.events, mainBranch).headline().leftOut);
    const older = first.events.map((event) =>
      event.type === 'share.omitted' ? { ...event, data: { events: 7 } } : event,
    );
    expect(read(older, mainBranch).headline().leftOut).toBe(7);
  });

  it('of a whole trace is no part; where nothing was found it says that what is withheld was not checked', () => {
    const clean = parse(readFileSync(join(samples, 'clean-control.hindcast.jsonl'), 'utf8'));
    const { events } = copyOf(clean, mainBranch);
    const reading = read(events, mainBranch);
    expect(reading.headline().leftOut).toBeUndefined();
    expect(factsOf(reading)).toMatch(
      /^No violation and no gap found in \d+ checks of this copy; what is withheld from it \(\d+ values\) was not checked\. /m,
    );
  });
});

it('every rule of presence is a rule', () => {
  const ids = new Set(rules.map(({ id }) => id));
  expect([...rulesOfPresence].filter((id) => !ids.has(id))).toEqual([]);
});
