/** What findings and the headline quote of a trace. */
import { expect, it } from 'vitest';
import { drawView } from '../projections/testing/drawn-view.ts';
import { createReading } from './reading.ts';

it('R145 findings and headline quote no control and no name without end', () => {
  const name = `\u202egnp.exe\n${'N'.repeat(10_000)}`;
  const finding = {
    id: 'f',
    rule: 'r',
    title: name,
    text: name,
    severity: 'gap',
    evidence: [],
    known: [name],
    unknown: [name],
    interval: name,
  } as const;
  const headline = { facts: [[{ text: name }]], violations: 0, gaps: 1, notices: 0, failedRuns: 0, checked: [] };
  const reading = createReading(drawView('a: run.started'), [], { findings: [finding], headline });
  const [shown] = reading.findings();
  const texts = [shown?.title, shown?.text, shown?.interval, ...(shown?.known ?? []), ...(shown?.unknown ?? [])];
  for (const text of [
    ...texts,
    ...reading
      .headline()
      .facts.flat()
      .map(({ text }) => text),
  ]) {
    expect(text?.slice(0, 15)).toBe('\\u202egnp.exe N');
    expect(text?.length).toBeLessThan(2000);
  }
});
