/** What rules hold apart: runs, branches, lives, requests, and what is like one another and is not the same. */
import { describe, expect, it } from 'vitest';
import { ask, clean, data, declared, ticket, who } from './testing/drawn-runs.ts';
import { findingsOf } from './testing/findings-of.ts';

function again(n: number): string {
  return ask.replace('attempt=1', `attempt=${String(n)}`);
}

describe('R126 requests under a key that was in flight', () => {
  const three = (first: string, ...told: readonly string[]): string => `${declared('fsync')}
  worker/w/1 agent=support step=17:
    a1 ${ask} key=k ${data} ${who}
    a2 ${again(2)} key=k ${data} ${who}
    a3 ${again(3)} key=k ${data} ${who}
  ${first} key=k <- a1:result_of {}
  tickets/t/1:
    ${told.join('\n    ')}`;
  const rest = [
    'r2 effect.requested key=k <- a2:result_of {}',
    'd2 effect.dropped key=k <- a2:result_of {}',
    'r3 effect.requested key=k <- a3:result_of {}',
    `c3 effect.committed key=k <- a3:result_of ${ticket(8423)}`,
    `d1 effect.dropped key=k <- a1:result_of {}`,
  ];
  const evidence = (trace: string) => findingsOf('in-flight-not-refused', trace).map((finding) => finding.evidence);

  it('is so where an earlier one was open, though another in between was over', () => {
    expect(evidence(three('tickets/t/1:\n    r1 effect.requested', ...rest))).toEqual([['r1', 'r3', 'c3']]);
  });

  it('by causes, where two logs of the service tell of them, or one has no numbers', () => {
    const caused = rest.map((line) => line.replace('r3 effect.requested key=k <- ', '$&r1:caused_by, '));
    const told = caused.map((line) => line.replace('d1 effect.dropped key=k <- ', '$&r3:caused_by, '));
    expect(evidence(three('tickets/u/1:\n    r1 effect.requested', ...told))).toEqual([['r1', 'r3', 'c3']]);
    expect(evidence(three('tickets/t/1:\n    r1 effect.requested noseq', ...told))).toEqual([['r1', 'r3', 'c3']]);
    expect(evidence(three('tickets/u/1:\n    r1 effect.requested', ...rest))).toEqual([]);
  });

  it('not by the numbers of two branches, each of which has numbers of its own', () => {
    const branched = `${declared('fsync')}
  worker/w/1 agent=support step=17:
    a1 ${ask} key=k ${data} ${who}
  tickets/t/1:
    r1 effect.requested seq=0 key=k <- a1:result_of {}
    c1 effect.committed seq=2 key=k <- a1:result_of ${ticket(8421)}
  hindcast/p/1 branch=b-1:
    b0 branch.created replay=op {"parent":"main","fork":"c1"}
  worker/w/1 branch=b-1 agent=support step=17:
    a2 ${again(2)} seq=9 key=k <- c1:caused_by ${data} ${who}
  tickets/t/1 branch=b-1:
    r2 effect.requested seq=1 key=k <- a2:result_of {}
    c2 effect.committed seq=3 key=k <- a2:result_of ${ticket(8422)}`;
    expect(findingsOf('second-commitment-under-key', branched, 'b-1')).toHaveLength(1);
    expect(findingsOf('in-flight-not-refused', branched, 'b-1')).toEqual([]);
  });
});

describe('R125 commitments under one key', () => {
  const made = (...told: readonly string[]): readonly string[] =>
    findingsOf(
      'second-commitment-under-key',
      `${declared('fsync')}
  worker/w/1 agent=support step=17:
    a1 ${ask} key=k ${data} ${who}
    a2 ${again(2)} key=k ${data} ${who}
  tickets/t/1:
    ${told.map((line, n) => `c${String(n)} effect.committed key=k <- ${line}`).join('\n    ')}`,
    ).map(({ title }) => title);
  const mail = '{"effect":{"kind":"mail","id":"m-1"}}';

  it('of one request are one execution, whatever kinds of things it left behind', () => {
    expect(made(`a1:result_of ${ticket(8421)}`, `a1:result_of ${mail}`)).toEqual([]);
    expect(made(`a1:result_of ${ticket(8421)}`, `a1:result_of {"effect":{"kind":"ticket"}}`)).toEqual([]);
    expect(made(`a1:result_of ${ticket(8421)}`, `a1:result_of ${ticket(8422)}`)).toEqual(['Key "k": 2 commitments']);
  });

  it('of two requests are two, of whatever kind; the same effect told for both is one', () => {
    expect(made(`a1:result_of ${ticket(8421)}`, `a2:result_of ${mail}`)).toEqual(['Key "k": 2 commitments']);
    expect(made(`a1:result_of ${ticket(8421)}`, `a2:result_of ${ticket(8421)}`)).toEqual([]);
  });

  it('of which one names no request may be of the other', () => {
    const silent = (effect: string) => `a1:informed_by ${effect}`;
    expect(made(`a1:result_of ${ticket(8421)}`, silent(mail))).toEqual([]);
    expect(made(`a1:result_of ${ticket(8421)}`, silent(ticket(8422)))).toEqual(['Key "k": 2 commitments']);
  });
});

describe('R47 lives of one name in two runs', () => {
  const run = (n: number, resume: string): string => `
  worker/w/1 run=${String(n)} agent=support step=17:
    w1${String(n)} worker.started {"pid":1}
    a1${String(n)} ${ask} ${data} ${who}
  tickets/t/1 run=${String(n)}:
    c1${String(n)} effect.committed <- a1${String(n)}:result_of ${ticket(8420 + n)}
  lab/l/1 run=${String(n)}:
    kill${String(n)} fault.injected <- c1${String(n)}:caused_by {"class":"process-kill","kill_point":3,"signal":"SIGKILL"}
    gone${String(n)} worker.exited <- kill${String(n)}:caused_by {"pid":1,"signal":"SIGKILL","code":null}
  worker/w/2 run=${String(n)}:
    w2${String(n)} worker.started <- gone${String(n)}:caused_by {"pid":2}
    r2${String(n)} ${resume}`;
  const lacking = (...resumes: readonly string[]): readonly string[] =>
    findingsOf('restore-point-lacks-effect', resumes.map((resume, n) => run(n + 1, resume)).join('')).map(
      ({ text }) => /effects existed.*?: (\S+)/.exec(text)?.[1] ?? text,
    );

  it('each take up their own checkpoint', () => {
    expect(lacking('step.started', 'step.started')).toEqual([]);
    expect(lacking('step.started', 'checkpoint.restored {}')).toEqual(['8422']);
    expect(lacking('checkpoint.restored {}', 'checkpoint.restored {}')).toEqual(['8421', '8422']);
  });
});

describe('R47 what a life that takes up work again does not have', () => {
  const lacking = (trace: string, branch?: string) =>
    findingsOf('restore-point-lacks-effect', `${declared('fsync')}${trace}`, branch).map((finding) => finding.evidence);
  const start = (causes: string) => `w2 worker.started <- ${causes} {"resume":"none"}`;
  const asked = `a1 ${ask} ${data} ${who}`;
  const made = `c1 effect.committed path=/write:tickets.create#0 attempt=1 ${ticket(8421)}`;

  it('is not of its own requests, nor of another component', () => {
    const own = (life: string): string => `
  worker/w/1:
    ${asked}
  ${life}:
    ${start('a1:caused_by')}
  tickets/t/1:
    ${made}`;
    expect(lacking(own('worker/w/1'))).toEqual([]);
    expect(lacking(own('planner/p/1'))).toEqual([]);
    expect(lacking(own('worker/w/2'))).toEqual([['w2', 'c1']]);
  });

  it('is what was asked for before, or committed before, by recorded order', () => {
    const started = (causes: string): string => `
  worker/w/1:
    ${asked}
  tickets/t/1:
    ${made}
  worker/w/2:
    ${start(causes)}`;
    expect(lacking(started('a1:caused_by'))).toEqual([['w2', 'c1']]);
    expect(lacking(started('c1:caused_by'))).toEqual([['w2', 'c1']]);
    expect(lacking(started('decl:caused_by'))).toEqual([]);
  });

  it('is a result that was recorded only after it had started', () => {
    const resumed = (causes: string): string => `
  worker/w/1:
    ${asked}
    e1 tool_call.completed durable=durable <- ${causes} {"result":1}
  tickets/t/1:
    ${made}
  worker/w/2:
    ${start('a1:caused_by').replace('none', 'journal')}`;
    expect(lacking(resumed('a1:result_of'))).toEqual([]);
    expect(lacking(resumed('a1:result_of, w2:caused_by'))).toEqual([['w2', 'c1']]);
  });

  it('of a branch of a branch is told by its own beginning', () => {
    const nested = `
  worker/w/1:
    s1 step.started {}
    ${asked}
  tickets/t/1:
    ${made.replace(' attempt=1', ' attempt=1 <- a1:result_of')}
  hindcast/p/1:
    b0 branch.created branch=b-1 {"parent":"main","fork":"c1"}
    b1 step.started branch=b-1 {}
    b2 branch.created branch=b-2 {"parent":"b-1","fork":"b1","frontier":{"base":"b-1","minus":["a1","c1"]}}`;
    expect(lacking(nested, 'b-1')).toEqual([]);
    expect(lacking(nested, 'b-2')).toEqual([['b2', 'c1']]);
  });
});

describe('R58 when an edited record was made', () => {
  /** `starts`: of operations, each with its branch; the record is of the operation "op", on a branch of a branch. */
  const lacks = (...starts: readonly string[]): readonly string[] =>
    findingsOf(
      'edited-records',
      `${clean}
  hindcast/p/1:
    b0 branch.created branch=b-1 replay=op {"parent":"main","fork":"e1"}
    b1 step.started branch=b-1 <- e1:caused_by {}
    b2 branch.created branch=b-2 replay=op {"parent":"b-1","fork":"b1"}
    ${starts.map((start, n) => `o${String(n)} replay.started ${start} {}`).join('\n    ')}
    x1 tool_call.completed branch=b-2 notime origin=supplied replay=op path=/write:tickets.create#0 {"result":2} & {"principal":{"id":"ann","kind":"human"}}`,
      'b-2',
    ).map(({ title }) => title.replace('An inserted or replaced record does not say ', ''));

  it('is told by the time of the operation that made it, and of no other, nor on another branch', () => {
    expect(lacks('branch=b-2 replay=op')).toEqual([]);
    expect(lacks('branch=b-2 replay=op notime')).toEqual(['when']);
    expect(lacks('branch=b-2 replay=other', 'branch=b-2 replay=op notime')).toEqual(['when']);
    expect(lacks('branch=b-1 replay=op', 'branch=b-2 replay=op notime')).toEqual(['when']);
  });
});

describe('R45 what an agent used', () => {
  const acts = (...names: readonly string[]): string =>
    `worker/w/1:\n    s1 step.started agent=a {"name":"x"}\n    ${names
      .map((agent, n) => `a${String(n)} tool_call.dispatched agent=${agent} <- s1:caused_by {"effect":"none"}`)
      .join('\n    ')}`;

  it('is not asked of an only act, which may have used nothing', () => {
    expect(findingsOf('insufficient-for-invalidation', acts('a', 'b'))).toEqual([]);
    const [found] = findingsOf('insufficient-for-invalidation', acts('a', 'b', 'b'));
    expect(found?.evidence).toEqual(['a1', 'a2']);
  });
});
