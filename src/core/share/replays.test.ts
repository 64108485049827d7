import { describe, expect, it } from 'vitest';
import { computeCopyReplay } from './replays.ts';

function started(data: unknown, holes: readonly object[] = []): string {
  return `${JSON.stringify({ type: 'share.declared', data: holes.length === 0 ? {} : { holes } })}\n${JSON.stringify({ type: 'run.started', data })}\n`;
}

describe('a copy', () => {
  it('replays where its whole program and the input it starts with are there', () => {
    const copy = started({ program: { source: 'async function main() {}' }, input: { case: 1 } });
    expect(computeCopyReplay(copy)).toMatchObject({
      replays: 'until a withheld value is needed',
      sentence: expect.stringContaining('it replays until it needs a withheld value'),
    });
  });

  it.each([
    ['the program is withheld', { program: { source: { $hole: 'h2' } }, input: 1 }, 'The control program is withheld:'],
    [
      'a part of the program is masked',
      { program: { source: { $hole: 'h1' } }, input: 1 },
      'A part of the text of the control program is withheld:',
    ],
    ['there is no program', { program: { name: 'desk' }, input: 1 }, 'is not in the copy'],
    [
      'a part of the input is withheld',
      { program: { source: 'x' }, input: { a: [{ $hole: 'h2' }] } },
      'the input it starts with',
    ],
  ])('is for viewing where %s, and says so', (_, data, reason) => {
    const { replays, sentence } = computeCopyReplay(started(data, [{ id: 'h1', masked: 'x' }, { id: 'h2' }]));
    expect(replays).toBe('viewing only');
    expect(sentence).toContain(reason);
  });

  it('of a part without the start of a run is for viewing', () => {
    expect(computeCopyReplay('{"type":"share.declared"}\n').replays).toBe('viewing only');
  });

  it('W3 is for viewing where names are pseudonyms, and says what to keep', () => {
    const start = started({ program: { source: 'x' }, input: 1 });
    const of = (names: string) => start.replace('"data":{}', `"data":{"policy":{"classes":{"names":"${names}"}}}`);
    expect(computeCopyReplay(of('keep')).replays).toBe('until a withheld value is needed');
    const { replays, sentence } = computeCopyReplay(of('pseudonym'));
    expect(replays).toBe('viewing only');
    expect(sentence).toMatch(/names of tools and models are pseudonyms.*keep them too/);
  });
});
