/** Matching by itself: which record a command is, over journals drawn by hand. The cases show the same through whole replays. */
import { describe, expect, it } from 'vitest';
import { createMatcher } from './matching.ts';
import type { JournalEntry } from './journal-types.ts';
import type { ReplayCommand } from './pass-types.ts';
import { drawCommand, drawEntry, drawJournal } from './testing/drawn-pass.ts';

/** Matches the commands in order, and tells `match rule record` of each. */
function matched(
  entries: readonly JournalEntry[],
  commands: readonly ReplayCommand[],
  supplied: readonly string[] = [],
): readonly string[] {
  const matcher = createMatcher(drawJournal(...entries));
  for (const command of commands) matcher.match(command, supplied.includes(command.path));
  return commands.map(told);
}

function told({ match, rule, record, pending }: ReplayCommand): string {
  return [match, rule ?? '-', record?.path ?? '-', ...(pending === undefined ? [] : [pending])].join(' ');
}

function site(line: number, column: number) {
  return { function: 'main', line, column };
}

describe('matching', () => {
  it('M1 needs the same path, kind, name and arguments', () => {
    const entries = [drawEntry('/read:x=k', { a: 1 })];
    expect(matched(entries, [drawCommand('/read:x=k', { a: 1 })])).toEqual(['claimed M1 /read:x=k']);
    expect(matched(entries, [drawCommand('/read:x=l', { a: 1 })])).toEqual(['inserted - -']);
    expect(matched(entries, [drawCommand('/read:x=k', { a: 1 }, { kind: 'write' })])).toEqual(['inserted - -']);
    expect(matched(entries, [drawCommand('/read:x=k', { a: 1 }, { name: 'y' })])).toEqual(['inserted - -']);
    expect(matched(entries, [drawCommand('/read:x=k', { a: 2 })])).toEqual(['changed - /read:x=k']);
  });

  it('M1 a record is claimed once: a twin gets nothing', () => {
    const entries = [drawEntry('/read:x=k', {})];
    const twice = [drawCommand('/read:x=k', {}), drawCommand('/read:x=k', {})];
    expect(matched(entries, twice)).toEqual(['claimed M1 /read:x=k', 'inserted - -']);
    expect(matched([drawEntry('/read:x=k', undefined)], twice.map(again))).toEqual([
      'claimed unchecked /read:x=k',
      'inserted - -',
    ]);
  });

  it('M1 W2 a record without a digest is unchecked; where it has holes, what is left must be equal', () => {
    const withheld = drawEntry('/read:x#0', { a: { $hole: 'h' }, b: 1 }, { argsDigest: undefined });
    expect(matched([withheld], [drawCommand('/read:x#0', { a: 5, b: 1 })])).toEqual(['claimed unchecked /read:x#0']);
    expect(matched([withheld], [drawCommand('/read:x#0', { a: 5, b: 2 })])).toEqual(['changed - /read:x#0']);
    expect(matched([drawEntry('/read:x#0', undefined)], [drawCommand('/read:x#0', { z: 1 })])).toEqual([
      'claimed unchecked /read:x#0',
    ]);
  });

  it('M2 takes the lowest unclaimed record of the group with equal arguments above the last claimed one', () => {
    const entries = [
      drawEntry('/read:x#3', { a: 1 }),
      drawEntry('/read:x#0', { a: 0 }),
      drawEntry('/read:x#2', { a: 1 }),
      drawEntry('/read:x#1', { a: 1 }),
    ];
    const first = [drawCommand('/read:x#0', { a: 1 })];
    expect(matched(entries, first)).toEqual(['claimed M2 /read:x#1']);
    const three = [
      drawCommand('/read:x#0', { a: 0 }),
      drawCommand('/read:x#4', { a: 1 }),
      drawCommand('/read:x#5', { a: 1 }),
    ];
    expect(matched(entries, three)).toEqual(['claimed M1 /read:x#0', 'claimed M2 /read:x#1', 'claimed M2 /read:x#2']);
    // Never back: #1 lies below what was claimed.
    const back = [drawCommand('/read:x#3', { a: 1 }), drawCommand('/read:x#4', { a: 1 })];
    expect(matched(entries, back)).toEqual(['claimed M1 /read:x#3', 'inserted - -']);
  });

  it('M2 the last claimed one is the highest: a lower one that is claimed by its path afterwards frees nothing below it', () => {
    const entries = [0, 1, 2, 3].map((n) => drawEntry(`/read:x#${String(n)}`, { a: n }));
    const commands = [3, 1, 7, 2].map((a, n) => drawCommand(`/read:x#${String(n)}`, { a }));
    expect(matched(entries, commands)).toEqual([
      'claimed M2 /read:x#3',
      'claimed M1 /read:x#1',
      'changed - /read:x#2',
      'inserted - -',
    ]);
  });

  it('M2 stays in its scope, kind and name; keyed and supplied commands do not shift', () => {
    const entries = [
      drawEntry('/read:x#1', { a: 1 }),
      drawEntry('/read:x=k', { a: 1 }),
      drawEntry('/par:p/read:x#0', { a: 9 }),
    ];
    expect(matched(entries, [drawCommand('/par:p/read:x#1', { a: 1 })])).toEqual(['inserted - -']);
    expect(matched(entries, [drawCommand('/read:y#0', { a: 1 })])).toEqual(['inserted - -']);
    expect(matched(entries, [drawCommand('/read:x=other', { a: 1 })])).toEqual(['inserted - -']);
    expect(matched(entries, [drawCommand('/read:x#0', { a: 1 })], ['/read:x#0'])).toEqual(['inserted - -']);
    // A claim by key is no lower bound for the counted ones beside it.
    const beside = [drawCommand('/read:x=k', { a: 1 }), drawCommand('/read:x#0', { a: 1 })];
    expect(matched(entries, beside)).toEqual(['claimed M1 /read:x=k', 'claimed M2 /read:x#1']);
    expect(matched(entries, [drawCommand('/read:x#0', { a: 1 })])).toEqual(['claimed M2 /read:x#1']);
  });

  it('M2b prefers the same line and column among equals, and falls back to the lowest', () => {
    const entries = [
      drawEntry('/read:x#1', {}, { site: site(3, 5) }),
      drawEntry('/read:x#2', {}, { site: site(4, 5) }),
      drawEntry('/read:x#3', {}, { site: site(4, 9) }),
      drawEntry('/read:x#4', {}),
    ];
    const at = (where: ReplayCommand['site']) => [drawCommand('/read:x#0', {}, { site: where })];
    expect(matched(entries, at(site(4, 9)))).toEqual(['claimed M2 /read:x#3']);
    expect(matched(entries, at(site(4, 5)))).toEqual(['claimed M2 /read:x#2']);
    expect(matched(entries, at(site(8, 5)))).toEqual(['claimed M2 /read:x#1']);
    expect(matched(entries, at(undefined))).toEqual(['claimed M2 /read:x#1']);
  });

  it('M3 is provisional: a shifted command that claims the record makes it inserted, waiting or not', () => {
    const entries = [drawEntry('/read:x#0', { v: 'b' })];
    const changed = drawCommand('/read:x#0', { v: 'a' });
    const matcher = createMatcher(drawJournal(...entries));
    matcher.match(changed, true);
    expect(told(changed)).toBe('changed - /read:x#0');
    changed.pending = 'changed';
    const shifted = drawCommand('/read:x#1', { v: 'b' });
    matcher.match(shifted, false);
    expect([told(shifted), told(changed)]).toEqual(['claimed M2 /read:x#0', 'inserted - - inserted']);
    // A reason that is not about the change stays.
    const other = createMatcher(drawJournal(...entries));
    const waiting = drawCommand('/read:x#0', { v: 'a' });
    other.match(waiting, true);
    waiting.pending = 'suspect';
    other.match(drawCommand('/read:x#1', { v: 'b' }), false);
    expect(told(waiting)).toBe('inserted - - suspect');
  });

  it('M4 what has no record is inserted', () => {
    expect(matched([], [drawCommand('/model:m#0', {})])).toEqual(['inserted - -']);
  });

  it('M5 takes the earliest unclaimed record of equal kind, name and arguments whose own path was not issued', () => {
    const entries = [
      drawEntry('/write:w#0', { n: 1 }),
      drawEntry('/write:w#1', { n: 1 }),
      drawEntry('/par:p/write:w#0', { n: 1 }),
      drawEntry('/write:w#2', { n: 2 }),
    ];
    const matcher = createMatcher(drawJournal(...entries));
    const exact = drawCommand('/write:w#0', { n: 1 });
    const changed = drawCommand('/write:w#1', { n: 7 });
    const moved = drawCommand('/scope:s/write:w#0', { n: 1 });
    for (const command of [exact, changed, moved]) matcher.match(command, false);
    expect([exact, changed, moved].map(told)).toEqual([
      'claimed M1 /write:w#0',
      'changed - /write:w#1',
      'inserted - -',
    ]);
    moved.pending = 'inserted';
    expect(matcher.claimMoved(moved)).toBe(true);
    expect(told(moved)).toBe('claimed M5 /par:p/write:w#0');
    const nothing = drawCommand('/scope:t/write:w#0', { n: 1 });
    matcher.match(nothing, false);
    expect([matcher.claimMoved(nothing), told(nothing)]).toEqual([false, 'inserted - -']);
    expect(matcher.claimMoved(drawCommand('/scope:t/read:w#0', { n: 2 }))).toBe(false);
    expect(matcher.claimMoved(drawCommand('/scope:t/write:v#0', { n: 2 }))).toBe(false);
  });

  it('M5 a moved command gives back the record it was compared with, and moves no count', () => {
    const entries = [
      drawEntry('/write:w#0', { n: 1 }),
      drawEntry('/write:w#1', { n: 2 }),
      drawEntry('/write:w#2', { n: 3 }),
    ];
    const matcher = createMatcher(drawJournal(...entries));
    const first = drawCommand('/write:w#0', { n: 3 });
    matcher.match(first, true);
    expect(told(first)).toBe('changed - /write:w#0');
    expect(matcher.claimMoved(first)).toBe(true);
    expect(told(first)).toBe('claimed M5 /write:w#2');
    // The record at #0 is free again, and a claim by M5 at #2 is no lower bound.
    const second = drawCommand('/write:w#5', { n: 1 });
    matcher.match(second, false);
    expect([told(second), told(first)]).toEqual(['claimed M2 /write:w#0', 'claimed M5 /write:w#2']);
  });

  it('M5 a later exact match to a moved record waits as double-claim; another claim or other arguments do not', () => {
    const entries = [drawEntry('/write:w#0', { n: 1 })];
    const taken = (args: { readonly n: number }): string => {
      const matcher = createMatcher(drawJournal(...entries));
      const moved = drawCommand('/scope:s/write:w#0', { n: 1 });
      matcher.match(moved, false);
      matcher.claimMoved(moved);
      const late = drawCommand('/write:w#0', args);
      matcher.match(late, false);
      return told(late);
    };
    expect([taken({ n: 1 }), taken({ n: 2 })]).toEqual(['inserted - - double-claim', 'inserted - -']);
  });

  it('M6 what is identified by path alone is claimed as it is, and takes the record from a changed command', () => {
    const entry = drawEntry('/decide:d#0', { chosen: 1 });
    const matcher = createMatcher(drawJournal(entry));
    const decided = drawCommand('/decide:d#0', { chosen: 2 });
    matcher.match(decided, false);
    expect(told(decided)).toBe('changed - /decide:d#0');
    matcher.claimExactly(decided, entry);
    expect(told(decided)).toBe('claimed M1 /decide:d#0');
    expect([...matcher.claimed]).toEqual([['/decide:d#0', decided]]);
    // Its path counts as issued: nothing moves there.
    const later = createMatcher(drawJournal(entry));
    later.claimExactly(drawCommand('/decide:d#0', {}), entry);
    expect(later.claimMoved(drawCommand('/scope:s/decide:d#0', { chosen: 1 }))).toBe(false);
  });
});

function again(command: ReplayCommand): ReplayCommand {
  return drawCommand(command.path, command.args);
}
