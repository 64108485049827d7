/** The console of `mini`: what a person ran, rejected, interrupted or added is theirs, and never the output of a command. */
import { describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../../model/index.ts';
import { openFiles, textToSource } from '../testing/opening.ts';

const task = { role: 'user', content: 'Mend it.' };
const rejected = 'Commands not executed. The user rejected your commands with the following message: not this';
const submitted = { role: 'exit', content: 'done', extra: { exit_status: 'Submitted', submission: 'done' } };

function answer(n: number): object {
  const content = `Hm.\n\`\`\`mswea_bash_command\nstep ${String(n)}\n\`\`\``;
  const response = { id: `r${String(n)}`, choices: [{ message: { role: 'assistant', content } }] };
  return { role: 'assistant', content, extra: { actions: [{ command: `step ${String(n)}` }], response } };
}

function output(text: string): object {
  return { role: 'user', content: text, extra: { raw_output: text, returncode: 0, exception_info: null } };
}

function turn(content: string, type: string): object {
  return { role: 'user', content, extra: { interrupt_type: type } };
}

async function open(document: object): Promise<readonly HindcastEvent[]> {
  const opened = await openFiles([textToSource('a.traj.json', JSON.stringify(document))]);
  expect(opened.error).toBeUndefined();
  const { input, mapped, merged, problems } = opened.counts;
  expect(input).toBe(mapped + merged + problems);
  return opened.events.map(({ event }) => event);
}

function version2(...messages: readonly object[]): object {
  return { info: { mini_version: '2.2.7' }, messages: [task, ...messages], trajectory_format: 'mini-swe-agent-1.1' };
}

function ofType(events: readonly HindcastEvent[], type: string): readonly HindcastEvent[] {
  return events.filter((event) => event.type === type);
}

function causesOf(event: HindcastEvent | undefined, as: string): readonly string[] {
  return (event?.causes ?? []).filter((cause) => cause.as === as).map((cause) => cause.event);
}

describe('the console of mini-swe-agent, version 2 (R6)', () => {
  it('gives a command of a person to the person, with its output, and to no answer of the model', async () => {
    const said = { role: 'user', content: 'User command: \n```bash\nls\n```', extra: { actions: [{ command: 'ls' }] } };
    const events = await open(version2(said, output('a b'), answer(1), output('one'), submitted));
    const [typed, chosen] = ofType(events, 'tool_call.dispatched');
    expect(typed).toMatchObject({ principal: { kind: 'human' }, data: { args: { command: 'ls' } } });
    expect(typed?.causes).toEqual([{ event: expect.anything() as unknown, as: 'caused_by' }]);
    expect(causesOf(chosen, 'selected_by')).toHaveLength(1);
    const [first] = ofType(events, 'tool_call.completed');
    expect(causesOf(first, 'result_of')).toEqual([typed?.id]);
    expect(ofType(events, 'model_call.completed')).toHaveLength(1);
    const words = events.findIndex(({ type, data }) => type === 'input.received' && data['value'] === said.content);
    expect(words).toBeGreaterThan(-1);
    expect(words).toBeLessThan(events.findIndex(({ type }) => type === 'tool_call.dispatched'));
  });

  it('tells rejected commands as denied and not run, and joins what comes next to its own command', async () => {
    const events = await open(
      version2(answer(1), turn(rejected, 'UserRejection'), answer(2), output('two'), answer(3), submitted),
    );
    const [one, two] = ofType(events, 'tool_call.dispatched');
    const [failed] = ofType(events, 'tool_call.failed');
    expect(causesOf(failed, 'result_of')).toEqual([one?.id]);
    expect(failed?.data).toMatchObject({ error: { name: 'UserRejection', message: rejected } });
    const [denied] = ofType(events, 'approval.denied');
    expect(denied).toMatchObject({ principal: { kind: 'human' }, data: { granted: false, reason: rejected } });
    expect(causesOf(denied, 'informed_by')).toEqual([ofType(events, 'model_call.completed')[0]?.id]);
    expect(causesOf(ofType(events, 'tool_call.completed')[0], 'result_of')).toEqual([two?.id]);
  });

  it('leaves the outcome of an interrupted or submitting command open where a person spoke instead', async () => {
    const events = await open(
      version2(
        answer(1),
        turn('Interrupted by user: stop', 'UserInterruption'),
        answer(2),
        turn('The user added a new task: docs', 'UserNewTask'),
        answer(3),
        output('three'),
        answer(4),
        submitted,
      ),
    );
    const calls = ofType(events, 'tool_call.dispatched');
    const results = ofType(events, 'tool_call.completed');
    expect(results.map((event) => causesOf(event, 'result_of')[0])).toEqual([calls[2]?.id, calls[3]?.id]);
    expect(ofType(events, 'input.received').map(({ data }) => data?.['value'])).toEqual([
      'Mend it.',
      'Interrupted by user: stop',
      'The user added a new task: docs',
    ]);
  });
});

describe('documents of mini-swe-agent, version 1 (R6)', () => {
  const config = { agent: { mode: 'confirm', step_limit: 0 }, agent_type: 'minisweagent.agents.interactive' };
  const block = (command: string): string => `\n\`\`\`bash\n${command}\n\`\`\``;
  const chose = (id: string, command: string): object => ({
    role: 'assistant',
    content: `Hm.${block(command)}`,
    timestamp: 1_760_000_002,
    extra: { response: { id, choices: [] } },
  });
  const version1 = (info: object, ...messages: readonly object[]): object => ({
    info: { mini_version: '1.17.1', config, ...info },
    messages: [task, ...messages],
    trajectory_format: 'mini-swe-agent-1',
  });

  it('knows what a person typed and said by the words of the console, reads times, and tells how the run ended', async () => {
    const events = await open(
      version1(
        { exit_status: 'Submitted', submission: 'diff' },
        { role: 'assistant', content: block('ls'), timestamp: 1_760_000_000 },
        { role: 'user', content: '<returncode>0</returncode>\na', timestamp: 1_760_000_001 },
        chose('r1', 'rm x'),
        {
          role: 'user',
          content: 'Command not executed. The user rejected your command with the following message: no',
        },
        chose('r2', 'submit'),
        { role: 'user', content: 'diff' },
      ),
    );
    const [typed] = ofType(events, 'tool_call.dispatched');
    expect(typed).toMatchObject({ principal: { kind: 'human' }, time: '2025-10-09T08:53:20.000Z' });
    expect(ofType(events, 'model_call.completed')).toHaveLength(2);
    expect(ofType(events, 'tool_call.failed')[0]?.data).toMatchObject({ error: { name: 'UserRejection' } });
    expect(ofType(events, 'run.completed')[0]?.data).toEqual({ result: 'diff' });
    expect(ofType(events, 'tool_call.completed')).toHaveLength(2);
  });

  it('takes the last words for the exception that ended the run', async () => {
    const events = await open(
      version1(
        { exit_status: 'LimitsExceeded', submission: '' },
        chose('r1', 'ls'),
        { role: 'user', content: 'a' },
        { role: 'user', content: 'Out of budget.' },
      ),
    );
    expect(ofType(events, 'run.failed')[0]?.data).toMatchObject({
      error: { name: 'LimitsExceeded', message: 'Out of budget.' },
    });
    expect(ofType(events, 'input.received')).toHaveLength(1);
  });

  it('takes no message for the last of a document that is cut', async () => {
    const document = version1({ exit_status: 'Submitted', submission: 'diff' }, chose('r1', 'ls'), task, task);
    const text = JSON.stringify(document);
    const opened = await openFiles([textToSource('a.traj.json', text.slice(0, text.lastIndexOf('Mend it.')))]);
    expect(opened.counts).toMatchObject({ problems: 1 });
    expect(opened.events.map(({ event }) => event.type)).not.toContain('run.completed');
  });
});
