import { describe, expect, it } from 'vitest';
import { type EventId, eventId } from '../../model/index.ts';
import { emptyFilter } from '../matching.ts';
import { drawTrace } from '../../model/testing/trace.ts';
import { drawView, eventsToView } from '../testing/drawn-view.ts';
import type { FilterSpec, Finding, TranscriptLine } from '../trace-reader.ts';
import { createTranscript, longestText } from './transcript.ts';

function linesOf(
  drawing: string,
  filter: Partial<FilterSpec> = {},
  findings: readonly Finding[] = [],
): readonly TranscriptLine[] {
  return createTranscript(drawView(drawing), findings).page({ ...emptyFilter, ...filter }, 0, 1000).lines;
}

function finding(severity: Finding['severity'], rule: string, ...evidence: string[]): Finding {
  const ids: EventId[] = evidence.map(eventId);
  return {
    id: `${rule}:x`,
    rule,
    title: rule,
    text: `${rule}.`,
    severity,
    evidence: ids,
    known: [],
    unknown: ['what'],
  };
}

const run = `
  worker/w/1 agent=lead:
    start run.started {"input":{"q":1}}
    step=1:
      s1 step.started {"name":"plan"}
      m1 model_call.requested {"input_messages":[{"role":"user","content":"one"}]}
      m2 model_call.completed <- m1:result_of {"output_messages":[{"role":"assistant","content":"two"}],"finish_reasons":["stop"]}
      m3 model_call.requested <- m2:consumed {"input_messages":[{"role":"user","content":"one"},{"role":"assistant","content":"two"},{"role":"user","content":"three"}]}
      d1 decision.made <- m2:consumed {"chosen":"go","alternatives":["go","stay"],"because":"why not"}
      a1 tool_call.dispatched path=/write:x#0 attempt=1 <- d1:selected_by {"tool":"x","effect":"external","args":{"n":1}}
      k1 tool_call.acknowledged path=/write:x#0 attempt=1 <- a1:result_of {}
      e1 tool_call.completed path=/write:x#0 attempt=1 <- k1:caused_by {"result":"done"}
    sp agent.spawned <- d1:selected_by {"from":"lead","to":"helper","args":{}}
  worker/w/1 agent=helper step=h:
    h1 message.sent <- sp:caused_by {"role":"user","content":[{"type":"text","text":"hello"},{"type":"tool_use","name":"look","input":{"a":1}}]}
  svc/s/1:
    c1 effect.committed <- a1:result_of {"effect":{"kind":"x","id":"7"}}
`;

it('R69 says that a step failed; that one ended is said by what came of it', () => {
  const lines = linesOf(`
  worker/w/1:
    s1 step.started {"name":"pay"}
    e1 step.completed <- s1:result_of {"name":"pay","error":{"name":"Declined","message":"no money"}}
    s2 step.started {"name":"tell"}
    e2 step.completed <- s2:result_of {"name":"tell","result":1}`);
  expect(lines.map(({ title }) => title)).toEqual([
    'step pay started',
    'step pay failed: no money',
    'step tell started',
  ]);
});

it('R69 leaves out what opening made for a replay of the loop: no record says it', () => {
  const { events } = drawTrace(`
  worker/w/1:
    told env.read {"name":"region","value":"eu"}
    made env.read {"name":"opening","value":[]}`);
  const marked = events.map((event) =>
    event.id === 'made' ? { ...event, imported: { format: 'otlp', extra: { rule: 'opening', made: true } } } : event,
  );
  const keys = createTranscript(eventsToView(marked), [])
    .page(emptyFilter, 0, 10)
    .lines.map(({ key }) => key);
  expect(keys).toEqual(['told']);
  const asked = createTranscript(eventsToView(marked), []).page({ ...emptyFilter, types: ['env.read'] }, 0, 10).lines;
  expect(asked.map(({ title }) => title)).toEqual([
    expect.stringContaining('region'),
    expect.stringMatching(/opening.*\(worked out on opening\)$/),
  ]);
});

describe('a record that holds nothing', () => {
  it('R70 has a line that says so, and no blank one', () => {
    const lines = linesOf(`
      w agent=a:
        a  tool_call.dispatched {"tool":"t","args":{}}
        b  tool_call.completed {"tool":"t","result":""}
        c  tool_call.completed {"tool":"t","result":" \\n\\t"}
        d  tool_call.completed {"tool":"t","result":[]}
        e  tool_call.completed {"tool":"t","result":"\\n \\n\\n  found\\n"}
        f  model_call.requested {"input_messages":[]}
        g  model_call.completed {"output_messages":[{"role":"assistant","content":""}]}
        h  model_call.failed {"error":{"name":"overloaded","message":""}}
        i  decision.made {"chosen":"x","alternatives":[],"because":""}
    `);
    expect(Object.fromEntries(lines.map(({ key, text }) => [key, text]))).toEqual({
      a: '(no arguments)',
      b: '(an empty text)',
      c: '(nothing but white space)',
      d: '(an empty list)',
      e: '  found\n',
      f: '(no message)',
      g: 'assistant: (an empty text)',
      h: '{"name":"overloaded","message":""}',
      i: 'alternatives: (an empty list)\nbecause: (an empty text)',
    });
  });
});

describe('folds', () => {
  const http = Array.from(
    { length: 4 },
    (_, n) => `h${n} step.started <- m1:caused_by {"name":"POST"}\n    g${n} step.completed <- h${n}:caused_by {}`,
  ).join('\n    ');
  const spans = `
  worker/w/1 agent=lead:
    start run.started {}
    m1 model_call.requested <- start:caused_by {}
    ${http}
    s1 step.started <- m1:caused_by {"name":"tool"}
    a1 tool_call.dispatched <- s1:caused_by {"tool":"x"}
    bad step.started <- m1:caused_by {"name":"GET"}
    end step.completed <- bad:caused_by {"error":{"name":"Error","message":"503"}}
    p1 vendor.progress {}
    p2 vendor.progress {}
    p3 vendor.progress {}
  `;

  it('R69 steps in which nothing happens are one line with their events; failures and steps with content keep theirs', () => {
    const lines = linesOf(spans);
    const [fold, ...others] = lines.filter(({ kind }) => kind === 'folded');
    expect(fold).toMatchObject({ events: ['h0', 'h1', 'h2', 'h3'], title: expect.stringMatching(/^4 steps/) });
    expect(fold?.text).toBe('POST 4×');
    expect(others.map(({ events }) => events)).toEqual([['p1', 'p2', 'p3']]);
    expect(lines.map(({ key }) => key)).toEqual(expect.arrayContaining(['s1', 'a1', 'bad']));
  });

  it('R71 a filter by type shows each, a finding keeps its record, and a folded event is found at its fold', () => {
    expect(linesOf(spans, { types: ['step.started'] }).map(({ key }) => key)).toContain('h2');
    const kept = linesOf(spans, {}, [finding('gap', 'order-problems', 'h2')]);
    expect(kept.find(({ kind }) => kind === 'folded')?.events).toEqual(['h0', 'h1', 'h3']);
    const transcript = createTranscript(drawView(spans), []);
    const at = transcript.lineOf(emptyFilter, eventId('h3'));
    expect(transcript.page(emptyFilter, at, at + 1).lines[0]?.events).toContain('h3');
  });
});

describe('lines', () => {
  it('R69 each links to its record, and only records are shown', () => {
    for (const line of linesOf(run)) expect(line.events).toEqual([line.key]);
  });

  it('leaves out records that repeat another line, and counts what it leaves out', () => {
    const page = createTranscript(drawView(run), []).page(emptyFilter, 0, 1000);
    expect(page.lines.map(({ key }) => key)).not.toContain('k1');
    expect([page.total, page.hidden]).toEqual([11, 1]);
  });

  it('R71 shows exactly the types that are asked for', () => {
    const keys = (types: string[]): string[] => linesOf(run, { types }).map(({ key }) => key);
    expect(keys(['tool_call.acknowledged'])).toEqual(['k1']);
    expect(keys(['decision.made', 'effect.committed'])).toEqual(['d1', 'c1']);
    expect(keys(['decision.made', 'effect.committed'])).toEqual(keys(['effect.committed', 'decision.made']));
  });

  it('a window holds the lines it names, and a line is found by its event', () => {
    const transcript = createTranscript(drawView(run), [finding('gap', 'g', 'a1')]);
    const all = transcript.page(emptyFilter, 0, 1000).lines;
    const pieces = [0, 5, 10].flatMap((from) => transcript.page(emptyFilter, from, from + 5).lines);
    expect(pieces).toEqual(all);
    expect(transcript.page(emptyFilter, 500, 600).lines).toEqual([]);
    for (const [at, { kind, key }] of all.entries()) {
      if (kind === 'event') expect(transcript.lineOf(emptyFilter, eventId(key))).toBe(at);
    }
    // One without a line of its own is told by the line before it; one that the filter hides by none.
    expect(all[transcript.lineOf(emptyFilter, eventId('k1'))]?.key).toBe('a1');
    expect(transcript.lineOf({ ...emptyFilter, types: ['decision.made'] }, eventId('k1'))).toBe(-1);
    expect(transcript.lineOf(emptyFilter, eventId('nobody'))).toBe(-1);
  });

  it('nests sub-agents below the agent that started them, steps below steps, answers below requests', () => {
    const depth = new Map(linesOf(run).map(({ key, depth: at }) => [key, at]));
    expect(['start', 's1', 'd1', 'a1', 'e1', 'c1', 'h1'].map((key) => depth.get(key))).toEqual([0, 0, 1, 1, 2, 2, 1]);
  });

  const parallel = `
    worker/w/1 agent=lead:
      sa agent.spawned {"from":"lead","to":"a","args":{}}
      sb agent.spawned {"from":"lead","to":"b","args":{}}
    worker/w/1 agent=a:
      a1 tool_call.dispatched path=/child:a#0/read:x#0 attempt=1 <- sa:caused_by {"tool":"x","effect":"none","args":{}}
    worker/w/1 agent=b:
      b1 tool_call.dispatched path=/child:b#0/read:y#0 attempt=1 <- sb:caused_by {"tool":"y","effect":"none","args":{}}
    worker/w/1 agent=a:
      a2 tool_call.completed path=/child:a#0/read:x#0 attempt=1 <- a1:result_of {"result":1}
    worker/w/1 agent=b:
      b2 tool_call.completed path=/child:b#0/read:y#0 attempt=1 <- b1:result_of {"result":2}
    worker/w/1 agent=lead:
      j agent.joined <- a2:caused_by {"from":"a","result":1}
  `;

  it('what a replay wrote stands under the step of what it takes the place of, whoever the record names', () => {
    const replayed = `
      worker/w/1 agent=lead:
        hand  agent.spawned {"from":"lead","to":"account"}
      worker/w/1 agent=account:
        step=/child:account#0/step:check#0:
          begun  step.started {"name":"check"}
          chose  decision.made path=/child:account#0/decide:coverage#0 {"chosen":"expired"}
          made   artifact.produced {"name":"letter"}
      hindcast branch=b-1 notime noseq:
        b-1:0  branch.created {"parent":"main","fork":"begun","frontier":{"minus":["chose","made"]}}
        b-1:1  decision.made path=/child:account#0/decide:coverage#0 supersedes=chose origin=replayed {"chosen":"covered"}
        step=/child:account#0/step:check#0:
          b-1:2  artifact.produced origin=replayed {"name":"letter"}
    `;
    const { lines } = createTranscript(drawView(replayed, 'b-1'), []).page(emptyFilter, 0, 100);
    const depths = new Map(lines.map(({ key, depth }) => [key, depth]));
    expect(['hand', 'begun', 'b-1:1', 'b-1:2'].map((key) => depths.get(key))).toEqual([0, 1, 2, 2]);
  });

  it('parallel sub-agents stay together, each line below its own parent, or names it', () => {
    const told = linesOf(parallel).map(({ key, depth, under }) => [key, depth, under?.event]);
    expect(told).toEqual([
      ['sa', 0, undefined],
      ['sb', 0, undefined],
      ['a1', 1, 'sa'],
      ['a2', 2, undefined],
      ['b1', 1, 'sb'],
      ['b2', 2, undefined],
      ['j', 0, undefined],
    ]);
    const hidden = linesOf(parallel, { types: ['tool_call.completed'] }).map(({ key, under }) => [key, under?.event]);
    expect(hidden).toEqual([
      ['a2', 'a1'],
      ['b2', 'b1'],
    ]);
  });

  it('a sub-agent stands under the spawn of its own run', () => {
    const nesting = linesOf(`
      worker/w/1 agent=researcher:
        m1 message.sent {"content":"one"}
      worker/v/1 run=2 agent=lead:
        s2 agent.spawned {"from":"lead","to":"researcher"}
      worker/w/1 agent=researcher:
        m2 message.sent <- s2:caused_by {"content":"two"}`);
    expect(nesting.map(({ key, depth }) => [key, depth])).toContainEqual(['m2', 0]);
  });

  it('a line is never told before its cause, nor across a line of nobody’s sub-agent', () => {
    const crossed = parallel.replace('a2 tool', 'a0 message.sent <- b1:consumed {}\n      a2 tool');
    const order = linesOf(crossed.replace('<- b1:result_of', '<- b1:result_of,a2:consumed')).map(({ key }) => key);
    expect(order.indexOf('a0')).toBeGreaterThan(order.indexOf('b1'));
    const killed = parallel.replace(
      /worker\/w\/1 agent=a:\n\s+a2/,
      'harness/h/1:\n      kill worker.exited <- b1:caused_by {"signal":"SIGKILL"}\n    worker/w/1 agent=a:\n      a2',
    );
    const keys = linesOf(killed.replace('<- a1:result_of', '<- a1:result_of,kill:caused_by')).map(({ key }) => key);
    expect(keys.indexOf('kill')).toBeGreaterThan(keys.indexOf('b1'));
    expect(keys.indexOf('kill')).toBeLessThan(keys.indexOf('a2'));
  });

  it('steps of two lines of work of one agent: what stands below another step names its own', () => {
    const lines = linesOf(`
      worker/w/1 agent=lead:
        p1 step.started step=/par:a/step:x#0 {"name":"x"}
        p2 step.started step=/par:b/step:y#0 {"name":"y"}
        q1 message.sent step=/par:a/step:x#0 {"content":"one"}
        q2 message.sent step=/par:a/step:x#0 {"content":"two"}
        q3 message.sent step=/par:b/step:y#0 {"content":"three"}
    `);
    expect(lines.map(({ depth, under }) => [depth, under?.event])).toEqual([
      [0, undefined],
      [0, undefined],
      [1, 'p1'],
      [1, undefined],
      [1, 'p2'],
    ]);
  });
});

describe('texts', () => {
  const text = (key: string): string | undefined => linesOf(run).find((line) => line.key === key)?.text;

  it('a model call shows only what is new since the call before', () => {
    expect(text('m1')).toBe('user: one');
    expect(text('m2')).toBe('assistant: two');
    expect(text('m3')).toBe('(2 messages as in the call before)\nuser: three');
  });

  it('a message that is said again in equal words is new', () => {
    const said = '{"role":"user","content":"continue"}';
    const answered = '{"role":"assistant","content":"part one"}';
    const lines = linesOf(`
      worker/w/1 agent=lead:
        m1 model_call.requested {"input_messages":[${said}]}
        m2 model_call.completed <- m1:result_of {"output_messages":[${answered}]}
        m3 model_call.requested <- m2:consumed {"input_messages":[${said},${answered},${said}]}`);
    expect(lines.find(({ key }) => key === 'm3')?.text).toBe('(2 messages as in the call before)\nuser: continue');
  });

  it('keeps every digit of long numbers and every repeated key', () => {
    const args = '{"order":9007199254740993,"k":{"a":1,"a":2}}';
    const lines = linesOf(`w:\n a tool_call.dispatched {"tool":"x","args":${args}}
        m message.sent {"content":[{"type":"tool_use","name":"x","input":${args}}]}`);
    expect(lines.map((line) => line.text)).toEqual([args, `→ x(${args})`]);
  });

  it('a decision shows its alternatives and reason; parts of messages are named by their kind', () => {
    expect(text('d1')).toBe('alternatives: go | stay\nbecause: why not');
    expect(text('h1')).toBe('hello\n→ look({"a":1})');
  });

  it('follows a message stored apart', () => {
    const digest = `sha256:${'c'.repeat(64)}`;
    const [line] = linesOf(
      `
      w:
        b content.stored {"digest":"${digest}","mediaType":"application/json","text":"{\\"role\\":\\"user\\",\\"content\\":\\"far\\"}"}
        m model_call.requested {"input_messages":[{"$ref":"${digest}","bytes":9}]}`,
      { types: ['model_call.requested'] },
    );
    expect(line?.text).toBe('user: far');
  });

  it('cuts a long text and says by how much', () => {
    const [line] = linesOf(`w:\n m message.sent {"content":"${'x'.repeat(longestText + 10)}"}`);
    expect((line?.text?.length ?? 0) + (line?.cut ?? 0)).toBe(longestText + 11);
  });

  it('says where it cannot answer', () => {
    const lines = linesOf(`
      w:
        m1 model_call.requested {}
        m2 model_call.completed {}
        a1 tool_call.dispatched {"tool":"x"}
        d1 decision.made {"chosen":1}
    `);
    expect(lines.map(({ kind, notRecorded }) => [kind, notRecorded])).toEqual([
      ['cannot-answer', ['what the model was asked']],
      ['cannot-answer', ['what the model answered']],
      ['cannot-answer', ['the arguments']],
      ['event', ['the alternatives', 'a reason', 'the evidence']],
    ]);
  });
});

describe('R70 findings in place', () => {
  it('stand after the last shown record of the act, whatever happened later elsewhere', () => {
    const view = `${run}
  harness/h/1:
    gone worker.exited <- c1:caused_by {"signal":"SIGKILL"}`;
    const kinds = (filter: Partial<FilterSpec>): string[] =>
      linesOf(view, filter, [finding('gap', 'commitment-without-acknowledgement', 'a1', 'c1', 'gone')]).map(
        ({ key, kind }) => (kind === 'gap' ? 'gap' : key),
      );
    const shown = kinds({});
    expect(shown[shown.indexOf('gap') - 1]).toBe('c1');
    const dispatches = kinds({ types: ['tool_call.dispatched'] });
    expect(dispatches).toEqual(['a1', 'gap']);
    expect(kinds({ types: ['decision.made'] })).toEqual(['d1']);
  });

  it('second executions, second records and violations have kinds of their own; notices have no line', () => {
    const kinds = linesOf(run, {}, [
      finding('violation', 'executed-twice', 'c1'),
      finding('notice', 'recorded-twice', 'c1'),
      finding('violation', 'unauthorised-call', 'a1'),
      finding('notice', 'late-answer', 'a1'),
    ]).flatMap(({ kind }) => (kind === 'event' ? [] : [kind]));
    expect(kinds.toSorted()).toEqual(['executed-twice', 'problem', 'recorded-twice']);
  });

  it('a re-emission reads as recorded twice', () => {
    const lines = linesOf('w:\n d decision.made replayed {"chosen":1}');
    expect(lines.map(({ kind }) => kind)).toEqual(['recorded-twice']);
  });
});

describe('size', () => {
  it('decodes only the window that is asked for', () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `m${String(i)} message.sent {"content":"${String(i)}"}`);
    const view = drawView(`w:\n ${lines.join('\n ')}`);
    let decoded = 0;
    const counting = {
      ...view,
      event: (position: number) => (decoded++, view.event(position)),
      data: (position: number) => (decoded++, view.data(position)),
    };
    const page = createTranscript(counting, []).page(emptyFilter, 1000, 1010);
    expect([page.total, page.lines[0]?.key]).toEqual([3000, 'm1000']);
    expect(decoded).toBeLessThan(100);
  });
});

describe('calls of a log', () => {
  const log = `
    w agent=main:
      r run.started {"input":"go"}
      c1 vendor.turn_context <- r:caused_by {"a":1}
      m model_call.completed <- r:caused_by {"output_messages":[{"role":"assistant","parts":[{"type":"tool_call_response","result":"{\\"output\\":\\"x\\\\ny\\"}"}]}]}
      d decision.made <- m:consumed {"chosen":[{"tool":"sh","call_id":"1"}],"rule":"decision-from-tool-use"}
      a tool_call.dispatched <- d:selected_by {"tool":"sh","call_id":"1","args":{"command":["bash","-lc","ls\\n pwd"],"workdir":"/w"}}
      c2 vendor.token_count <- r:caused_by {"a":1}
      b tool_call.completed <- a:result_of {"tool":"sh","result":"{\\"output\\":\\"a\\\\n\\\\tb\\",\\"metadata\\":{\\"exit_code\\":0}}"}
      p1 vendor.progress <- b:caused_by {}
      c3 vendor.turn_context <- r:caused_by {"a":1}
      p2 vendor.progress <- b:caused_by {}
      p3 vendor.progress <- b:caused_by {}
      e decision.made <- b:consumed {"chosen":[{"tool":"sh","call_id":"2"}],"rule":"decision-from-tool-use"}
      f decision.made <- b:consumed {"chosen":"own","rule":"by hand"}
  `;

  it('texts stand with their real lines: arguments, answers, and answers within messages', () => {
    const texts = new Map(linesOf(log).map(({ key, text }) => [key, text]));
    expect(texts.get('a')).toBe('command:\nls\n pwd\nworkdir: /w');
    expect(texts.get('b')).toBe('a\n\tb');
    expect(texts.get('m')).toBe('assistant: ← x\ny');
  });

  it('a title does not tell the beginning of the answer that stands below it', () => {
    const answer = (text: string): string =>
      `w:\n a tool_call.dispatched {"tool":"cat"}\n b tool_call.completed <- a:result_of {"tool":"cat","result":${JSON.stringify(text)}}`;
    const titleOf = (text: string): unknown => linesOf(answer(text)).find(({ key }) => key === 'b')?.title;
    expect(titleOf('one line\n'.repeat(40))).toBe('cat returned');
    expect(titleOf('short\nanswer')).toBe('cat returned: short answer');
    expect(titleOf(JSON.stringify({ list: Array.from({ length: 90 }, (_, n) => n) }))).toBe('cat returned');
  });

  it('R70 that a log of calls holds no alternatives and no reasons is told once; other decisions miss them each', () => {
    const missed = new Map(linesOf(log).map(({ key, notRecorded }) => [key, notRecorded]));
    expect(missed.get('d')).toEqual(['alternatives and reasons, of any choice of a call in this log']);
    expect(missed.get('e')).toEqual([]);
    expect(missed.get('f')).toEqual(expect.arrayContaining(['the alternatives', 'a reason']));
  });

  it('R69 records of settings and counts are one line, and part no others; a filter by type shows each', () => {
    const folds = linesOf(log).filter(({ kind }) => kind === 'folded');
    expect(folds.map(({ title, events }) => [title, events])).toEqual([
      ['3 records of settings and counts', ['c1', 'c2', 'c3']],
      ['3 records that only their producer explains', ['p1', 'p2', 'p3']],
    ]);
    expect(folds[0]?.text).toBe('vendor turn context 2× and vendor token count');
    expect(linesOf(log, { types: ['vendor.turn_context'] }).map(({ key }) => key)).toEqual(['c1', 'c3']);
  });
});
