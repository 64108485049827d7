/** Findings, rows and headlines over traces with several services, runs and lives, where a join may cross from one to the other. */
import { describe, expect, it } from 'vitest';
import { verdictToText } from '../projections/effects/words.ts';
import { drawView, viewToProblems } from '../projections/testing/drawn-view.ts';
import type { Finding } from '../projections/trace-reader.ts';
import { createReading } from './index.ts';

interface Told {
  readonly findings: readonly Finding[];
  readonly of: (rule: string) => readonly Finding[];
  readonly headline: string;
  /** The last hex digit of the run, the command, the verdict and what was committed, a row a line. */
  readonly rows: readonly string[];
}

function told(drawing: string): Told {
  const view = drawView(drawing);
  const reading = createReading(view, viewToProblems(view));
  const findings = reading.findings();
  return {
    findings,
    of: (rule) => findings.filter((finding) => finding.rule === rule),
    headline: reading
      .headline()
      .facts.map((spans) => spans.map(({ text }) => text).join(''))
      .join(' | '),
    rows: reading
      .effects()
      .map((row) => `${row.run.slice(-1)} ${row.tool} ${verdictToText(row)} ${row.effectIds.join('+')}`.trim()),
  };
}

function attempt(name: string, number: number): string {
  return `${name} tool_call.dispatched path=/write:tickets.create#0 attempt=${String(number)} {"tool":"tickets.create","effect":"external"}`;
}

function committed(name: string, cause: string, kind: string, id: string): string {
  return `${name} effect.committed <- ${cause}:result_of {"effect":{"kind":"${kind}","id":"${id}"}}`;
}

describe('R23 what counts as executed more than once', () => {
  it('one request that left two kinds of things behind was executed once', () => {
    const { headline, rows, of } = told(`
      worker/w/1 agent=a step=1:
        ${attempt('a1', 1)}
      tickets/t/1:
        ${committed('c1', 'a1', 'ticket', '8421')}
        ${committed('c2', 'a1', 'email', 'm-1')}`);
    expect(headline).toContain('Ticket creation executed once: 8421; also committed: m-1.');
    expect(rows).toEqual(['1 tickets.create executed once 8421+m-1']);
    expect(of('executed-twice')).toEqual([]);
  });

  it('two requests with two kinds of things each are two executions, and name one kind', () => {
    const { headline, of } = told(`
      worker/w/1 agent=a step=1:
        ${attempt('a1', 1)}
        ${attempt('a2', 2)}
      tickets/t/1:
        ${committed('c1', 'a1', 'ticket', '8421')}
        ${committed('c2', 'a1', 'email', 'm-1')}
        ${committed('c3', 'a2', 'ticket', '8422')}
        ${committed('c4', 'a2', 'email', 'm-2')}`);
    const [finding, ...rest] = of('executed-twice');
    expect(rest).toEqual([]);
    expect(finding?.title).toBe('Ticket creation executed twice: 8421 and 8422');
    expect(finding?.text).toContain('2 executions of one command');
    expect(finding?.known).toContain('Committed as well, of another kind: m-1 and m-2.');
    expect(headline).toContain('Ticket creation executed twice: 8421 and 8422; also committed: m-1 and m-2.');
  });

  it('three executions are called so in the table, the finding and the headline', () => {
    const { headline, rows, of } = told(`
      worker/w/1 agent=a step=1:
        ${[1, 2, 3].map((n) => attempt(`a${String(n)}`, n)).join('\n        ')}
      tickets/t/1:
        ${[1, 2, 3].map((n) => committed(`c${String(n)}`, `a${String(n)}`, 'ticket', String(n))).join('\n        ')}`);
    expect(rows).toEqual(['1 tickets.create executed 3 times 1+2+3']);
    expect(of('executed-twice').map(({ title }) => title)).toEqual(['Ticket creation executed 3 times: 1, 2 and 3']);
    expect(headline).toContain('Ticket creation executed 3 times: 1, 2 and 3.');
  });
});
