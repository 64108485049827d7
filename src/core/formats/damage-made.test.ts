/**
 * Every damage to files of the formats whose real files are few, large or packed: small ones made here, and real ones where they are.
 *
 * On each: nothing throws, the account adds up, records that stand whole before a cut stay, and no edge is invented.
 */
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import {
  createRandom,
  edgesOf,
  encode,
  expectAccount,
  expectNoInventedEdges,
  idsOf,
  shuffled,
  toVariants,
} from './testing/damage.ts';
import { bytesToSource, listTraces, openFiles, type Opened, readTrace, whereFound } from './testing/opening.ts';

type Made = readonly [name: string, format: string, bytes: Uint8Array];

function toLines(records: readonly object[]): Uint8Array {
  return encode(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

function toDocument(value: unknown): Uint8Array {
  return encode(JSON.stringify(value, undefined, 1));
}

const id = '132d579eb3294c2a932fff0f6f150f3f';
const fork = '17b15824866f4fe190ab07957533352f';
function times(at: number): object {
  return { started_at_epoch_ms: at, completed_at_epoch_ms: at + 5 };
}

function step(of: string, n: number, at: number, more: object = {}): object {
  return {
    workflow_uuid: of,
    function_id: n,
    function_name: `step ${n}`,
    output: JSON.stringify({ json: n }),
    error: null,
    child_workflow_id: null,
    ...times(1_795_963_065_000 + at),
    ...more,
  };
}

const dbos: readonly object[] = [
  {
    workflow_uuid: id,
    status: 'SUCCESS',
    name: 'trip',
    created_at: 1_795_963_064_000,
    completed_at: 1_795_963_066_000,
  },
  step(id, 0, 0),
  step(id, 1, 10, { output: null, error: '{"json":{"name":"E","message":"no"}}' }),
  step(id, 2, 20, { child_workflow_id: 'child' }),
  { workflow_uuid: 'child', status: 'ERROR', name: 'sub', parent_workflow_id: id, created_at: 1_795_963_065_021 },
  step('child', 0, 22),
  { workflow_uuid: fork, status: 'SUCCESS', name: 'trip', forked_from: id, created_at: 1_795_963_067_000 },
  step(fork, 0, 0),
  step(fork, 1, 4000),
];

const clientSteps = {
  [id]: [0, 1, 2].map((n) => ({ functionID: n, name: `s${n}`, output: { n }, error: null, childWorkflowID: null })),
  child: [{ functionID: 0, name: 'review', output: 'ok', error: null, childWorkflowID: null }],
};

function entry(invocation: string, index: number, kind: string, json: object): object {
  return {
    id: invocation,
    index,
    entry_type: kind,
    entry_json: JSON.stringify(json),
    appended_at: `2026-11-29T14:37:0${index}.000Z`,
  };
}

function run(n: number, at: string): readonly object[] {
  return [
    entry(at, n, 'Command: Run', { Command: { Run: { completion_id: n, name: `run ${n}` } } }),
    entry(at, n + 1, 'Notification: Run', {
      Notification: { Completion: { Run: { completion_id: n, result: { Success: [49] } } } },
    }),
  ];
}

const restate: readonly object[] = [
  { id: 'inv_a', target: 'T/run', target_service_name: 'T', status: 'completed', created_at: '2026-11-29T14:37:00Z' },
  { id: 'inv_b', target: 'R/run', target_service_name: 'R', status: 'completed', invoked_by_id: 'inv_a' },
  ...run(1, 'inv_a'),
  ...run(3, 'inv_a'),
  ...run(1, 'inv_b'),
  {
    id: 'inv_a',
    after_journal_entry_index: 2,
    appended_at: '2026-11-29T14:37:02Z',
    event_type: 'TransientError',
    event_json: '{}',
  },
];

const inngest: readonly object[] = [
  ['FunctionStarted', 'g', null],
  ['StepStarted', 'g', 'one'],
  ['StepErrored', 'g', null],
  ['StepStarted', 'g', null],
  ['StepCompleted', 'g', 'one'],
  ['StepScheduled', 'h', 'two'],
  ['StepStarted', 'h', null],
  ['StepCompleted', 'h', 'two'],
  ['FunctionCompleted', 'h', null],
].map(([type, group, stepName], n) => ({
  attempt: type === 'StepStarted' && n > 2 && group === 'g' ? 1 : 0,
  cancel: null,
  createdAt: `2026-01-01T00:00:0${n}.000Z`,
  groupID: group === 'g' ? 'ee0811a3-dc43-4577-86aa-5d9b6ee28aee' : '4360a3a3-efe1-4f58-91a4-11d79545a20c',
  id: `01HA0${n}`,
  type,
  stepName,
}));

function http(path: string, body: object): string {
  const text = JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\nHost: api\r\nContent-Length: ${String(text.length)}\r\n\r\n${text}`;
}
function reply(body: object): string {
  const text = JSON.stringify(body);
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${String(text.length)}\r\n\r\n${text}`;
}
function asked(n: number): object {
  return { model: 'claude', messages: [{ role: 'user', content: `question ${n}` }] };
}

function answered(n: number): object {
  return {
    id: `msg_${n}`,
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [{ type: 'text', text: `answer ${n}` }],
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

const agentsight = [1, 2, 3].flatMap((n) =>
  (
    [
      ['WRITE/SEND', http('/v1/messages', asked(n))],
      ['READ/RECV', reply(answered(n))],
    ] as const
  ).map(([kind, data], at) => ({
    id: `e${n}.${at}`,
    source: 'ssl',
    timestamp: n * 10 + at,
    data: { comm: 'node', pid: 7, tid: n, function: kind, data, len: data.length, timestamp_ns: n * 10 + at },
  })),
);

const shepherd = {
  trace_runtime: 'shepherd',
  run_ref: 'r',
  events: [
    { id: 'a', kind: 'step.started', name: 'draft', timestamp: 1_780_000_001 },
    { id: 'b', kind: 'model.call', model: 'm', tokens_out: 12 },
    { id: 'c', kind: 'FileCreate', path: 'x' },
    { id: 'd', kind: 'state.checkpoint', name: 'good' },
  ],
  causal_edges: [
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'd'],
  ],
  owner_paths: { scope: ['a'] },
};

function sampleEvent(kind: string, second: number, more: object): object {
  return {
    event: kind,
    uuid: `${kind}${second}`,
    span_id: 's',
    timestamp: `2026-01-01T00:00:0${second}+00:00`,
    ...more,
  };
}

function sample(n: number): object {
  return {
    id: n,
    epoch: 1,
    input: 'go',
    target: 'x',
    messages: [],
    events: [
      sampleEvent('span_begin', 0, { id: 's', type: 'agent', name: 'solver' }),
      sampleEvent('tool', 3, { id: 'c1', function: 'bash', arguments: { cmd: 'ls' }, result: 'a b', events: [] }),
    ],
    scores: { match: { value: 'C' } },
  };
}

const members: readonly (readonly [name: string, value: unknown])[] = [
  ['_journal/start.json', { version: 2, eval: { task: 't', run_id: 'r1', eval_id: 'e1' }, plan: {} }],
  ['samples/1_epoch_1.json', sample(1)],
  ['samples/2_epoch_1.json', sample(2)],
  [
    'header.json',
    {
      version: 2,
      status: 'success',
      eval: { task: 't', run_id: 'r1', eval_id: 'e1' },
      plan: {},
      results: {},
      stats: {},
    },
  ],
];

function zip(some: typeof members): Uint8Array {
  return zipSync(Object.fromEntries(some.map(([name, value]) => [name, toDocument(value)])), { mtime: '2026-01-01' });
}

const made: readonly Made[] = [
  ['DBOS rows, a line each', 'recovery-lab', toLines(dbos)],
  ['DBOS rows, a list', 'recovery-lab', toDocument(dbos)],
  ['DBOS steps by workflow', 'recovery-lab', toDocument(clientSteps)],
  ['Restate rows', 'recovery-lab', toDocument({ rows: restate })],
  ['Restate rows, a line each', 'recovery-lab', toLines(restate)],
  ['Inngest rows, a line each', 'inngest', toLines(inngest)],
  ['Inngest rows, a list', 'inngest', toDocument(inngest)],
  ['AgentSight', 'agentsight', toLines(agentsight)],
  ['Shepherd', 'shepherd', toDocument(shepherd)],
  ['Inspect .eval', 'inspect', zip(members)],
];

const cuts = 12;

async function open(bytes: Uint8Array): Promise<Opened> {
  return openFiles([bytesToSource('input.bin', bytes, 1000)]);
}

/** Events of records that end before a cut, and whose words no later record can take away. */
function idsBefore({ events }: Opened, end: number): readonly string[] {
  return events.flatMap(({ event, place }) =>
    place.file === 'input.bin' && place.length !== undefined && place.offset + place.length < end ? [event.id] : [],
  );
}

async function expectVariants(name: string, bytes: Uint8Array): Promise<void> {
  const random = createRandom(name);
  const clean = await open(bytes);
  expectAccount(clean);
  const other = made[(made.findIndex(([own]) => own === name) + 1) % made.length]?.[2] ?? bytes;
  for (const variant of toVariants(bytes, new TextDecoder().decode(other), random)) {
    const damaged = await open(variant.bytes);
    const where = `${name}, ${variant.name}`;
    expectAccount(damaged);
    expectNoInventedEdges(damaged, clean);
    const isKept = variant.name !== 'cut' && variant.name !== 'interleaved';
    if (isKept) expect([where, [...idsOf(damaged)].sort()]).toEqual([where, [...idsOf(clean)].sort()]);
    if (isKept) expect([where, [...edgesOf(damaged)].sort()]).toEqual([where, [...edgesOf(clean)].sort()]);
  }
  for (let n = 0; n < cuts; n++) {
    const end = Math.floor(bytes.length * random());
    const damaged = await open(bytes.slice(0, end));
    expectAccount(damaged);
    expectNoInventedEdges(damaged, clean);
    if (damaged.error !== undefined) continue;
    const kept = idsOf(damaged);
    expect([`${name}, cut at ${end}`, idsBefore(clean, end).filter((one) => !kept.has(one))]).toEqual([
      `${name}, cut at ${end}`,
      [],
    ]);
  }
}

describe('damaged files of packed and rare formats', () => {
  it.each(made)('R67 R68 %s', async (name, format, bytes) => {
    const clean = await open(bytes);
    expect([clean.result?.format, clean.counts.problems]).toEqual([format, 0]);
    await expectVariants(name, bytes);
  });

  it('R67 an archive that was cut keeps the samples that are whole in it', async () => {
    const whole = zip(members);
    const clean = await open(whole);
    const prefix = members.slice(0, 2);
    const first = zip(prefix);
    // What two archives have in common from their start are the members that both hold.
    let end = 0;
    while (end < first.length && first[end] === whole[end]) end++;
    const damaged = await open(whole.slice(0, end + 40));
    expectAccount(damaged);
    expectNoInventedEdges(damaged, clean);
    const ofFirst = clean.events.filter(({ place }) => place.file.endsWith('samples/1_epoch_1.json'));
    expect(ofFirst.length).toBeGreaterThan(0);
    const kept = idsOf(damaged);
    expect(ofFirst.flatMap(({ event }) => (kept.has(event.id) ? [] : [event.id]))).toEqual([]);
  });

  it('R67 a member of an archive that is damaged costs that member alone', async () => {
    const bytes = zip(members);
    const clean = await open(bytes);
    const at = new TextDecoder('latin1').decode(bytes).indexOf('samples/2_epoch_1.json') + 40;
    bytes.fill(0xa5, at, at + 20);
    const damaged = await open(bytes);
    expectAccount(damaged);
    expectNoInventedEdges(damaged, clean);
    expect(damaged.problems.length).toBeGreaterThan(0);
    const kept = idsOf(damaged);
    const others = clean.events.filter(({ place }) => place.file.endsWith('samples/1_epoch_1.json'));
    expect(others.every(({ event }) => kept.has(event.id))).toBe(true);
  });

  it('R68 parts of one table in files of their own, mixed, are the whole table', async () => {
    // Rows of Inngest do not name their run: a file is one.
    for (const records of [dbos, restate]) {
      const clean = await open(toLines(records));
      const parts = [0, 1, 2].map((part) =>
        shuffled(
          records.filter((_, n) => n % 3 === part),
          createRandom(`part ${part}`),
        ),
      );
      const split = await openFiles(parts.map((part, n) => bytesToSource(`part${n}`, toLines(part))));
      expect(split.counts).toEqual(clean.counts);
      expect([...idsOf(split)].sort()).toEqual([...idsOf(clean)].sort());
      expect([...edgesOf(split)].sort()).toEqual([...edgesOf(clean)].sort());
    }
  });
});

const files = [...listTraces('inspect'), ...listTraces('shepherd'), ...listTraces('generated')].filter(
  (name) => /\.eval$|\/shepherd\/|^shepherd\/|\/(?:dbos|restate)_/.test(name) && readTrace(name).length < 32 * 1024,
);

describe(`damaged real files of them${whereFound(files)}`, () => {
  it.skipIf(files.length === 0).each(files)('R67 R68 %s', { timeout: 120_000 }, async (name) => {
    await expectVariants(name, readTrace(name));
  });
});
