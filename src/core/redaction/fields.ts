/**
 * What each known field of a payload is, for redaction. A field that is not named here is unknown and falls under "everything else";
 * so a new payload field is closed until someone says what it is.
 */
import type { ValueClass } from './policy.ts';

export type Rule =
  /** Any JSON, kept or withheld whole. */
  | { readonly is: 'value'; readonly class: ValueClass }
  /** A text or number that identifies something; `kind` is the prefix of its pseudonym. */
  | { readonly is: 'name'; readonly class: ValueClass; readonly kind: string }
  /** A word of a closed vocabulary of ours; any other text is an unknown value. */
  | { readonly is: 'word'; readonly words: readonly string[] }
  | { readonly is: 'flag' }
  /** A small whole number that is structure: attempts, versions, ordinals, status codes. */
  | { readonly is: 'count' }
  /** Milliseconds on the virtual clock of the run. */
  | { readonly is: 'time' }
  /** Resource names, kept joinable segment by segment. */
  | { readonly is: 'resources' }
  /** Identifiers of events, branches and command paths inside structure of ours. */
  | { readonly is: 'references' }
  /** A digest: recomputed from the copy's value where that is whole, else a joinable stand-in. */
  | { readonly is: 'digest'; readonly of?: string }
  /** A recorded digest of the neighbour `of`: treated like its class where the copy has the neighbour whole, else a stand-in. */
  | { readonly is: 'digest-as-recorded'; readonly of: string; readonly class: ValueClass }
  | { readonly is: 'object'; readonly fields: Fields }
  | { readonly is: 'list'; readonly item: Rule };

export type Fields = Readonly<Record<string, Rule>>;

function value(cls: ValueClass): Rule {
  return { is: 'value', class: cls };
}

function name(cls: ValueClass, kind: string): Rule {
  return { is: 'name', class: cls, kind };
}

function words(...list: readonly string[]): Rule {
  return { is: 'word', words: list };
}

const flag: Rule = { is: 'flag' };
const count: Rule = { is: 'count' };
const references: Rule = { is: 'references' };
const error: Rule = value('errors');
const program: Rule = value('program');
const environment: Rule = value('environment');
const governance: Rule = value('governance');
const killPoint = words('1', '2', '2late', '2-late', '3', '4', '5');
const signalName = words('SIGKILL', 'SIGTERM', 'SIGINT', 'SIGSEGV', 'SIGABRT', 'SIGBUS');
const effect: Rule = {
  is: 'object',
  fields: { kind: name('names', 'kind'), id: name('effects', 'effect'), target: name('names', 'target') },
};

/** Fields that mean the same in every payload that has them. */
const common: Fields = {
  args: value('arguments'),
  result: value('results'),
  response: value('results'),
  error,
  name: name('names', 'name'),
  digest: { is: 'digest' },
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

const messages = value('messages');
const usage = value('usage');
const modelCall: Fields = {
  args: messages,
  result: messages,
  response: messages,
  operation: words(
    'chat',
    'text_completion',
    'generate_content',
    'embeddings',
    'create_agent',
    'invoke_agent',
    'execute_tool',
  ),
  provider: name('names', 'provider'),
  request_model: name('names', 'model'),
  response_model: name('names', 'model'),
  response_id: name('effects', 'response'),
  parameters: usage,
  input_messages: messages,
  output_messages: messages,
  system_instructions: messages,
  tool_definitions: governance,
  usage,
  cost: usage,
  finish_reasons: usage,
};
const toolCall: Fields = {
  tool: name('names', 'tool'),
  call_id: name('effects', 'call'),
  effect: words('none', 'external'),
};
const effectEvent: Fields = {
  effect,
  request_digest: { is: 'digest' },
  reported_by: name('components', 'component'),
  settled: words('executed', 'not executed', 'uncertain'),
};
const humanInput: Fields = {
  value: value('human-input'),
  result: value('human-input'),
  by: name('people', 'person'),
  granted: flag,
  args: value('human-input'),
};
const timer: Fields = { due: { is: 'time' }, args: value('arguments') };
const artifact: Fields = {
  name: name('names', 'artifact'),
  derived_from: { is: 'list', item: { is: 'digest' } },
  value: value('results'),
};
const agent: Fields = {
  from: name('agents', 'agent'),
  to: name('agents', 'agent'),
  passed: messages,
  content: messages,
  role: words('user', 'assistant', 'system', 'tool'),
  child: { is: 'object', fields: { scope: references, run: references } },
  args: value('arguments'),
};
const faultEvent: Fields = {
  class: words('kill', 'call', 'redeploy', 'rollover', 'load', 'drill'),
  kill_point: killPoint,
  target: references,
  ordinal: count,
  signal: signalName,
};
const worker: Fields = { signal: signalName, code: count, resume: words('none', 'journal'), environment };

const byFamilyPrefix: readonly (readonly [string, Fields])[] = [
  ['model_call.', modelCall],
  ['tool_call.', toolCall],
  ['effect.', effectEvent],
  ['signal.', humanInput],
  ['approval.', humanInput],
  ['input.', humanInput],
  ['clock.', { value: { is: 'time' } }],
  ['random.', { value: program }],
  ['env.', { value: environment }],
  ['timer.', timer],
  ['artifact.', artifact],
  ['agent.', agent],
  ['message.', agent],
  ['fault.', faultEvent],
  ['worker.', worker],
  ['checkpoint.', { version: references, states: value('states') }],
];

const byType: Readonly<Record<string, Fields>> = {
  'run.started': {
    program: {
      is: 'object',
      fields: {
        name: name('names', 'program'),
        version: environment,
        api: count,
        language: words('js', 'ts'),
        source: program,
        original: program,
        // Of the text itself, so that the replay can check it: a text with a part masked would be confirmed by it.
        digest: { is: 'digest-as-recorded', of: 'source', class: 'program' },
      },
    },
    input: value('human-input'),
    seed: program,
    start: { is: 'time' },
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
  'run.completed': { result: value('results'), digest: { is: 'digest', of: 'result' } },
  'run.rolled_over': { carried: value('states'), buffered: value('human-input'), next: references },
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
    from: { is: 'count' },
    to: { is: 'count' },
    digest: { is: 'digest', of: 'value' },
    value: value('states'),
    patch: value('states'),
    args: value('states'),
    result: value('states'),
  },
  'history.compacted': { summary: value('states'), stands_for: references },
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
  },
  'invariant.checked': {
    invariant: name('names', 'invariant'),
    verdict: words('holds', 'violated', 'pass', 'fail', 'not testable'),
    evidence: references,
  },
  'branch.created': { parent: name('sessions', 'branch'), fork: references, frontier: references },
  'replay.started': { operation: value('program') },
  'replay.completed': {
    status: words('complete', 'blocked', 'diverged', 'limit', 'error', 'identical', 'identical-where-recorded'),
    counts: references,
    digests: { is: 'digest' },
    blocked: references,
  },
  'replay.diverged': { divergences: references },
  'observation.reused': {
    path: references,
    event: references,
    rule: words('exact', 'shifted', 'moved', 'unchecked', 'M1', 'M2', 'M2b', 'M5'),
    delivered: references,
  },
  'marker.recorded': { id: name('names', 'marker'), value: flag },
  'trial.started': {
    campaign: name('names', 'campaign'),
    trial: name('names', 'trial'),
    arm: words('faulted', 'control', 'negative-control'),
    design: words('sweep', 'repeat', 'random', 'load'),
    envelope: environment,
  },
  'stream.declared': {
    producers: {
      is: 'list',
      item: {
        is: 'object',
        fields: { component: name('components', 'component'), flush: words('none', 'batch', 'fsync') },
      },
    },
    clocks: {
      is: 'list',
      item: { is: 'object', fields: { id: name('components', 'clock'), kind: environment, host: environment } },
    },
    tools: {
      is: 'list',
      item: {
        is: 'object',
        fields: {
          name: name('names', 'tool'),
          version: environment,
          service: name('components', 'service'),
          effect: words('none', 'external'),
          args: governance,
          result: governance,
          reads: { is: 'resources' },
          writes: { is: 'resources' },
          idempotency: { is: 'object', fields: { honoured: flag, window: governance } },
        },
      },
    },
    conventions: environment,
    governance: {
      is: 'object',
      fields: {
        access: governance,
        retention: governance,
        redaction: governance,
        joins: governance,
        lifetime: governance,
      },
    },
    owners: { is: 'object', fields: { provenance: name('people', 'owner'), recovery: name('people', 'owner') } },
  },
  'annotation.made': {
    annotator: {
      is: 'object',
      fields: { id: name('people', 'annotator'), kind: words('human', 'service', 'agent', 'model') },
    },
    target: references,
    label: value('annotations'),
    body: value('annotations'),
    method: value('annotations'),
    version: value('annotations'),
  },
};

/** Rules of the payload of a type; undefined members are unknown. */
export function fieldsOf(type: string): Fields {
  const family = byFamilyPrefix.find(([prefix]) => type.startsWith(prefix))?.[1];
  return { ...common, ...family, ...byType[type] };
}
