import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type HindcastEvent, knownEventTypes, parseEvent } from '../model/index.ts';
import { parseLossless } from '../base/lossless.ts';
import { drawTrace } from '../model/testing/trace.ts';
import { agentToText, componentToText, kindToNoun, stepToText, valueToText } from './title-words.ts';
import { eventToTitle } from './titles.ts';

function titlesOf(drawing: string): string[] {
  return drawTrace(drawing).events.map(eventToTitle);
}

describe('eventToTitle', () => {
  it('says what was recorded in words', () => {
    expect(
      titlesOf(`
        worker/w/2 agent=support:
          a  run.started {"program":{"name":"support-case","version":"3.2"}}
          b  step.started & {"step":"/par:x/step:check-stock#1","data":{"name":"check-stock"}}
          c  decision.made {"chosen":"create-ticket"}
          d  decision.made path=/decide:schedule#0 {"chosen":false}
          e  tool_call.dispatched path=/write:t#0 attempt=2 {"tool":"tickets.create"}
          f  tool_call.failed {"tool":"mail.send","error":{"name":"E","message":"refused"}}
          g  state.transitioned {"name":"case","from":1,"to":2}
          h  model_call.completed {"response_model":"finch","usage":{"input_tokens":9}}
          h2 model_call.completed {"response_model":"finch","usage":{"input_tokens":9,"output_tokens":1,"cache_read_input_tokens":7}}
          h3 model_call.completed {"response_model":"finch","usage":{"input_tokens":9,"output_tokens":1,"cache_read_input_tokens":7,"input_excludes_cache":true}}
          h4 model_call.completed {"response_model":"finch","usage":{"input_tokens":9,"output_tokens":1},"output_messages":[{"role":"assistant","parts":[{"type":"text","content":"# Plan\\nI look first"},{"type":"tool_call","name":"Read"}]}]}
          h5 model_call.completed {"response_model":"finch","output_messages":[{"role":"assistant","content":[{"type":"tool_use","name":"Read"},{"type":"tool_use","name":"Bash"},{"type":"tool_use","name":"Read"}]}]}
          i  tool_call.dispatched replayed {"tool":"x"}
        ticket-service:
          j  effect.committed {"effect":{"kind":"tickets.create","id":"8421"}}
          j2 effect.committed {"effect":{"kind":"mail.send","id":"mail-301","target":"mail-relay"},"reported_by":"ticket-service"}
          j3 effect.committed {"effect":{"kind":"tickets.create","id":"8421","target":"ticket-service"},"reported_by":"ticket-service"}
          k  effect.refused {"effect":{"kind":"ticket"},"http_status":409}
        harness:
          l  worker.exited {"signal":"SIGKILL","worker":{"component":"worker","incarnation":1}}
          m  worker.exited {"code":0}
          n  fault.injected {"class":"process-kill","kill_point":3}
          o  policy.evaluated {"policy":"refund-limit","version":"4","verdict":"allow"}
          p  quantum.flipped {"name":"cat"}
      `),
    ).toEqual([
      'run of support-case 3.2 started',
      'step check-stock (2) started',
      'support chose create-ticket',
      'support decided schedule: false',
      'support dispatched tickets.create, attempt 2',
      'mail.send failed: refused',
      'state case moved 1 to 2',
      'finch answered (9 tokens in, unrecorded out)',
      'finch answered (9 tokens in, 1 out)',
      'finch answered (16 tokens in, 1 out)',
      'finch answered: Plan (9 tokens in, 1 out)',
      'finch answered with calls of Read (2×), Bash',
      'support dispatched x (again, after a restart)',
      'ticket service committed ticket 8421',
      'mail relay committed mail-301, as ticket service reports',
      'ticket service committed ticket 8421',
      'ticket service refused a ticket (409)',
      'worker 1 exited by SIGKILL',
      'worker exited with code 0',
      'process-kill injected at kill point 3 (committed, not acknowledged)',
      'policy refund-limit 4: allow',
      'quantum flipped: cat',
    ]);
  });

  it('says what agents with long ids did, and calls a worker one', () => {
    const id = '6690d10e-f521-4ac0-800d-e5eb7a2d8072';
    expect(
      titlesOf(`
        worker agent=sidechain:${id}:
          a tool_call.dispatched {"tool":"Bash"}
          b agent.spawned {"to":"sidechain:${id}"}
        harness:
          c worker.exited {"signal":"SIGKILL","worker":{"incarnation":"b2943a"}}
          d worker.spawned {"worker":"worker-2"}
      `),
    ).toEqual([
      'sidechain:6690d10e dispatched Bash',
      'sidechain:6690d10e started',
      'worker b2943a exited by SIGKILL',
      'worker-2 spawned',
    ]);
  });

  it('says no word twice that stands around a name or in a type', () => {
    const [from, to] = ['1f1ec01e-25e2-6861-8003-1832f0c9d125', '1f1ec01e-25fa-6f00-8004-c7f908822d42'];
    expect(
      titlesOf(`
        k8s_agent:
          a  agent.spawned {"to":"k8s-agent"}
        w agent=main:
          b  decision.made {"chosen":[{"tool":"Glob"},{"tool":"Bash"},{"tool":"Glob"}]}
          c  step.started {"name":"step-2-12e6a4"}
          d  step.completed {"name":"first approach failed","error":{"name":"E","message":"first approach failed"}}
          e  step.completed {"name":"completed"}
          f  input.received {"name":"input","value":"go"}
          g  signal.received {"name":""}
          h  state.transitioned {"name":"state","from":"${from}","to":"${to}"}
          i  claude_code.progress.hook_progress {"name":" "}
          j  codex.event.codex/event/raw_item
          k  message.sent {"role":"thinking"}
          l  model_call.failed {"response_model":"m","error":{"name":"E","message":" exit code: 1 \\n"}}
      `),
    ).toEqual([
      'k8s-agent started',
      'main chose Glob (2×), Bash',
      'step-2-12e6a4 started',
      'step first approach failed',
      'step completed completed',
      'input received: go',
      'signal received',
      'state moved 1f1ec01e-25e2 to 1f1ec01e-25fa',
      'claude code hook progress',
      'codex event raw item',
      'main thought',
      'm failed: exit code: 1',
    ]);
  });

  it('has one line for every type, also where nothing is recorded', () => {
    const needed: Readonly<Record<string, object>> = {
      'branch.created': { parent: 'main' },
      'content.stored': { digest: `sha256:${'0'.repeat(64)}` },
      'annotation.made': { annotator: { id: 'maya' } },
      'share.declared': { policy: {}, holes: [], counts: {} },
    };
    for (const type of knownEventTypes) {
      const record = {
        v: 1,
        id: 'e',
        type,
        run: '1'.repeat(32),
        branch: 'main',
        source: { component: 'w' },
        data: needed[type] ?? {},
      };
      const parsed = parseEvent(JSON.parse(JSON.stringify(record)) as never);
      if (!parsed.ok) continue;
      expect(eventToTitle(parsed.value), type).toMatch(/^\S.*\S$/);
      expect(eventToTitle(parsed.value), type).not.toMatch(/undefined|\[object| {2}/);
    }
  });

  it('reads well on the shipped samples', () => {
    const folder = 'public/samples';
    const files = readdirSync(folder).filter((name) => name.endsWith('.hindcast.jsonl'));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      for (const line of readFileSync(`${folder}/${file}`, 'utf8').split('\n')) {
        if (line === '') continue;
        const title = eventToTitle(lineToEvent(line));
        expect(title).toMatch(/^\S.*\S$/);
        expect(title).not.toMatch(/undefined|\[object| {2}/);
        expect(title.length).toBeLessThan(180);
      }
    }
  });
});

function lineToEvent(line: string): HindcastEvent {
  const parsed = parseLossless(line);
  const event = parsed.ok ? parseEvent(parsed.value) : undefined;
  if (event?.ok !== true) throw new Error(`Not an event: ${line.slice(0, 80)}`);
  return event.value;
}

describe('words', () => {
  it('cut values in one line, keep long numbers and never split a pair', () => {
    expect(valueToText({ a: [1, 'b', null], c: { d: true } })).toBe('{a: [1, "b", null], c: {d: true}}');
    expect(valueToText({ $num: '12345678901234567890' })).toBe('12345678901234567890');
    expect(valueToText('a\n  b')).toBe('a b');
    expect(valueToText('😀😀😀😀', 4)).toBe('😀…');
    expect(valueToText(Array.from({ length: 100_000 }, () => 'long')).length).toBeLessThan(80);
    expect(valueToText({ $ref: `sha256:${'0'.repeat(64)}`, bytes: 5000 })).toBe('a value of 5000 bytes stored apart');
  });

  it('name effects and steps', () => {
    expect(['update_status', 'news.post', 'orders.cancel'].map(kindToNoun)).toEqual(['status', 'news', 'order']);
    expect(['tickets.create', 'create_ticket', 'sendMail', 'payment', 'notify'].map(kindToNoun)).toEqual([
      'ticket',
      'ticket',
      'mail',
      'payment',
      'notify',
    ]);
    const steps = ['17', '/step:a#0', '/par:x/child:b#0/step:b-c#2', '/step:k=key', 'misstep:x', 'step:x'];
    expect(steps.map(stepToText)).toEqual(['17', 'a', 'b-c (3)', 'k (key)', 'misstep:x', 'x']);
  });
});

it('a step is named by its name, not by the id of the step around it; a message by its words', () => {
  const drawing = `
    w agent=a:
      a  step.started step=0fabddcbcd5cee2d {"name":"ChannelWrite"}
      b  step.started step=0fabddcbcd5cee2d {}
      c  step.started & {"step":"/step:plan#0","data":{"name":"plan"}}
      d  message.sent {"role":"user","content":[{"type":"text","text":"Hello\\nthere"}]}
      e  input.received {"name":"prompt","value":"<command-name>/init</command-name>"}
      f  input.received {"name":"numbers","value":[1,2]}
  `;
  expect(titlesOf(drawing)).toEqual([
    'step ChannelWrite started',
    'step 0fabddcb started',
    'step plan started',
    'user said: Hello',
    'input prompt received: /init',
    'input numbers received: [1, 2]',
  ]);
});

it('what stands at a kill point says that it was reached; the injection comes after it', () => {
  const drawing = `
    ticket-service:
      a  fault.witnessed {"class":"process-kill","kill_point":3}
      b  fault.witnessed {"class":"process-kill","kill_point":3,"escaped":true}
      c  fault.witnessed {"class":"delay"}
    harness:
      d  fault.injected <- a:caused_by {"class":"process-kill","kill_point":3}
  `;
  expect(titlesOf(drawing)).toEqual([
    'ticket service reached kill point 3 (committed, not acknowledged)',
    'ticket service passed kill point 3 (committed, not acknowledged)',
    'delay witnessed',
    'process-kill injected at kill point 3 (committed, not acknowledged)',
  ]);
});

it('a value is shown as it was written: a key twice, a long number with its digits, an escaped name without its escape', () => {
  const texts = ['{"a":1,"b":{"c":1,"c":[2]}}', '[{"c":12345678901234567890}]', '{"$dup":1}', '{"k":{"$num":"x"}}'];
  const shown = texts.map((text) => {
    const parsed = parseLossless(text);
    return parsed.ok ? valueToText(parsed.value) : parsed.error.message;
  });
  expect(shown).toEqual(['{a: 1, b: {c: 1, c: [2]}}', '[{c: 12345678901234567890}]', '{$dup: 1}', '{k: {$num: "x"}}']);
});

it('a component is named in words, and its pseudonym in a copy is one word', () => {
  expect(['ticket-service', 'component-kkqj', 'target-s3q3'].map(componentToText)).toEqual([
    'ticket service',
    'component-kkqj',
    'target-s3q3',
  ]);
});

it('what others wrote turns no title around and breaks no line', () => {
  const drawing = drawTrace(`
    worker:
      a  agent.spawned  {"to":"\\u202egnp.exe\\u2066"}
      b  decision.made  {"chosen":"yes\\u001b[2J\\n\\u200fno"}
  `);
  expect(['a', 'b'].map((name) => eventToTitle(drawing.event(name)))).toEqual([
    expect.stringContaining('started \\u202egnp.exe\\u2066') as string,
    expect.stringContaining('chose yes\\u001b[2J \\u200fno') as string,
  ]);
  expect([agentToText('a\u202eb'), componentToText('c\u202ed-e')]).toEqual(['a\\u202eb', 'c\\u202ed e']);
});
