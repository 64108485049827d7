import { describe, expect, it } from 'vitest';
import { traceId } from '../../platform/storage/index.ts';
import { defaultChoice, groupByProgram } from './set-groups.ts';

function trace(id: string, replayGrade = 'full') {
  return { id: traceId(id), replayGrade };
}

function of(id: string, digest: string, name = 'desk') {
  return {
    trace: traceId(id),
    programs: [{ run: 'r', name, version: '1', digest: `sha256:${digest}0123456789ab` }],
  };
}

describe('runs by program (3.10)', () => {
  const traces = [
    trace('other'),
    trace('same'),
    trace('shown'),
    trace('changed'),
    trace('none', 'preview'),
    trace('weak', 'partial'),
  ];
  const known = [of('other', 'aa', 'mill'), of('same', 'bb'), of('shown', 'bb'), of('changed', 'cc'), of('weak', 'bb')];
  const groups = groupByProgram(traces, known, traceId('shown'));

  it('the program that is shown comes first; name, version and digest make a group', () => {
    expect(groups.map(({ isOwn, traces: list }) => [isOwn, list.map(({ id }) => id)])).toEqual([
      [true, ['same', 'shown', 'weak']],
      [false, ['other']],
      [false, ['changed']],
      [false, ['none']],
    ]);
    expect(new Set(groups.map(({ title }) => title)).size).toBe(4);
  });

  it('nobody chose: runs of the same program that replay in full, never those of another', () => {
    expect([...defaultChoice(groups, traceId('shown'))]).toEqual(['shown', 'same']);
    const alone = groupByProgram([trace('shown'), trace('x')], [], traceId('shown'));
    expect([...defaultChoice(alone, traceId('shown'))]).toEqual(['shown']);
  });
});
