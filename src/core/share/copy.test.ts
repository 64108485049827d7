import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import {
  type Branches,
  type CausalIndex,
  type EventSource,
  computeProblems,
  createBranches,
  createIndexBuilder,
  createOrder,
  eventsToSource,
  hasBit,
} from '../causal/index.ts';
import { textToUtf8 } from '../base/hash.ts';
import {
  type HindcastEvent,
  branchId,
  digestBytes,
  eventId,
  eventToLine,
  mainBranch,
  parseEvent,
} from '../model/index.ts';
import { drawTrace } from '../model/testing/trace.ts';
import { closedPolicy, openClasses } from '../redaction/index.ts';
import { createContents } from '../replay/contents.ts';
import { textToEditFile } from '../replay/edit-file.ts';
import { replay } from '../replay/testing/replay-case.ts';
import { type Copy, type CopyRequest, encodePayload, makeCopy, omissionToWords } from './index.ts';

interface Opened {
  readonly events: readonly HindcastEvent[];
  readonly index: CausalIndex;
  readonly source: EventSource;
  readonly branches: Branches;
}

function open(text: string): Opened {
  const events = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const value = parseLossless(line);
      const event = value.ok ? parseEvent(value.value) : undefined;
      if (event?.ok !== true) throw new Error(`not an event: ${line.slice(0, 80)}`);
      return event.value;
    });
  const builder = createIndexBuilder();
  for (const event of events) builder.add(event);
  const index = builder.build();
  const source = eventsToSource(events);
  return { events, index, source, branches: createBranches(index, source) };
}

const incident = open(readFileSync('public/samples/ticket-incident.hindcast.jsonl', 'utf8'));

function copyOf(trace: Opened, request: Partial<CopyRequest> = {}): Copy {
  return makeCopy(trace.index, trace.source, trace.branches, {
    selection: { branches: [mainBranch], scope: { kind: 'all' } },
    policy: closedPolicy,
    secret: 'c'.repeat(32),
    title: 'copy',
    ...request,
  });
}

/** Every text and long number inside the payloads of the original that a reader could recognise. */
function textsOf(value: JsonValue | undefined, out: Set<string>): void {
  if (typeof value === 'string') {
    if (value.length >= 4) out.add(value);
  } else if (isJsonArray(value)) for (const item of value) textsOf(item, out);
  else if (isJsonObject(value)) for (const member of Object.values(value)) textsOf(member, out);
}

describe('a copy of a recorded incident', () => {
  it('R73 R75 R76 holds no text of a message, argument, result, name or person of the original', () => {
    const copy = copyOf(incident);
    const originals = new Set<string>();
    for (const event of incident.events) {
      if (isJsonObject(event.data)) textsOf(event.data, originals);
      for (const text of [
        event.agent,
        event.principal?.id,
        event.session,
        event.command?.path,
        event.source.version,
        event.time,
        event.run,
      ])
        if (text !== undefined) originals.add(text);
    }
    const values = new Set<string>();
    for (const event of open(copy.payload.stream).events)
      if (event.type !== 'share.declared' && isJsonObject(event.data)) textsOf(event.data, values);
    // Words of our own closed vocabularies, which say what kind of act it was and nothing of the case.
    const vocabulary = new Set([
      'external',
      'none',
      'fsync',
      'batch',
      'journal',
      'SIGKILL',
      'chat',
      'faulted',
      'control',
      'user',
      'system',
      'tool',
      'assistant',
      'holds',
      'violated',
      'sweep',
      'derived',
      'pass',
      'human',
      'executed',
      'allow',
    ]);
    const leaked = [...originals].filter(
      (text) =>
        !vocabulary.has(text) &&
        (values.has(text) || (text.length >= 10 && copy.payload.stream.includes(JSON.stringify(text).slice(1, -1)))),
    );
    expect(originals.size).toBeGreaterThan(300);
    expect(leaked).toEqual([]);
  });

  it('R74 keeps the shape of the graph', () => {
    const copy = open(copyOf(incident).payload.stream);
    expect(copy.index.edgeCounts).toEqual(incident.index.edgeCounts);
    expect(copy.events.length).toBe(incident.events.filter((event) => event.type !== 'content.stored').length + 1);
    expect(copy.index.dangling).toEqual([]);
  });

  it('a slice leaves a counted anchor and only what the event rests on', () => {
    const committed = incident.events.findLast((event) => event.type === 'effect.committed');
    const copy = copyOf(incident, {
      selection: { branches: [mainBranch], scope: { kind: 'slice', event: committed?.id ?? '' } },
    });
    expect(copy.events).toBeGreaterThan(10);
    expect(copy.events + copy.omitted).toBe(incident.events.filter((event) => event.type !== 'content.stored').length);
    expect(copy.omitted).toBeGreaterThan(0);
    expect(copy.lacking).toBe(copy.omitted);
    // What was left out is told by the anchor, not by holes in the numbering that would read as lost records.
    const sliced = open(copy.payload.stream);
    const codes = computeProblems({ ...sliced, order: createOrder(sliced.index) }).map(({ code }) => code);
    expect(codes.filter((code) => code === 'sequence-hole')).toEqual([]);
  });

  it('R74 what a slice of several branches lacks is told as of them all', () => {
    const { lines } = drawTrace(`
      worker/w/1:
        a step.started
        b step.completed <- a
      hindcast branch=b-1 notime:
        n branch.created {"parent":"main","fork":"a","frontier":{"minus":["b"]}}
        c step.completed <- a`);
    const trace = open(lines.join('\n'));
    const scope = { kind: 'slice', event: 'a' } as const;
    const wordsOf = (...branches: readonly string[]): string | undefined =>
      omissionToWords(copyOf(trace, { selection: { branches: branches.map(branchId), scope } }));
    expect(wordsOf('main', 'b-1')).toMatch(/^\d events? of these branches$/);
    expect(wordsOf('main', 'main')).toMatch(/^\d events? of this branch and \d events? of other branches$/);
  });

  it('the view that is shared speaks the ids of the copy', () => {
    const chosen = incident.events.find((event) => event.type === 'effect.committed');
    const copy = copyOf(incident, { view: { branch: 'main', event: chosen?.id, view: 'graph' } });
    const target = open(copy.payload.stream).events.find(
      (event) => event.id === eventId(copy.payload.view?.event ?? ''),
    );
    expect(target?.type).toBe('effect.committed');
    expect(copy.payload.view?.event).not.toBe(chosen?.id);
  });

  it('opening a class lets its values out, and says so', () => {
    const copy = copyOf(incident, { policy: openClasses(closedPolicy, ['effects', 'names']) });
    expect(copy.payload.stream).toContain('"8421"');
    expect(copy.payload.stream).toContain('tickets.create');
    expect(copy.leaves.find((leave) => leave.class === 'effects')?.kept).toBeGreaterThan(0);
  });

  it('fits a link for the closed default', () => {
    expect(encodePayload(copyOf(incident).payload).length).toBeLessThan(40_000);
  });
});

describe('the copy of a replayed branch', () => {
  /** The program alone is opened: nothing leaves of what a person put in, who they are, why, and of ids and digests. */
  function expectNothingOfOperation(whole: Opened, lines: readonly HindcastEvent[], branch: string): void {
    const started = lines.find((line) => line.type === 'replay.started');
    const operation = isJsonObject(started?.data) ? started.data['operation'] : undefined;
    const texts = new Set<string>();
    textsOf(operation, texts);
    const policy = openClasses(closedPolicy, ['program']);
    const { stream } = copyOf(whole, {
      policy,
      selection: { branches: [mainBranch, branchId(branch)], scope: { kind: 'all' } },
    }).payload;
    const ours = new Set(['edit', 'strict', 'pending', 'human', 'supplied']);
    const programs = new Set<string | undefined>(
      whole.events.flatMap((event) => (event.type === 'run.started' ? [event.data.program?.digest] : [])),
    );
    const secret = [...texts].filter((text) => !ours.has(text) && !programs.has(text) && text.length >= 8);
    expect(secret.length).toBeGreaterThan(8);
    expect(secret.filter((text) => stream.includes(JSON.stringify(text)))).toEqual([]);
    expect(stream).toContain('"operation"');
  }

  /** What a branch shows, in display order, by type; and the edges between what it shows. */
  function readBranch(
    { index, branches }: Opened,
    branch: string,
  ): { readonly types: string[]; readonly edges: number } {
    const visible = branches.visible(branchId(branch));
    const shown = [...createOrder(index).display].filter((position) => hasBit(visible, position));
    return {
      types: shown.map((position) => index.type(position)).filter((type) => !type.startsWith('share.')),
      edges: shown.reduce((sum, to) => sum + index.causesOf(to).filter(({ from }) => hasBit(visible, from)).length, 0),
    };
  }

  it('R33 R71 keeps the order of its lines, which stands in their ids, and all edges between what it shows', async () => {
    const sample = readFileSync('public/samples/wrong-observation.hindcast.jsonl', 'utf8');
    const file = textToEditFile(readFileSync('public/samples/wrong-observation.edit.json', 'utf8'));
    if (!file.ok) throw new Error(file.error);
    const { lines } = await replay(open(sample).events, file.value);
    const branch = lines[0]?.branch ?? mainBranch;
    const whole = open(sample + lines.map((line) => `${eventToLine(line)}\n`).join(''));
    const original = readBranch(whole, branch);
    for (const chosen of [[branch], [mainBranch, branch]]) {
      const copy = copyOf(whole, { selection: { branches: chosen, scope: { kind: 'all' } }, view: { branch } });
      const opened = open(copy.payload.stream);
      const copied = readBranch(opened, copy.payload.view?.branch ?? '');
      expect(copied.edges).toBe(original.edges);
      const own = opened.events.filter((event) => event.branch === copy.payload.view?.branch);
      expect(own.map(({ id }) => id)).toEqual(
        own.map((_, number) => `${copy.payload.view?.branch ?? ''}:${String(number)}`),
      );
      expect(own.map(({ type }) => type)).toEqual(lines.map(({ type }) => type));
      // What the lines of the branch replace gives them their exact place, and a copy of the branch alone leaves it out.
      const order = copied.types.filter((type) => type !== 'branch.created' && type !== 'replay.started');
      expect(order.indexOf('worker.spawned')).toBeLessThan(order.indexOf('run.completed'));
      if (chosen.length === 2) expect(copied.types).toEqual(original.types);
    }
    expectNothingOfOperation(whole, lines, branch);
  });
});

describe('values stored apart', () => {
  const text = JSON.stringify({ role: 'user', content: 'hello '.repeat(300) });
  const stored = digestBytes(textToUtf8(text));
  const reference = { $ref: stored, bytes: text.length };
  const binary = `sha256:${'7'.repeat(64)}`;

  function traceOf(mediaType: Record<string, string>): Opened {
    const own = { v: 1, run: '0af7651916cd43dd8448eb211c80319c', branch: 'main', source: { component: 'w' } };
    const records = [
      { ...own, id: 'a', type: 'content.stored', data: { digest: stored, text, ...mediaType } },
      { ...own, id: 'b', type: 'content.stored', data: { digest: binary, base64: 'AAAA' } },
      { ...own, id: 'c', type: 'model_call.requested', data: { args: { messages: [reference] } } },
      { ...own, id: 'd', type: 'model_call.completed', data: { result: reference } },
      { ...own, id: 'e', type: 'tool_call.completed', data: { result: { file: { $ref: binary, bytes: 3 } } } },
    ];
    return open(records.map((record) => JSON.stringify(record)).join('\n'));
  }

  it.each([{}, { mediaType: 'application/json' }, { mediaType: 'text/plain' }])(
    'R75 stand in their places as the replay reads them, at any depth, and their digests stay behind: %j',
    (mediaType) => {
      const trace = traceOf(mediaType);
      const policy = openClasses(closedPolicy, ['messages', 'results']);
      const { payload, holes } = copyOf(trace, { policy });
      const value = createContents(trace.events).resolve(reference);
      const [, requested, completed] = open(payload.stream).events;
      expect(requested?.data).toMatchObject({ args: { messages: [value] } });
      expect(completed?.data).toEqual({ result: value });
      expect(payload.stream).not.toContain(stored);
      expect(payload.stream).not.toContain(binary);
      expect(holes.find(({ pointer }) => pointer.endsWith('/file'))?.reason).toContain('binary');
    },
  );

  it('R75 what is stored under the digest of something else does not leave in the place of it', () => {
    const own = { v: 1, run: '0af7651916cd43dd8448eb211c80319c', branch: 'main', source: { component: 'w' } };
    const records = [
      { ...own, id: 'a', type: 'content.stored', data: { digest: stored, text: '{"note":"of another call"}' } },
      { ...own, id: 'b', type: 'model_call.completed', data: { result: reference } },
    ];
    const trace = open(records.map((record) => JSON.stringify(record)).join('\n'));
    const { payload, holes } = copyOf(trace, { policy: openClasses(closedPolicy, ['messages', 'results']) });
    expect(payload.stream).not.toContain('of another call');
    expect(holes.map(({ pointer, reason }) => [pointer, reason])).toContainEqual([
      '/data/result',
      'stored apart under the digest of something else',
    ]);
  });
});
