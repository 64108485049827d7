/** OpenHands beside the list of events: a file an event, the API's pages, the state of a conversation, errors that name a call otherwise. */
import { describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../../model/index.ts';
import { openFiles, type Opened, textToSource } from '../testing/opening.ts';

async function open(files: Readonly<Record<string, unknown>>): Promise<Opened> {
  const opened = await openFiles(
    Object.entries(files).map(([name, value]) => textToSource(name, JSON.stringify(value))),
  );
  expect(opened.error).toBeUndefined();
  expect(opened.result?.format).toBe('openhands');
  const { input, mapped, merged, problems } = opened.counts;
  expect([input, problems]).toEqual([mapped + merged, 0]);
  return opened;
}

function ofType({ events }: Opened, type: string): readonly HindcastEvent[] {
  return events.map(({ event }) => event).filter((event) => event.type === type);
}

const time = '2026-01-01T10:00:00.000000';
const action = {
  id: 'e2',
  timestamp: time,
  source: 'agent',
  kind: 'ActionEvent',
  action: { kind: 'TerminalAction', command: 'ls' },
  tool_name: 'terminal',
  tool_call_id: 'c1',
  tool_call: { id: 'c1', name: 'terminal', arguments: '{"command":"ls"}' },
  llm_response_id: 'r1',
};
const failed = {
  id: 'e3',
  timestamp: time,
  source: 'agent',
  kind: 'AgentErrorEvent',
  error: 'boom',
  tool_call_id: 'c1',
};
const ended = {
  id: 'e4',
  timestamp: time,
  source: 'environment',
  kind: 'ConversationErrorEvent',
  code: 'LLMError',
  detail: 'cut',
};

describe('OpenHands, version 1 (R5, R6)', () => {
  it('joins an error to the call that it names by its id for the model, and tells how the conversation ended', async () => {
    const opened = await open({ 'page.json': { items: [action, failed, ended], next_page_id: null } });
    const [call] = ofType(opened, 'tool_call.dispatched');
    const [error] = ofType(opened, 'tool_call.failed');
    expect(error?.causes?.[0]).toEqual({ event: call?.id, as: 'result_of' });
    expect(ofType(opened, 'run.failed')[0]?.data).toMatchObject({ error: { name: 'LLMError', message: 'cut' } });
  });

  it('takes the id of a conversation from the state beside its event files, whose zones are said once', async () => {
    const opened = await open({
      'c/base_state.json': { id: 'conv', agent: { llm: { model: 'm' } }, execution_status: 'error' },
      'c/events/event-00000-e2.json': action,
      'c/events/event-00001-e3.json': failed,
    });
    expect(new Set(opened.events.map(({ event }) => event.session))).toEqual(new Set(['conv']));
    expect(ofType(opened, 'model_call.completed')[0]?.data).toMatchObject({ request_model: 'm' });
    expect(opened.problems.map(({ code }) => code)).toEqual(['time-without-zone']);
  });
});

describe('OpenHands, version 0 (R5)', () => {
  const events = Array.from({ length: 11 }, (_, id) => ({
    id,
    timestamp: time,
    source: 'user',
    action: 'message',
    args: { content: `word ${String(id)}` },
  }));

  it('reads a file an event in the order of their numbers, and the trajectory of the API', async () => {
    const files = Object.fromEntries(events.map((event) => [`s/events/${String(event.id)}.json`, event]));
    const said = (opened: Opened) => ofType(opened, 'input.received').map(({ data }) => data?.['value']);
    const expected = events.map(({ args }) => args.content);
    expect(said(await open(files))).toEqual(expected);
    expect(said(await open({ 'a.json': { trajectory: events } }))).toEqual(expected);
  });

  it('R18 runs of an evaluation are the same runs in any order of lines, and their events in any order of the list', async () => {
    const turns = events.slice(0, 6).map((event, n) => ({
      ...event,
      timestamp: time.replace('00.000000', `0${String(n)}.000000`),
      source: n % 2 === 0 ? 'user' : 'agent',
    }));
    const run = (name: string, history: readonly object[]): object => ({ instance_id: name, history, error: null });
    const openRuns = async (runs: readonly object[]): Promise<readonly string[]> => {
      const opened = await openFiles([textToSource('out.jsonl', runs.map((one) => JSON.stringify(one)).join('\n'))]);
      expect(opened.problems.map(({ code }) => code)).toEqual(['time-without-zone']);
      return opened.events
        .flatMap(({ event }) =>
          (event.causes ?? []).map((cause) => `${event.run} ${event.id} ${JSON.stringify(cause)}`),
        )
        .filter((edge) => !edge.includes('next-prompt'))
        .sort();
    };
    const runs = [run('a', turns), run('b', turns), run('b', turns.slice(0, 4))];
    const straight = await openRuns(runs);
    expect(straight.length).toBeGreaterThan(10);
    expect(await openRuns([...runs].reverse())).toEqual(straight);
    const mixed = await openRuns([run('a', [...turns].reverse())]);
    const plain = (edges: readonly string[]): unknown =>
      edges.map((edge) => edge.replaceAll(/[0-9a-f]{8,32}/g, '')).sort();
    expect(plain(mixed)).toEqual(plain(await openRuns([run('a', turns)])));
  });
});
