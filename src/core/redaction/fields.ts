/**
 * What each known field of a payload is, for redaction. A field that is not named here is unknown and falls under "everything else";
 * so a new payload field is closed until someone says what it is.
 */
import { createTable } from '../base/table.ts';
import { modelCall, programText, toolCall } from './call-fields.ts';
import type { ValueClass } from './policy.ts';
import { replayFields } from './replay-fields.ts';
import {
  type Fields,
  type Rule,
  count,
  environment,
  error,
  flag,
  governance,
  incarnation,
  listOf,
  messages,
  name,
  object,
  program,
  referenceOrCount,
  references,
  standIn,
  time,
  value,
  words,
} from './rules.ts';

const killPoint = words('1', '2', '2late', '2-late', '3', '4', '5');
const signalName = words('SIGKILL', 'SIGTERM', 'SIGINT', 'SIGSEGV', 'SIGABRT', 'SIGBUS');
const effect = object({
  kind: name('names', 'kind'),
  id: name('effects', 'effect'),
  target: name('names', 'target'),
});

/** Fields that mean the same in every payload that has them. */
const common: Fields = {
  args: value('arguments'),
  result: value('results'),
  response: value('results'),
  error,
  name: name('names', 'name'),
  digest: standIn,
  where: environment,
  version: environment,
  versions: environment,
  sent: flag,
  late: flag,
  partial: flag,
  executed: flag,
  reason: value('errors'),
  idempotency_key: name('effects', 'key'),
  http_status: count,
  pid: environment,
};

const effectEvent: Fields = {
  effect,
  request_digest: standIn,
  reported_by: name('components', 'component'),
  settled: words('executed', 'not executed', 'uncertain'),
};
/** What a service says it did twice, or lacks: its members are not in the schema, and name the same things as those of an effect. */
const effectId = name('effects', 'effect');
const claimed = object({ kind: name('names', 'kind'), id: effectId, target: name('names', 'target') }, effectId);
const effectClaim: Fields = {
  kind: name('names', 'kind'),
  tool: name('names', 'tool'),
  target: name('names', 'target'),
  effect: claimed,
  effects: { is: 'list', item: claimed, single: true },
  effect_id: effectId,
  id: effectId,
};
const humanInput: Fields = {
  value: value('human-input'),
  result: value('human-input'),
  by: name('people', 'person'),
  granted: flag,
  reason: value('human-input'),
  args: value('human-input'),
};
const timer: Fields = { due: time, args: value('arguments') };
const artifact: Fields = {
  name: name('names', 'artifact'),
  derived_from: listOf(standIn),
  value: value('results'),
};
/** Of a state: counted, or called by a name. */
const version: Rule = { is: 'count', text: name('names', 'version') };
const agent: Fields = {
  from: name('agents', 'agent'),
  to: name('agents', 'agent'),
  passed: messages,
  content: messages,
  role: words('user', 'assistant', 'system', 'tool'),
  child: object({ scope: references, run: references }),
  args: value('arguments'),
};
/** The process that a record tells of, named as the source of its own records. */
const life: Fields = {
  component: name('components', 'component'),
  instance: name('components', 'instance'),
  incarnation,
};
const lifeTold: Fields = { ...life, worker: object(life, name('components', 'instance')) };
/** A class of another name stays one: a fault of no class may be taken for a kill. */
const faultClass: Rule = {
  is: 'word',
  words: ['kill', 'call', 'redeploy', 'rollover', 'load', 'drill'],
  text: name('names', 'fault'),
};
const faultEvent: Fields = {
  ...lifeTold,
  class: faultClass,
  kill_point: killPoint,
  target: references,
  ordinal: count,
  signal: signalName,
};
const worker: Fields = { ...lifeTold, signal: signalName, code: count, resume: words('none', 'journal'), environment };

const byFamilyPrefix: readonly (readonly [string, Fields])[] = [
  ['model_call.', modelCall],
  ['tool_call.', toolCall],
  ['effect.', { ...effectEvent, ...effectClaim }],
  ['duplicate.', { ...effectEvent, ...effectClaim }],
  ['signal.', humanInput],
  ['approval.', humanInput],
  ['input.', humanInput],
  ['clock.', { value: time, result: time, args: program }],
  ['random.', { value: program, result: program, args: program }],
  ['env.', { value: environment, result: environment, args: environment }],
  ['timer.', timer],
  ['artifact.', artifact],
  ['agent.', agent],
  ['message.', agent],
  ['fault.', faultEvent],
  ['worker.', worker],
  ['checkpoint.', { version: referenceOrCount, states: value('states') }],
];

const trial: Fields = {
  campaign: name('names', 'campaign'),
  trial: name('names', 'trial'),
  arm: words('faulted', 'control', 'negative-control'),
  design: words('sweep', 'repeat', 'random', 'load'),
  envelope: environment,
};

const byType: Readonly<Record<string, Fields>> = createTable({
  'run.started': {
    program: programText,
    input: value('human-input'),
    seed: program,
    start: time,
    draws: words('derived', 'recorded'),
    engine: environment,
    limits: environment,
    policies: governance,
    components: governance,
    segment: count,
    continued_from: references,
    task: environment,
    envelope: environment,
  },
  'run.completed': { result: value('results'), digest: { is: 'digest', of: 'result', else: 'none' } },
  'run.failed': { digest: { is: 'digest', of: 'error', else: 'none' } },
  'run.rolled_over': {
    carried: value('states'),
    digest: { is: 'digest', of: 'carried', else: 'none' },
    buffered: value('human-input'),
    next: references,
  },
  'decision.made': {
    args: value('decisions'),
    result: value('decisions'),
    chosen: value('decisions'),
    alternatives: value('decisions'),
    because: value('decisions'),
    context: value('decisions'),
    tools: governance,
    budget: environment,
    policy: governance,
  },
  'state.transitioned': {
    name: name('names', 'state'),
    from: version,
    to: version,
    digest: { is: 'digest', of: 'value' },
    value: value('states'),
    patch: value('states'),
    args: value('states'),
    result: value('states'),
  },
  'history.compacted': { summary: value('messages', 'states'), stands_for: references },
  'policy.evaluated': {
    policy: name('names', 'policy'),
    verdict: governance,
    value: value('results'),
  },
  'access.exercised': {
    role: name('people', 'role'),
    action: name('names', 'action'),
    target: value('arguments'),
    authority: name('people', 'authority'),
    reason: value('human-input'),
  },
  'invariant.checked': {
    invariant: name('names', 'invariant'),
    verdict: words('holds', 'violated', 'pass', 'fail', 'not testable'),
    evidence: references,
  },
  'branch.created': { parent: name('sessions', 'branch'), fork: references, frontier: references },
  ...replayFields,
  'share.omitted': { events: count, branches: listOf(object({ branch: name('sessions', 'branch'), events: count })) },
  'marker.recorded': { id: name('names', 'marker'), value: flag },
  'trial.started': trial,
  'trial.finished': trial,
  'stream.declared': {
    producers: listOf(object({ component: name('components', 'component'), flush: words('none', 'batch', 'fsync') })),
    clocks: listOf(object({ id: name('components', 'clock'), kind: environment, host: environment })),
    tools: listOf(
      object({
        name: name('names', 'tool'),
        version: environment,
        service: name('components', 'service'),
        effect: words('none', 'external'),
        args: governance,
        result: governance,
        reads: { is: 'resources' },
        writes: { is: 'resources' },
        idempotency: object({ honoured: flag, window: governance }),
      }),
    ),
    conventions: environment,
    governance: object({
      access: governance,
      retention: governance,
      redaction: governance,
      joins: governance,
      lifetime: governance,
    }),
    owners: object({ provenance: name('people', 'owner'), recovery: name('people', 'owner') }),
  },
  'annotation.made': {
    annotator: object({ id: name('people', 'annotator'), kind: words('human', 'service', 'agent', 'model') }),
    target: references,
    label: value('annotations'),
    body: value('annotations'),
    method: value('annotations'),
    version: value('annotations'),
  },
});

/** Rules of the payload of a type; undefined members are unknown. */
export function fieldsOf(type: string): Fields {
  const family = byFamilyPrefix.find(([prefix]) => type.startsWith(prefix))?.[1];
  return { ...common, ...family, ...byType[type] };
}

/** What a value at a command of this kind is, where no record of it says more. */
const classByKind: Readonly<Record<string, ValueClass>> = createTable({
  model: 'messages',
  read: 'results',
  write: 'results',
  timer: 'results',
  child: 'results',
  signal: 'human-input',
  state: 'states',
  decide: 'decisions',
  random: 'program',
});

/** The rule of what a person put in the place of an observation: that of the record it replaces, else of the kind of its path. */
export function replacementRule(recordType: string | undefined, path: string | undefined): Rule {
  const recorded = recordType === undefined ? undefined : fieldsOf(recordType);
  const kind = /^([a-z]+)[:#=]/.exec(path?.slice(path.lastIndexOf('/') + 1) ?? '')?.[1] ?? '';
  const byPath: Rule = kind === 'clock' ? time : value(classByKind[kind] ?? 'attributes');
  return object({
    origin: words('supplied', 'reconciled', 'other-run', 'live'),
    digest: { is: 'digest', of: 'outcome' },
    outcome: object({ value: recorded?.['result'] ?? byPath, error, cancelled: flag }),
  });
}
