/** What is said of a command of which one execution is recorded and another is open, in findings, claims, rows and the headline alike. */
import { describe, expect, it } from 'vitest';
import type { Finding } from '../projections/trace-reader.ts';
import { drawView, viewToProblems } from '../projections/testing/drawn-view.ts';
import { createReading } from './reading.ts';
import { replaced, twice, without } from './testing/drawn-runs.ts';

const acknowledged = '<- a2:result_of {"http_status":201}';

function answeredWith(id: number): string {
  return replaced(twice, acknowledged, `<- a2:result_of {"http_status":201,"response":{"ticket":${String(id)}}}`);
}

function read(drawing: string): {
  readonly fact: string;
  readonly verdict: string | undefined;
  readonly of: (rule: string) => readonly Finding[];
} {
  const view = drawView(drawing);
  const reading = createReading(view, viewToProblems(view));
  const [fact = []] = reading.headline().facts;
  return {
    fact: fact.map(({ text }) => text).join(''),
    verdict: reading.effects()[0]?.verdict,
    of: (rule) => reading.findings().filter((finding) => finding.rule === rule),
  };
}

const claim =
  '\n  tickets/t/1:\n    d1 duplicate.detected <- gone:caused_by {"kind":"ticket","effects":["8421","8422"]}';

describe('the second of two commitments is lost', () => {
  const lost = without(answeredWith(8422), 'c2');

  it('R23 R28 the headline says at least once, which request is open, and what its caller was told of', () => {
    const { fact, verdict } = read(lost);
    expect(verdict).toBe('uncertain');
    expect(fact).toContain(
      'Ticket creation executed at least once: 8421; whether the request of worker 2 was executed too is uncertain; a caller was told of 8422, of which no commitment is recorded.',
    );
  });

  it('R28 a request that was answered is not told as one without an answer', () => {
    const [finding, ...others] = read(lost).of('uncertain-effect');
    expect(others).toEqual([]);
    expect(finding?.text).not.toContain('without an answer');
    expect(finding?.text).toBe(
      'The ticket creation was dispatched and answered. No record of the service tells whether it was executed. Beside it, the service committed 8421. A caller was told of 8422, of which no commitment is recorded.',
    );
    expect(finding?.interval).toBe('between the dispatch and its commitment');
  });

  it('R28 an answer that was not kept leaves the outcome as open', () => {
    const { of } = read(without(lost, 'e2', 's2', 'end'));
    expect(of('acknowledgement-without-result')).toHaveLength(1);
    expect(of('uncertain-effect').map(({ text }) => text)).toEqual([
      expect.stringContaining('dispatched and answered'),
    ]);
  });

  it('R28 an answer that names what the other request made is no second execution', () => {
    const { verdict, of } = read(without(answeredWith(8421), 'c2'));
    expect([verdict, of('uncertain-effect')]).toEqual(['executed once', []]);
  });

  it('R100 a claim of a duplicate is joined by the effects that it names, and told beside what the records show', () => {
    const [finding, ...others] = read(lost + claim).of('claims-compared');
    expect(others).toEqual([]);
    expect(finding?.title).toBe('A recorded claim of a duplicate is not confirmed by the records');
    expect(finding?.text).toBe(
      'd1 claims a duplicate effect (8421 and 8422); the records of "Ticket creation" show: executed at least once (8421); whether the request of worker 2 was executed too is uncertain; a caller was told of 8422, of which no commitment is recorded.',
    );
    expect(finding?.known).toContain('Of 8422 no commitment is recorded.');
    expect(finding?.command).toBe('/write:tickets.create#0');
  });
});

describe('the first of two commitments is lost', () => {
  const lost = replaced(without(answeredWith(8422), 'c1'), '<- c1:caused_by', '<- a1:caused_by');

  it('R23 R28 the request whose process was killed is open', () => {
    const { fact, verdict, of } = read(lost);
    expect(verdict).toBe('uncertain');
    expect(fact).toMatch(
      /^Ticket creation executed at least once: 8422; whether the request of worker 1 was executed too is uncertain\./,
    );
    expect(of('dispatch-without-acknowledgement')).toHaveLength(1);
  });
});

describe('R100 a claim of a duplicate', () => {
  it('that the records show is no finding, by whichever of its effects it is joined', () => {
    expect(read(twice + claim).of('claims-compared')).toEqual([]);
  });

  it.each([
    ['of other effects', '"effects":["9000"]'],
    ['of no effect', '"by":"x"'],
  ])('%s names no effect of the trace', (_, data) => {
    const line = `\n  tickets/t/1:\n    d1 duplicate.detected <- gone:caused_by {${data}}`;
    const [finding] = read(twice + line).of('claims-compared');
    expect(finding?.text).toContain('it names no effect of this trace');
  });

  it('under another word for its kind, or with the request as its cause, names the same effects', () => {
    for (const [cause, data] of [
      ['gone', '"kind":"mail","effects":["8421","8422"]'],
      ['a2', '"by":"ledger"'],
    ] as const) {
      const line = `\n  tickets/t/1:\n    d1 duplicate.detected <- ${cause}:caused_by {${data}}`;
      expect(read(twice + line).of('claims-compared')).toEqual([]);
    }
  });

  it('of one effect, named as effect or by its id, is joined too', () => {
    for (const data of ['"effect":{"id":"8421"}', '"effect_id":8421']) {
      const line = `\n  tickets/t/1:\n    d1 duplicate.detected <- gone:caused_by {${data}}`;
      expect(read(twice + line).of('claims-compared')).toEqual([]);
    }
  });
});

describe('R100 a caller was told of what no commitment has', () => {
  it('of its own request: how often it was executed is uncertain, with a finding of its own', () => {
    const drawing = replaced(
      answeredWith(9),
      'c2 effect.committed <- a2:result_of',
      'c2 effect.deduplicated <- a2:result_of',
    );
    const { fact, verdict, of } = read(drawing);
    expect(verdict).toBe('uncertain');
    expect(fact).toContain(
      'executed at least once: 8421; a caller was told of 8422, of which no commitment is recorded.',
    );
    const [finding] = of('uncertain-effect');
    expect(finding?.title).toBe('Ticket creation: how often it was executed is uncertain');
    expect(finding?.text).toBe(
      'Executed at least once: 8421. A caller was told of 8422, of which no commitment is recorded.',
    );
  });
});
