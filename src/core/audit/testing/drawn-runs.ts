/** Drawings of one run that the tests of the rules alter: whole and clean, and with a kill after which a ticket is asked for again. */

export const who = '& {"principal":{"id":"svc-support","kind":"service","on_behalf_of":"customer-7"}}';
export const data = '{"tool":"tickets.create","effect":"external","args":{"title":"a"}}';
export function ticket(id: number): string {
  return `{"effect":{"kind":"ticket","id":"${String(id)}"}}`;
}
export const ask = `tool_call.dispatched path=/write:tickets.create#0 attempt=1 step=17`;
export function declared(flush: string): string {
  return `
  lab/l/1:
    decl stream.declared {"producers":[{"component":"worker","flush":"${flush}"},{"component":"tickets","flush":"fsync"}],"tools":[{"name":"tickets.create","service":"tickets","effect":"external"}]}`;
}

/** A whole run in which nothing went wrong and nothing was left out. */
export const clean = `${declared('fsync')}
  worker/w/1 agent=support step=17:
    start run.started {"input":{}}
    m1 model_call.requested path=/model:plan#0 attempt=1 issued=0 {"args":{}}
    m2 model_call.completed path=/model:plan#0 attempt=1 delivered=1 durable=durable <- m1:result_of {"result":{"do":"open"}}
    pol policy.evaluated <- m2:consumed {"policy":"p","verdict":"allow"}
    plan decision.made path=/decide:act#0 issued=2 delivered=2 <- m2:consumed {"result":"create-ticket"}
    a1 ${ask} issued=3 <- plan:selected_by, m2:consumed, pol:authorized_by ${data} ${who}
    k1 tool_call.acknowledged path=/write:tickets.create#0 attempt=1 <- a1:result_of, c1:consumed {"http_status":201,"response":{"id":8421}}
    e1 tool_call.completed path=/write:tickets.create#0 attempt=1 delivered=4 durable=durable <- a1:result_of {"result":{"id":8421}}
    s1 state.transitioned path=/state:case#0 issued=5 delivered=5 <- e1:consumed {"name":"case","from":0,"to":1,"digest":"sha256:${'a'.repeat(64)}","value":{"id":8421}}
    end run.completed <- s1:caused_by {"result":1}
  tickets/t/1:
    q1 effect.requested <- a1:result_of {"effect":{"kind":"ticket"}}
    c1 effect.committed <- a1:result_of ${ticket(8421)}
  gateway/g/1:
    acc access.exercised <- a1:caused_by {"role":"r","authority":"contract"} ${who}
`;

/** Killed after the commitment and before the acknowledgement; a second life dispatched again. */
export function incident(key: string, second: string, flush = 'fsync'): string {
  return `${declared(flush)}
  harness/h/1:
    sp1 worker.spawned {"pid":1}
    kill fault.injected <- c1:caused_by {"class":"process-kill","kill_point":3,"signal":"SIGKILL"}
    gone worker.exited <- kill:caused_by, sp1:caused_by {"pid":1,"signal":"SIGKILL","code":null}
    sp2 worker.spawned <- gone:caused_by {"pid":2}
  worker/w/1 agent=support step=17:
    w1 worker.started <- sp1:caused_by {"pid":1,"resume":"none"}
    start run.started {"input":{}}
    ev model_call.completed path=/model:plan#0 attempt=1 delivered=1 durable=durable <- start:result_of {"result":1}
    plan decision.made path=/decide:act#0 issued=2 delivered=2 <- ev:consumed {"result":"create-ticket"}
    a1 ${ask} issued=3 ${key} <- plan:selected_by, ev:authorized_by ${data} ${who}
  worker/w/2 agent=support step=17:
    w2 worker.started <- sp2:caused_by {"pid":2,"resume":"journal"}
    a2 ${ask} issued=3 ${key} <- plan:selected_by, ev:authorized_by, w2:caused_by ${data} ${who}
    k2 tool_call.acknowledged path=/write:tickets.create#0 attempt=1 <- a2:result_of {"http_status":201}
    e2 tool_call.completed path=/write:tickets.create#0 attempt=1 delivered=4 durable=durable <- a2:result_of {"result":{"id":1}}
    s2 state.transitioned path=/state:case#0 issued=5 delivered=5 <- e2:consumed {"name":"case","from":0,"to":1,"digest":"sha256:${'a'.repeat(64)}"}
    end run.completed <- s2:caused_by {"result":1}
  tickets/t/1:
    c1 effect.committed <- a1:result_of ${ticket(8421)}
    c2 ${second}
  gateway/g/1:
    acc access.exercised <- a1:caused_by {"role":"r","authority":"contract"} ${who}
`;
}

export const twice = incident('', `effect.committed <- a2:result_of ${ticket(8422)}`);
export const once = incident('key=k-1', `effect.deduplicated <- a2:result_of ${ticket(8421)}`);

/** `base` without the lines of these names, and with lines put at the end. */
export function without(base: string, ...names: string[]): string {
  return base
    .split('\n')
    .filter((line) => !names.includes(line.trim().split(/\s/)[0] ?? ''))
    .join('\n');
}

export function replaced(base: string, from: string | RegExp, to: string): string {
  const out = base.replace(from, to);
  if (out === base) throw new Error(`Nothing to replace: ${String(from)}`);
  return out;
}

export function killed(after: string): string {
  return `
  harness/h/1:
    gone worker.exited <- ${after}:caused_by {"signal":"SIGKILL","code":null}`;
}

export function observedAsOf(time: string): string {
  return `worker:
    a1 tool_call.dispatched {"tool":"customers.lookup","effect":"none"}
    b1 tool_call.completed time=2026-07-06T13:40:00Z <- a1:result_of {"tool":"customers.lookup","result":{"as_of":"${time}"}}`;
}

/** Two requests under one key, and the clock that read the time of each; undefined where none is recorded. */
export function sentAgain(
  window: string,
  time: string,
  [first, again]: readonly [string | undefined, string | undefined] = ['c', 'c'],
): string {
  const read = (at: string, clock: string | undefined): string => JSON.stringify({ time: at, clock });
  return `lab/l/1:
    decl stream.declared {"tools":[{"name":"pay","service":"bank","effect":"external","idempotency":{"honoured":true,"window":"${window}"}}]}
  worker/w/1:
    a1 tool_call.dispatched notime path=/write:pay#0 attempt=1 key=k-1 {"tool":"pay","effect":"external"} & ${read('2026-07-06T13:40:00Z', first)}
    a2 tool_call.dispatched notime path=/write:pay#0 attempt=2 key=k-1 {"tool":"pay","effect":"external"} & ${read(time, again)}`;
}

export function spawned(record: string, data: string): string {
  return `worker/w/1 agent=main:
    sp agent.spawned ${data}
    ${record}`;
}

export function inFlight(second: string): string {
  return `${declared('fsync')}
  worker/w/1:
    a1 ${ask} key=k ${data}
  worker/w/2:
    a2 ${ask} key=k ${data}
  tickets/t/1:
    q1 effect.requested <- a1:result_of {}
    q2 effect.requested <- a2:result_of {}
    ${second}
    c1 effect.committed <- a1:result_of ${ticket(8421)}
`;
}

export function resumed(resume: string): string {
  return `${clean}
  worker/w/2:
    w2 worker.started <- s1:caused_by {"resume":"${resume}"}
`;
}

export function branched(absent: readonly string[]): string {
  return `${clean}
  hindcast/p/1 branch=b-1 noseq notime:
    b0 branch.created replay=op {"parent":"main","fork":"m2","frontier":{"base":"main","minus":${JSON.stringify(absent)}}}
    b2 replay.started replay=op time=2026-01-01T00:00:00Z {}
`;
}
