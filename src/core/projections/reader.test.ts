import { describe, expect, it } from 'vitest';
import { branchId, computeDeclarations, eventId, mainBranch } from '../model/index.ts';
import { drawTrace } from '../model/testing/trace.ts';
import { computeTools } from '../replay/index.ts';
import { chainEvents, fanEvents } from '../causal/testing/long.ts';
import { emptyFilter } from './matching.ts';
import { drawReader, eventsToReader } from './testing/drawn-reader.ts';
import type { ConeRequest, Finding, TraceReader } from './trace-reader.ts';

const incident = `
  harness:
    decl  stream.declared {"producers":[{"component":"worker","flush":"fsync"}]}
  worker/w/1 agent=planner step=17:
    run   run.started {"program":{"name":"support","version":"3","source":"…"},"input":{"case":1}} & {"principal":{"id":"maya"}}
    plan  decision.made path=/decide:act#0 delivered=1 <- run {"chosen":"open"}
    ask   tool_call.dispatched path=/write:ticket#0 attempt=1 durable=durable <- plan:selected_by {"tool":"tickets.create","effect":"external"}
  tickets:
    made  effect.committed <- ask:result_of {"effect":{"kind":"tickets.create","id":"8421"}}
  harness:
    kill  worker.exited {"signal":"SIGKILL"}
  worker/w/2 agent=planner step=17:
    again  worker.started <- kill {"resume":"journal"}
    ask2   tool_call.dispatched path=/write:ticket#0 attempt=1 <- plan:selected_by, again {"tool":"tickets.create","effect":"external"}
    sent   tool_call.completed path=/write:ticket#0 attempt=1 delivered=4 <- ask2:result_of {"result":{"id":8422}}
`;

const gap: Finding = {
  id: 'gap-1',
  rule: 'R26',
  title: 'No acknowledgment',
  text: 'Dispatched, not acknowledged.',
  severity: 'gap',
  evidence: [eventId('ask'), eventId('made')],
  known: [],
  unknown: [],
  interval: 'commitment to acknowledgment',
};

function ids(reader: TraceReader, filter = emptyFilter): string[] {
  return reader.rows(mainBranch, filter, 0, 1000).rows.map(({ id }) => id);
}

describe('rows', () => {
  const reader = drawReader(incident, { findings: [gap] });

  it('come in display order with titles, marks and bases', () => {
    expect(reader.rows(mainBranch, emptyFilter, 3, 5)).toEqual({
      total: 9,
      from: 3,
      rows: [
        {
          id: 'ask',
          type: 'tool_call.dispatched',
          family: 'tool',
          title: 'planner dispatched tickets.create',
          agent: 'planner',
          source: 'worker 1',
          step: '17',
          branch: 'main',
          time: '2026-01-01T00:00:03.000Z',
          failed: false,
          effect: true,
          findings: 1,
          problems: 0,
        },
        expect.objectContaining({ id: 'made', title: 'tickets committed ticket 8421', effect: true, findings: 1 }),
      ],
      hidden: 0,
    });
  });

  it('count what a filter hides, and find the row of an event under it', () => {
    const filter = { ...emptyFilter, families: ['tool' as const] };
    expect(ids(reader, filter)).toEqual(['ask', 'ask2', 'sent']);
    expect(reader.rows(mainBranch, filter, 1, 2)).toMatchObject({ total: 3, from: 1, hidden: 6 });
    expect(['ask', 'ask2', 'sent', 'made'].map((id) => reader.rowOf(mainBranch, filter, eventId(id)))).toEqual([
      0, 1, 2, -1,
    ]);
    expect(reader.rowOf(mainBranch, emptyFilter, eventId('ask2'))).toBe(7);
    expect(reader.rowOf(mainBranch, emptyFilter, eventId('nobody'))).toBe(-1);
  });

  it('filter by each field and by text of the record, whatever its case', () => {
    expect(ids(reader, { ...emptyFilter, types: ['worker'] })).toEqual(['kill', 'again']);
    expect(
      ids(reader, { ...emptyFilter, agents: ['planner'], steps: ['17'], types: ['run', 'decision.made'] }),
    ).toEqual(['run', 'plan']);
    expect(ids(reader, { ...emptyFilter, branches: ['b-1'] })).toEqual([]);
    expect(ids(reader, { ...emptyFilter, text: 'sigkill' })).toEqual(['kill']);
  });
});

describe('overview', () => {
  it('has lanes by agent and producer, bins with errors and effects, and marks', () => {
    const { length, buckets, lanes, marks } = drawReader(incident, { findings: [gap] }).overview(
      mainBranch,
      emptyFilter,
      3,
    );
    expect([length, buckets]).toEqual([9, 3]);
    expect(lanes.map(({ id, kind, bins }) => [id, kind, bins.map(({ bucket, count }) => [bucket, count])])).toEqual([
      [
        'agent:planner',
        'agent',
        [
          [0, 2],
          [1, 1],
          [2, 3],
        ],
      ],
      [
        'producer:harness',
        'producer',
        [
          [0, 1],
          [1, 1],
        ],
      ],
      ['producer:tickets', 'producer', [[1, 1]]],
    ]);
    expect(lanes[2]?.bins[0]).toEqual({ bucket: 1, count: 1, family: 'effect', errors: 0, effects: 1, first: 'made' });
    expect(lanes[1]?.bins[1]).toMatchObject({ family: 'fault', errors: 1 });
    expect(marks.map(({ kind, bucket, event }) => [kind, bucket, event])).toEqual([
      ['kill', 1, 'kill'],
      ['gap', 1, 'made'],
    ]);
  });

  it('tells sessions apart that use one name for their agent, else runs; one session keeps one lane', () => {
    const labels = (drawing: string): readonly string[] =>
      drawReader(drawing)
        .overview(mainBranch, emptyFilter, 9)
        .lanes.map(({ label }) => label);
    const session = '5c0375b4-57a5-4f26-b12d-d022ee4e51b7';
    expect(
      labels(`w agent=main session=${session}:\n a step.started\nw agent=main session=s-2 run=2:\n b step.started`),
    ).toEqual(['main, session 5c0375b4', 'main, session s-2']);
    expect(labels('w agent=main:\n a step.started\nw/x agent=main run=2:\n b step.started')).toEqual(['main']);
    const many = Array.from({ length: 20 }, (_none, i) => `w agent=main session=s-${i}:\n e${i} step.started`);
    expect(labels(many.join('\n'))).toEqual(['main, in 20 sessions']);
  });

  it('R71 leaves what a copy says of itself out of lanes, rows and counts, and keeps it in reach', () => {
    const reader = drawReader(
      'hindcast:\n copy share.declared {"policy":{},"holes":[]}\n cut share.omitted {"events":3}\nw agent=a:\n x run.started <- cut & {"principal":{"id":"maya"}}',
    );
    expect(reader.overview(mainBranch, emptyFilter, 9)).toMatchObject({ length: 1, lanes: [{ label: 'a' }] });
    expect(reader.rows(mainBranch, emptyFilter, 0, 9)).toMatchObject({ total: 1, hidden: 0 });
    expect(reader.summary()).toMatchObject({
      counts: { events: 1 },
      copy: { declared: 'copy', omitted: 'cut' },
      branches: [{ id: 'main', ownEvents: 1 }],
    });
    expect(reader.inspect(mainBranch, eventId('copy'))?.row.title).toBe('this is a redacted copy');
    expect(reader.chain(mainBranch, eventId('copy')).map(({ value }) => value)).not.toContain('maya');
    const cone = reader.cone(mainBranch, { focus: eventId('x'), up: 1, down: 1, limit: 9, expanded: [] });
    expect(cone.nodes.map(({ id }) => id)).toContain('cut');
  });

  it('marks a second start of a worker, counts what is hidden and never makes more buckets than events', () => {
    const reader = drawReader('w:\n  a worker.started\n  b worker.started\n  c step.started');
    const overview = reader.overview(mainBranch, { ...emptyFilter, types: ['step'] }, 100);
    expect(overview.marks.map(({ kind, event }) => [kind, event])).toEqual([['restart', 'b']]);
    expect([overview.buckets, overview.hidden]).toEqual([3, 2]);
    expect(drawReader('').overview(mainBranch, emptyFilter, 10)).toEqual({
      length: 0,
      buckets: 1,
      lanes: [],
      marks: [],
      hidden: 0,
    });
  });
});

describe('a part of the overview', () => {
  const reader = drawReader(incident, { findings: [gap] });

  it('has the lanes of the whole, and every event of its rows once (scale: level of detail)', () => {
    const whole = reader.overview(mainBranch, emptyFilter, 1000);
    const part = reader.overview(mainBranch, emptyFilter, 2, { from: 3, to: 7 });
    expect(part.lanes.map(({ id }) => id)).toEqual(whole.lanes.map(({ id }) => id));
    expect(part).toMatchObject({ length: whole.length, buckets: 2 });
    const count = part.lanes.flatMap(({ bins }) => bins).reduce((sum, bin) => sum + bin.count, 0);
    expect(count).toBe(4);
    const errors = part.lanes.flatMap(({ bins }) => bins).reduce((sum, bin) => sum + bin.errors, 0);
    const failed = whole.lanes
      .flatMap(({ bins }) => bins)
      .filter(({ bucket, errors: n }) => n > 0 && bucket >= 3 && bucket < 7);
    expect(errors).toBe(failed.length);
    expect(part.marks.length).toBeLessThanOrEqual(whole.marks.length);
  });

  it('draws the busiest lanes and counts the others together', () => {
    const drawing = Array.from({ length: 40 }, (_none, i) => `w/w-${i}/1 agent=a${i}:\n  e${i} step.started`);
    const { lanes } = drawReader(`${drawing.join('\n')}\nw/w-7/1 agent=a7:\n  more step.started`).overview(
      mainBranch,
      emptyFilter,
      5,
    );
    expect(lanes).toHaveLength(32);
    expect(lanes.at(-1)).toMatchObject({ kind: 'rest', label: '9 more' });
    expect(lanes.some(({ id }) => id === 'agent:a7')).toBe(true);
    const count = lanes.flatMap(({ bins }) => bins).reduce((sum, bin) => sum + bin.count, 0);
    expect(count).toBe(41);
  });
});

describe('bins', () => {
  it('let one effect or fault win over any number of others, and take the most frequent else', () => {
    const drawing = (last: string): string => `a step.started\nb step.started\nc state.transitioned\nd ${last}`;
    const familyOf = (last: string): unknown =>
      drawReader(drawing(last)).overview(mainBranch, emptyFilter, 1).lanes[0]?.bins[0]?.family;
    expect(['effect.refused', 'heartbeat.missed', 'state.transitioned'].map(familyOf)).toEqual([
      'effect',
      'fault',
      'state',
    ]);
    expect(familyOf('run.completed')).toBe('step');
  });
});

describe('cone', () => {
  const request = (focus: string, more: Partial<ConeRequest> = {}): ConeRequest => ({
    focus: eventId(focus),
    up: 2,
    down: 2,
    limit: 100,
    expanded: [],
    ...more,
  });

  it('holds causes and effects so many steps away, and counts what it leaves out', () => {
    const cone = drawReader(incident).cone(mainBranch, request('ask', { up: 1, down: 1 }));
    expect(cone.nodes.map(({ id, y, hiddenCauses, hiddenEffects }) => [id, y, hiddenCauses, hiddenEffects])).toEqual([
      ['plan', 0, 1, 1],
      ['ask', 1, 0, 0],
      ['made', 2, 0, 0],
    ]);
    expect(cone.edges).toEqual([
      { from: 'plan', to: 'ask', as: 'selected_by', grade: 'recorded' },
      { from: 'ask', to: 'made', as: 'result_of', grade: 'recorded' },
    ]);
    expect(new Set(cone.nodes.map(({ x }) => x)).size).toBe(2);
  });

  it('cuts at the limit and expands by hand', () => {
    const reader = drawReader(incident);
    const small = reader.cone(mainBranch, request('plan', { limit: 2 }));
    expect(small.nodes.map(({ id }) => id)).toEqual(['run', 'plan']);
    expect(small.nodes[1]?.hiddenEffects).toBe(2);
    const open = (...expanded: readonly string[]): readonly string[] =>
      reader
        .cone(mainBranch, request('made', { up: 0, down: 0, limit: 1, expanded: expanded.map(eventId) }))
        .nodes.map(({ id }) => id);
    expect(open('made')).toEqual(['ask', 'made']);
    expect(open('made', 'ask', 'plan')).toEqual(['run', 'plan', 'ask', 'made', 'ask2']);
    // A node that is not in the picture opens nothing: its neighbours would stand there without a way to the focus.
    expect(open('plan')).toEqual(['made']);
  });

  it('R26 puts a gap node after the evidence, in its lane, with the interval named', () => {
    const cone = drawReader(incident, { findings: [gap] }).cone(mainBranch, request('ask', { up: 0, down: 1 }));
    const node = cone.nodes.find(({ kind }) => kind === 'gap');
    const made = cone.nodes.find(({ id }) => id === 'made');
    expect(node).toMatchObject({
      id: 'gap:gap-1',
      title: 'commitment to acknowledgment',
      x: made?.x,
      y: (made?.y ?? 0) + 1,
    });
    expect(cone.edges.at(-1)).toEqual({ from: 'made', to: 'gap:gap-1', as: 'gap', grade: 'inferred', rule: 'R26' });
    expect(drawReader(incident, { findings: [gap] }).cone(mainBranch, request('run', { down: 0 })).nodes).toHaveLength(
      1,
    );
  });

  const unanswered = incident.replace(/^.* sent .*\n/m, '');

  it('R147 marks a dispatch of which neither a commitment nor an answer is told', () => {
    const marked = (drawing: string): readonly string[] =>
      drawReader(drawing)
        .cone(mainBranch, request('plan'))
        .nodes.filter(({ kind }) => kind === 'insertion-point')
        .map(({ id }) => id);
    expect(marked(unanswered)).toEqual(['ask2']);
    expect(marked(incident)).toEqual([]);
  });

  it('R147 tells the same of that dispatch alone', () => {
    const reader = drawReader(unanswered);
    const marked = ['ask', 'made', 'ask2', 'sent'].filter((id) => reader.inspect(mainBranch, eventId(id))?.canStepIn);
    expect(marked).toEqual(['ask2']);
  });

  it('gives no two nodes one place, also where a lane has several on a rank', () => {
    const { nodes } = eventsToReader(fanEvents(50)).cone(mainBranch, request('model'));
    expect(nodes).toHaveLength(51);
    expect(new Set(nodes.map(({ x, y }) => `${x},${y}`)).size).toBe(51);
  });

  it('keeps lanes apart however wide they are', () => {
    const { nodes } = drawReader(`
      a  step.started noseq agent=p
      b1  step.started noseq agent=p <- a
      b2  step.started noseq agent=p <- a
      b3  step.started noseq agent=p <- a
      c  step.started noseq agent=q <- a
    `).cone(mainBranch, request('a'));
    expect(nodes.map(({ id, x, y }) => [id, x, y])).toEqual([
      ['a', 0, 0],
      ['b1', 0, 1],
      ['b2', 1, 1],
      ['b3', 2, 1],
      ['c', 3, 1],
    ]);
  });

  it('G8 answers in a fan-out of 100,000 and a chain of 200,000', () => {
    const fan = eventsToReader(fanEvents(100_000)).cone(mainBranch, request('model', { limit: 30 }));
    expect(fan.nodes).toHaveLength(30);
    expect(fan.nodes[0]?.hiddenEffects).toBe(100_001 - 30);
    const chain = eventsToReader(chainEvents(200_000)).cone(mainBranch, request('e100000', { up: 9, down: 9 }));
    expect(chain.nodes.map(({ y }) => y)).toEqual(Array.from({ length: 19 }, (_, i) => i));
  });

  it('is laid out although events cause each other', () => {
    const cone = drawReader('a step.started noseq <- b\nb step.started noseq <- a').cone(mainBranch, request('a'));
    expect(cone.nodes.map(({ y }) => y)).toEqual([0, 1]);
    expect(cone.edges).toHaveLength(2);
  });
});

describe('inspect and chain', () => {
  const reader = drawReader(incident, { findings: [gap] });

  it('R8 lists identity and persistence, with "not recorded" where they are not', () => {
    const inspection = reader.inspect(mainBranch, eventId('ask'));
    expect(inspection?.identity).toContainEqual({ name: 'agent', value: 'planner', basis: 'recorded' });
    expect(inspection?.identity).toContainEqual({ name: 'principal', basis: 'not recorded' });
    expect(inspection?.identity).toContainEqual({ name: 'attempt', value: '1', basis: 'recorded' });
    expect(inspection?.persistence).toContainEqual({ name: 'persistence', value: 'durable', basis: 'recorded' });
    expect(inspection?.persistence).toContainEqual({
      name: 'flush policy of producer',
      value: 'fsync',
      basis: 'derived',
    });
    expect(reader.inspect(mainBranch, eventId('made'))?.persistence).toContainEqual({
      name: 'persistence',
      basis: 'not recorded',
    });
    expect(inspection?.causes.listed.map(({ row, as }) => [row.id, as])).toEqual([['plan', 'selected_by']]);
    expect(inspection?.effects.listed.map(({ row }) => row.id)).toEqual(['made']);
    expect(inspection?.findings).toEqual([gap]);
    expect(JSON.parse(inspection?.raw ?? '')).toEqual(inspection?.event);
    expect(reader.inspect(mainBranch, eventId('nobody'))).toBeUndefined();
  });

  it('offers what was delivered, decided or put in for editing, and nothing else', () => {
    const editable = (id: string): unknown => reader.inspect(mainBranch, eventId(id))?.editable;
    expect(editable('sent')).toEqual({ what: 'observation', value: { id: 8422 } });
    expect(editable('plan')).toEqual({ what: 'decision', value: 'open' });
    expect(editable('run')).toEqual({ what: 'input', value: { case: 1 } });
    expect(['ask', 'made', 'kill'].map(editable)).toEqual([undefined, undefined, undefined]);
    const cause = (id: string): unknown => reader.inspect(mainBranch, eventId(id))?.editableCause?.id;
    expect(['sent', 'ask', 'made', 'kill'].map(cause)).toEqual([undefined, 'plan', 'plan', undefined]);
  });

  it('R21 R61 gives the chain from effect to agent with the basis of each link', () => {
    const chain = reader.chain(mainBranch, eventId('made'));
    expect(chain.map(({ what, event, basis }) => [what, event, basis])).toEqual([
      ['effect', 'made', 'recorded'],
      ['tool call', 'ask', 'derived'],
      ['decision', 'plan', 'derived'],
      ['step', 'ask', 'derived'],
      ['session', 'made', 'recorded'],
      ['agent', 'ask', 'derived'],
      ['principal', 'run', 'derived'],
      ['run', undefined, 'recorded'],
    ]);
    expect(chain[0]?.value).toBe('ticket 8421');
  });

  it('R21 gives it back from the decision, and says what is not recorded', () => {
    expect(
      reader
        .chain(mainBranch, eventId('plan'))
        .slice(0, 3)
        .map(({ event }) => event),
    ).toEqual(['made', 'ask', 'plan']);
    expect(reader.chain(mainBranch, eventId('kill')).map(({ what, basis }) => [what, basis])).toEqual([
      ['session', 'recorded'],
      ['principal', 'derived'],
      ['run', 'recorded'],
    ]);
    const bare = drawReader('w:\n a tool_call.dispatched {"tool":"x","effect":"external"}');
    expect(
      bare.chain(mainBranch, eventId('a')).flatMap(({ what, value }) => (value === undefined ? [what] : [])),
    ).toEqual(['effect', 'decision', 'step', 'agent', 'principal']);
  });

  it('leaves out what cannot stand on a record of its type, and misses what can', () => {
    const missed = (lines: string, id: string): readonly string[] => {
      const inspection = drawReader(lines).inspect(mainBranch, eventId(id));
      return [
        ...(inspection?.identity ?? []),
        ...(inspection?.persistence ?? []),
        ...(inspection?.chain ?? []),
      ].flatMap((one) => (one.basis === 'not recorded' ? ['name' in one ? one.name : one.what] : []));
    };
    const exit = missed('w:\n x worker.exited {"signal":"SIGKILL"}', 'x');
    for (const what of ['step', 'agent', 'command', 'privileged path', 'attempt', 'effect', 'decision', 'on behalf of'])
      expect(exit).not.toContain(what);
    const ask = missed('w:\n a tool_call.dispatched path=/write:x#0 {"tool":"x","effect":"external"}', 'a');
    for (const what of ['step', 'agent', 'principal', 'attempt', 'digest of arguments', 'effect', 'decision'])
      expect(ask).toContain(what);
    expect(ask).not.toContain('position of delivery');
    expect(missed('w:\n a tool_call.dispatched path=/read:x#0 {"tool":"x","effect":"none"}', 'a')).not.toContain(
      'effect',
    );
    expect(missed('w:\n a access.exercised {"role":"admin"}', 'a')).toContain('privileged path');
  });
});

describe('summary', () => {
  it('counts and names what was opened', () => {
    const summary = drawReader(incident).summary();
    expect(summary).toMatchObject({
      format: 'hindcast',
      counts: { input: 9, mapped: 9, merged: 0, problems: 0, events: 9 },
      edges: { recorded: 7, inferred: 0, clockOnly: 0 },
      agents: [{ name: 'planner', count: 6 }],
      clocks: ['clock-1'],
      branches: [{ id: 'main', label: 'original', ownEvents: 9 }],
    });
    expect(summary.producers).toEqual([
      { component: 'harness', incarnation: '1', events: 2 },
      { component: 'tickets', incarnation: '1', events: 1 },
      { component: 'worker', instance: 'w', incarnation: '1', events: 3, flush: 'fsync' },
      { component: 'worker', instance: 'w', incarnation: '2', events: 3, flush: 'fsync' },
    ]);
    expect(summary.runs).toEqual([
      {
        run: '00000000000000000000000000000001',
        events: 9,
        program: { name: 'support', version: '3', hasSource: true },
        outcome: 'not recorded',
      },
    ]);
  });
});

describe('declarations', () => {
  it('R30 of two declarations of one name the first in display order counts, whoever asks', () => {
    const tool = (service: string): string => `"tools":[{"name":"mail","service":"${service}","effect":"external"}]`;
    const drawing = `
      late/l/1:
        d2  stream.declared time=2026-01-01T00:00:09Z {"producers":[{"component":"worker","flush":"fsync"}],${tool('b')}}
      harness:
        d1  stream.declared time=2026-01-01T00:00:00Z {"producers":[{"component":"worker","flush":"batch"}],${tool('a')}}
      worker:
        run run.started time=2026-01-01T00:00:01Z {}
    `;
    const reader = drawReader(drawing);
    expect(reader.summary().producers.find(({ component }) => component === 'worker')?.flush).toBe('batch');
    expect(reader.inspect(mainBranch, eventId('run'))?.persistence).toContainEqual({
      name: 'flush policy of producer',
      value: 'batch',
      basis: 'derived',
    });
    const inOrder = drawTrace(drawing).events.toSorted((a, b) => ((a.time ?? '') < (b.time ?? '') ? -1 : 1));
    expect(computeDeclarations(inOrder).producers.get('worker')).toBe('batch');
    expect(computeDeclarations(inOrder).tools.get('mail')?.service).toBe('a');
    expect(computeTools(inOrder).get('mail')?.service).toBe('a');
  });
});

describe('branches', () => {
  const forked = `
    a  decision.made
    b  model_call.completed <- a
    hindcast branch=b-1 noseq notime:
      b-1:0  branch.created {"parent":"main","fork":"b","frontier":{"base":"main","minus":["b"]}}
      b-1:1  replay.started {"operation":{"kind":"edit","targets":[{"path":"/model:x#0"}]}}
      b-1:2  model_call.completed supersedes=b <- a
      b-1:3  replay.completed {"status":"complete"}
  `;

  it('R42 never mix, in any answer', () => {
    const reader = drawReader(forked);
    const branch = branchId('b-1');
    expect(ids(reader)).toEqual(['a', 'b']);
    const shown = reader.rows(branch, emptyFilter, 0, 9).rows.map(({ id }) => id);
    expect(shown.join(' ')).toBe('a b-1:0 b-1:1 b-1:2 b-1:3');
    expect(reader.inspect(mainBranch, eventId('b-1:2'))).toBeUndefined();
    expect(reader.inspect(mainBranch, eventId('a'))?.effects.listed.map(({ row }) => row.id)).toEqual(['b']);
    expect(reader.inspect(branch, eventId('a'))?.effects.listed.map(({ row }) => row.id)).toEqual(['b-1:2']);
    expect(reader.cone(branch, { focus: eventId('b'), up: 1, down: 1, limit: 9, expanded: [] }).nodes).toEqual([]);
    expect(reader.chain(mainBranch, eventId('b-1:2'))).toEqual([]);
  });

  it('who gave no name is nobody in the label, and "someone not named" in a sentence', () => {
    const by = (actor: string): readonly (string | undefined)[] => {
      const reader = drawReader(
        forked
          .replace('"kind":"edit"', `"kind":"edit","actor":{"id":"${actor}"}`)
          .replace('supersedes=b <- a', `supersedes=b <- a & {"origin":"supplied","principal":{"id":"${actor}"}}`),
      );
      return [reader.summary().branches[1]?.label, reader.inspect(branchId('b-1'), eventId('b-1:2'))?.row.title];
    };
    expect(by('not named')).toEqual(['edit of x', 'the model answered (put in by someone not named)']);
    expect(by('maya')).toEqual(['edit of x by maya', 'the model answered (put in by maya)']);
  });

  it('R146 are counted once, however many there are and however often the overview is drawn', () => {
    const lines = Array.from(
      { length: 200 },
      (_, i) =>
        `b-${i}:0 branch.created branch=b-${i} {"parent":"main","fork":"a"}\n  b-${i}:1 replay.started branch=b-${i} {"operation":{"kind":"verify"}}`,
    );
    const { events } = drawTrace(`w:\n  a decision.made\nhindcast noseq notime:\n  ${lines.join('\n  ')}`);
    let asked = 0;
    const reader = eventsToReader(events, { onBranch: () => asked++ });
    expect(reader.summary().branches).toHaveLength(201);
    for (let zoom = 1; zoom < 9; zoom++) reader.overview(mainBranch, emptyFilter, zoom);
    expect(reader.summary().branches[7]).toMatchObject({ label: 'unedited replay', ownEvents: 2 });
    expect(asked).toBeLessThan(50 * events.length);
  });

  it('are named by their operation and marked where they fork', () => {
    const reader = drawReader(forked);
    expect(reader.summary().branches[1]).toEqual({
      id: 'b-1',
      parent: 'main',
      label: 'edit of x',
      status: 'complete',
      ownEvents: 4,
      fork: 'b',
    });
    expect(reader.overview(mainBranch, emptyFilter, 9).marks).toEqual([
      { kind: 'fork', bucket: 1, label: 'edit of x', event: 'b' },
    ]);
  });
});

describe('problems and content', () => {
  it('a remark marks no row, and is told where its event is read', () => {
    const told = (severity: 'problem' | 'notice') => {
      const problems = [{ code: 'x', message: 'no effect is said of it', severity, events: [eventId('a')] }];
      const reader = drawReader('w:\n  a run.started', { problems });
      const remarks = reader.inspect(mainBranch, eventId('a'))?.remarks;
      return { marked: reader.rows(mainBranch, emptyFilter, 0, 1).rows[0]?.problems, remarks };
    };
    expect(told('notice')).toEqual({
      marked: 0,
      remarks: [{ message: 'no effect is said of it', severity: 'notice' }],
    });
    expect(told('problem')).toMatchObject({ marked: 1, remarks: [{ severity: 'problem' }] });
  });

  it('tells those of import and graph once, problems before notices, with the damaged bytes', () => {
    const reader = drawReader('a step.started noseq\na step.completed noseq <- gone', {
      problems: [
        { code: 'same-record', message: 'm', severity: 'notice' },
        { code: 'conflicting-id', message: 'with a line', severity: 'problem', events: [eventId('a')] },
        {
          code: 'not-json',
          message: 'm',
          severity: 'problem',
          place: { file: 'f', line: 3, offset: 9 },
          raw: new Uint8Array([123, 255]),
        },
      ],
    });
    const { total, problems } = reader.problems(0, 10);
    expect(total).toBe(4);
    expect(problems.map(({ code }) => code)).toEqual(['conflicting-id', 'not-json', 'dangling-cause', 'same-record']);
    expect(problems[1]).toEqual({
      code: 'not-json',
      message: 'm',
      severity: 'problem',
      file: 'f',
      line: 3,
      offset: 9,
      raw: 'e/8=',
      events: [],
    });
    expect(reader.rows(mainBranch, emptyFilter, 0, 2).rows.map(({ problems: count }) => count)).toEqual([1, 1]);
    expect(reader.summary().notices).toBe(1);
  });

  it('R9 finds a value stored apart, and an absent one not at all', () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    const reader = drawReader(`c content.stored {"digest":"${digest}","mediaType":"text/plain","text":"hello"}`);
    expect(reader.content(digest)).toEqual({ mediaType: 'text/plain', text: 'hello' });
    expect(reader.content(`sha256:${'1'.repeat(64)}`)).toBeUndefined();
  });
});
