/** The world rule by itself: which reads are suspect, for passes drawn by hand; and when names of resources meet. */
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from './journal-types.ts';
import type { ReplayCommand } from './pass-types.ts';
import { doNamesMeet } from './resource-names.ts';
import { fillName, meeting, touchOf } from './resources.ts';
import type { ToolInfo } from './run-info.ts';
import { drawCommand, drawEntry, drawPass } from './testing/drawn-pass.ts';
import { type WorldTouch, computeSuspicions, computeTouches } from './world.ts';

function tool(name: string, rest: Partial<ToolInfo> = {}): ToolInfo {
  return { name, service: undefined, effect: undefined, reads: undefined, writes: undefined, ...rest };
}

interface Drawn {
  readonly entries: readonly JournalEntry[];
  readonly commands: readonly ReplayCommand[];
  readonly edited?: readonly string[];
  readonly tools?: readonly ToolInfo[];
  readonly earlier?: readonly WorldTouch[];
}

function input({ entries, commands, edited = [], tools = [], earlier = [] }: Drawn) {
  return {
    entries,
    pass: drawPass(...commands),
    edited: new Set(edited),
    tools: new Map(tools.map((one) => [one.name, one])),
    earlier,
  };
}

/** `path by path resource` of every suspicion. */
function suspects(drawn: Drawn): readonly string[] {
  return computeSuspicions(input(drawn)).map(({ record, by, resource }) => `${record.path} by ${by.path}: ${resource}`);
}

function touches(drawn: Drawn): readonly string[] {
  return computeTouches(input(drawn)).map(({ path, from }) => `${path} from ${from}`);
}

const write = drawEntry('/write:send#0', { to: 1 }, { issued: '4', writes: ['mail'] });
const read = drawEntry('/read:list#0', {}, { issued: '6', delivered: '7', reads: ['mail'] });
function claimed(record: JournalEntry): ReplayCommand {
  return drawCommand(record.path, record.args ?? {}, { match: 'claimed', rule: 'M1', record });
}
const changed = drawCommand('/write:send#0', { to: 2 }, { match: 'changed', record: write, writes: ['post'] });

describe('what touches the world differently', () => {
  it('I3 changed, inserted, superseded and removed effects do; those that stand do not', () => {
    expect(touches({ entries: [write], commands: [claimed(write)] })).toEqual([]);
    expect(touches({ entries: [write], commands: [claimed(write)], edited: [write.path] })).toEqual([
      '/write:send#0 from 4',
    ]);
    expect(touches({ entries: [write], commands: [changed] })).toEqual([
      '/write:send#0 from 4',
      '/write:send#0 from 4',
    ]);
    expect(touches({ entries: [write], commands: [] })).toEqual(['/write:send#0 from 4']);
    const inserted = drawCommand('/write:new#0', {}, { match: 'inserted', moment: '9' });
    expect(touches({ entries: [], commands: [inserted] })).toEqual(['/write:new#0 from 9']);
    const twin = drawCommand('/write:new#0', {}, { match: 'ambiguous' });
    expect(touches({ entries: [], commands: [twin] })).toEqual([]);
  });

  it('I3 a read does not, unless it or its tool declares that it writes; a write that writes nothing does not', () => {
    const inserted = (path: string, writes?: readonly string[]) => drawCommand(path, {}, { match: 'inserted', writes });
    expect(touches({ entries: [], commands: [inserted('/read:r#0')] })).toEqual([]);
    expect(touches({ entries: [], commands: [inserted('/read:r#0', ['log'])] })).toEqual(['/read:r#0 from 0']);
    expect(touches({ entries: [], commands: [inserted('/write:w#0', [])] })).toEqual([]);
    const tools = [tool('r', { writes: ['log'] }), tool('w', { writes: [] })];
    expect(touches({ entries: [], commands: [inserted('/read:r#0'), inserted('/write:w#0')], tools })).toEqual([
      '/read:r#0 from 0',
    ]);
    // The record wrote, what is asked now only reads: the world has what it wrote.
    const reads = drawCommand('/read:send#0', {}, { match: 'changed', record: write });
    expect(touches({ entries: [write], commands: [reads] })).toHaveLength(2);
  });

  it('a record without a position touches nothing that could be after it', () => {
    const nowhere = drawEntry('/write:send#0', {}, { issued: undefined });
    expect(touches({ entries: [nowhere], commands: [] })).toEqual([]);
    expect(touches({ entries: [nowhere], commands: [claimed(nowhere)], edited: [nowhere.path] })).toEqual([]);
    expect(touches({ entries: [nowhere], commands: [{ ...changed, record: nowhere }] })).toEqual([]);
  });
});

describe('suspicion', () => {
  it('I3 falls on a read of the same resource that was delivered after the write was issued', () => {
    const commands = [changed, claimed(read)];
    expect(suspects({ entries: [write, read], commands })).toEqual(['/read:list#0 by /write:send#0: mail']);
    const other = { ...read, reads: ['sky'] };
    expect(suspects({ entries: [write, other], commands: [changed, claimed(other)] })).toEqual([]);
    for (const [delivered, count] of [
      ['4', 0],
      ['3', 0],
      ['4.1', 1],
      ['5', 1],
    ] as const) {
      const moved = { ...read, delivered };
      expect([delivered, suspects({ entries: [write, moved], commands: [changed, claimed(moved)] }).length]).toEqual([
        delivered,
        count,
      ]);
    }
  });

  it('I3 also meets what a changed effect writes now, and what an earlier segment touched', () => {
    const post = { ...read, reads: ['post/1'] };
    expect(suspects({ entries: [write, post], commands: [changed, claimed(post)] })).toEqual([
      '/read:list#0 by /write:send#0: post/1',
    ]);
    const earlier: WorldTouch = {
      path: '/seg',
      event: undefined,
      from: '-1',
      touch: { names: ['mail'], service: undefined },
    };
    expect(suspects({ entries: [read], commands: [claimed(read)], earlier: [earlier] })).toEqual([
      '/read:list#0 by /seg: mail',
    ]);
  });

  it('I3 falls only on what is claimed, not edited and was delivered', () => {
    const both = [changed, claimed(read)];
    expect(suspects({ entries: [write, read], commands: [changed] })).toEqual([]);
    expect(suspects({ entries: [write, read], commands: both, edited: [read.path] })).toEqual([]);
    const open = { ...read, delivered: undefined };
    expect(suspects({ entries: [write, open], commands: [changed, claimed(open)] })).toEqual([]);
    expect(suspects({ entries: [write, read], commands: [claimed(write), claimed(read)] })).toEqual([]);
  });

  it('I4 falls on reads that declare nothing by service; on models and policies only where they declare', () => {
    const bare = drawEntry('/read:list#0', {}, { delivered: '7' });
    const run = (record: JournalEntry, tools: readonly ToolInfo[], sent = write) =>
      suspects({
        entries: [sent, record],
        commands: [{ ...changed, record: sent, writes: undefined }, claimed(record)],
        tools,
      });
    expect(run(bare, [])).toEqual(['/read:list#0 by /write:send#0: world-unknown']);
    const two = [tool('list', { service: 'a' }), tool('send', { service: 'b' })];
    expect(run(bare, two)).toEqual([]);
    expect(run(bare, [tool('list', { service: 'a' }), tool('send', { service: 'a' })])).toEqual([
      '/read:list#0 by /write:send#0: world-unknown (a)',
    ]);
    expect(run({ ...bare, reads: [] }, [])).toEqual([]);
    expect(run({ ...bare, kind: 'model' }, [])).toEqual([]);
    expect(run({ ...bare, kind: 'model', reads: ['mail'] }, [])).toHaveLength(1);
    expect(run({ ...bare, oneEvent: true }, [])).toEqual([]);
    expect(run({ ...bare, oneEvent: true }, [tool('list', { reads: ['mail'] })])).toEqual([
      '/read:list#0 by /write:send#0: mail',
    ]);
  });
});

describe('resources', () => {
  it('I3 names meet by prefix at a slash', () => {
    for (const [a, b] of [
      ['t', 't'],
      ['t', 't/7'],
      ['t/7', 't'],
      ['t/{id}', 't/7'],
      ['t/7/x', 't/{id}'],
    ] as const)
      expect([a, b, doNamesMeet(a, b)]).toEqual([a, b, true]);
    for (const [a, b] of [
      ['t', 'ti'],
      ['t/7', 't/8'],
      ['a/t', 't'],
      ['t/7/x', 't/8/x'],
    ] as const)
      expect([a, b, doNamesMeet(a, b)]).toEqual([a, b, false]);
  });

  it('I3 places in names are filled from the arguments', () => {
    const args = { id: 7, to: { name: 'ada' }, list: ['x'], deep: {} };
    expect(fillName('t/{id}/{to.name}/{list.0}', args)).toBe('t/7/ada/x');
    expect(fillName('t/{deep}/{gone}/{id.x}', args)).toBe('t/{deep}/{gone}/{id.x}');
    expect(fillName('t/{id}', undefined)).toBe('t/{id}');
  });

  it('I4 what declares nothing meets by service; an unknown one meets every write, and nothing meets no names', () => {
    const named = (...names: readonly string[]) => ({ names, service: 'a' });
    const by = (service: string | undefined) => ({ names: undefined, service });
    expect(meeting(named('x', 'y'), named('y'))).toBe('y');
    expect(meeting(named('x'), named('y'))).toBeUndefined();
    expect(meeting(by('a'), named())).toBeUndefined();
    expect(meeting(named(), by('a'))).toBeUndefined();
    expect(meeting(by('a'), named('y'))).toBe('world-unknown (a)');
    expect(meeting(by('b'), named('y'))).toBeUndefined();
    expect(meeting(by(undefined), named('y'))).toBe('world-unknown');
    expect(meeting(named('y'), by(undefined))).toBe('world-unknown');
  });

  it('I4 a service is what the tool declares, else the host of the recorded address', () => {
    const none = new Map<string, ToolInfo>();
    const source = { name: 'n', args: { id: 1 }, url: 'https://user@shop.example:8080/x?y' };
    expect(touchOf(undefined, 'reads', source, none)).toEqual({ names: undefined, service: 'shop.example:8080' });
    expect(touchOf(['a/{id}'], 'reads', { name: 'n', args: { id: 1 } }, none)).toEqual({
      names: ['a/1'],
      service: undefined,
    });
    const tools = new Map([['n', tool('n', { service: 's', reads: ['r'], writes: ['w'] })]]);
    expect(touchOf(undefined, 'reads', source, tools)).toEqual({ names: ['r'], service: 's' });
    expect(touchOf(undefined, 'writes', source, tools)).toEqual({ names: ['w'], service: 's' });
    expect(touchOf(undefined, 'reads', { ...source, url: 'no address' }, none).service).toBeUndefined();
  });
});
