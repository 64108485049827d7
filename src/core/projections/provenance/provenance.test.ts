import { describe, expect, it } from 'vitest';
import { eventId } from '../../model/index.ts';
import { drawView } from '../testing/drawn-view.ts';
import { computeDecisionProvenance } from './decision.ts';
import { computeProvenanceSummary } from './records.ts';

const run = `
  worker/w/1 agent=lead durable=durable:
    start run.started {"program":{"name":"p","version":"2"},"engine":{"name":"e","version":"1"}} & {"principal":{"id":"svc","kind":"service"},"source":{"component":"worker","instance":"w","incarnation":1,"version":"9"}}
    m1 model_call.requested <- start:caused_by {"request_model":"finch","input_messages":[{"role":"user","content":"x"}],"tool_definitions":[{"name":"t1"}]}
    m2 model_call.completed <- m1:result_of {"response_model":"finch-2","provider":"f","result":1}
    r1 tool_call.dispatched <- m2:consumed {"tool":"look","version":"3","effect":"none"}
    r2 tool_call.completed <- r1:result_of {"tool":"look","result":1}
    art artifact.used <- m2:consumed {"name":"notes","digest":"d"}
    d1 decision.made <- m2:consumed, r2:informed_by, art:consumed {"chosen":1} & {"principal":{"id":"svc","kind":"service","on_behalf_of":"maya"}}
    pol policy.evaluated <- d1:consumed {"policy":"limit","version":"4","verdict":"allow"}
    a1 tool_call.dispatched <- d1:selected_by, pol:authorized_by, ok:authorized_by {"tool":"send","effect":"external"}
    st state.transitioned <- d1:consumed {"from":0,"to":1,"digest":"sha256:${'a'.repeat(64)}","value":1}
    d2 decision.made {"chosen":2}
  desk/k/1 durable=durable:
    ok approval.granted <- pol:caused_by {"by":"ann"} & {"principal":{"id":"ann","kind":"human"}}
  gate/g/1 durable=durable:
    acc access.exercised <- r1:caused_by {"role":"reader","action":"look"} & {"principal":{"id":"svc","kind":"service"}}
`;

describe('R53 R54 R57 what a decision rests on', () => {
  const cells = (id: string): Record<string, string[]> =>
    Object.fromEntries(
      (computeDecisionProvenance(drawView(run), eventId(id))?.cells ?? []).map(({ name, entries }) => [
        name,
        entries.map(({ value, basis, event }) => `${value} [${basis} ${event ?? ''}]`),
      ]),
    );

  it('has a cell for each, with the record and the basis', () => {
    const { tools, 'people and processes': people, versions, ...rest } = cells('d1');
    expect(rest).toEqual({
      model: ['finch-2 (f) [recorded m2]', 'finch [derived m1]'],
      prompt: ['1 message [derived m1]'],
      policies: ['limit 4: allow [derived pol]'],
      artifacts: ['notes [recorded art]'],
      identities: ['agent lead [recorded d1]', 'acting as svc (service) on behalf of maya [recorded d1]'],
      approvals: [expect.stringContaining('granted by ann [derived ok]')],
    });
    expect(tools).toEqual(expect.arrayContaining(['look [recorded r2]', 'offered: t1 [derived m1]']));
    expect(versions).toEqual(['program p 2 [derived start]', 'engine e 1 [derived start]']);
    expect(people?.join()).toContain('[derived acc]');
    expect(people?.join()).toContain('[derived ok]');
  });

  it('leaves a cell empty where nothing is recorded', () => {
    const { versions, identities, ...rest } = cells('d2');
    expect(Object.values(rest).flat()).toEqual([]);
    expect([versions?.length, identities]).toEqual([2, ['agent lead [recorded d2]']]);
  });

  it('lists a bounded part of each cell and counts the rest', () => {
    const names = Array.from({ length: 500 }, (_, at) => `s${at}`);
    const drawing = `
      worker:
        ${names.map((id) => `${id} artifact.used {"name":"${id}"}`).join('\n        ')}
        d decision.made <- ${names.map((id) => `${id}:consumed`).join(', ')} {"chosen":1}
    `;
    const found = computeDecisionProvenance(drawView(drawing), eventId('d'))?.cells ?? [];
    const counts = found.map(({ name, entries, unlisted }) => [name, entries.length, unlisted]);
    expect(counts).toContainEqual(['artifacts', 100, 400]);
    expect(counts).toContainEqual(['policies', 0, 0]);
  });

  it('knows nothing of an event the branch does not show', () => {
    expect(computeDecisionProvenance(drawView(run), eventId('nobody'))).toBeUndefined();
  });
});

describe('R52 the four records', () => {
  const presence = (drawing: string): Record<string, [string, readonly string[]]> =>
    Object.fromEntries(
      computeProvenanceSummary(drawView(drawing)).records.map(({ name, presence: is, missing }) => [
        name,
        [is, missing],
      ]),
    );

  it('are present, partial or absent, and say what is missing', () => {
    expect(presence(run)).toEqual({
      'state snapshot': ['present', []],
      'event record': ['present', []],
      'artifact lineage': ['present', []],
      'execution provenance': ['present', []],
    });
    expect(presence('w:\n m message.sent noseq {}\n s state.transitioned noseq {"from":0}')).toEqual({
      'state snapshot': [
        'partial',
        ['the versions of 1 transition', 'the digest of 1 transition', 'the value of 1 transition'],
      ],
      'event record': ['partial', ['a position in the log for 2 events', 'the persistence status of 2 events']],
      'artifact lineage': ['absent', ['artifacts']],
      'execution provenance': ['absent', ['the start of the run', 'policies', 'approvals', 'use of privileged access']],
    });
  });

  it('count one of a kind as one', () => {
    const counts = (drawing: string) =>
      computeProvenanceSummary(drawView(drawing)).records.find(({ name }) => name === 'execution provenance')?.counts;
    const one = counts('w:\n r run.started {}\n a approval.granted {}\n x access.exercised {}');
    expect(one).toContainEqual({ name: 'run with its start', count: 1 });
    expect(one).toContainEqual({ name: 'approval', count: 1 });
    expect(one).toContainEqual({ name: 'privileged access', count: 1 });
    expect(one).toContainEqual({ name: 'policy evaluations', count: 0 });
  });

  it('R52 one call among many whose model is not recorded is missing, wherever it stands', () => {
    const call = (n: number, data: string): string => `    c${String(n)} model_call.completed <- m1:result_of ${data}`;
    const named = Array.from({ length: 60 }, (_, n) => call(n, '{"response_model":"m"}'));
    const told = (last: string): unknown =>
      presence(`${run}\n  w:\n${[...named, last].join('\n')}`)['execution provenance'];
    expect(told(call(60, '{"response_model":"m"}'))).toEqual(['present', []]);
    expect(told(call(60, '{}'))).toEqual(['partial', ['the model that answered 1 call']]);
  });

  it('lists decisions once, without re-emissions', () => {
    const { decisions } = computeProvenanceSummary(
      drawView(`${run}\n  worker/w/2:\n    d9 decision.made replayed {"chosen":1}`),
    );
    expect(decisions).toEqual(['d1', 'd2']);
  });
});
