import { describe, expect, it } from 'vitest';
import { createProgressLine, toPercent } from './progress.ts';

function toldTo(isTerminal: boolean): readonly string[] {
  const written: string[] = [];
  let time = 0;
  const line = createProgressLine({ write: (text) => written.push(text), isTerminal, now: () => time });
  for (const at of [10, 1_000, 1_100, 1_300]) {
    time = at;
    line.tell(`at ${at}\u0007`);
  }
  line.end();
  line.end();
  return written;
}

describe('progress on a terminal', () => {
  it('is one line that is written over, after a second and not too often, and is taken away at the end', () => {
    expect(toldTo(true)).toEqual(['\r\u001b[2Kat 1000\\u0007…', '\r\u001b[2Kat 1300\\u0007…', '\r\u001b[2K']);
  });

  it('is nothing where no terminal reads it', () => {
    expect(toldTo(false)).toEqual([]);
  });

  it('tells a part of a whole that is known', () => {
    expect([toPercent(1, 3), toPercent(5, 3), toPercent(1, 0)]).toEqual([' 33 %', '', '']);
  });
});
