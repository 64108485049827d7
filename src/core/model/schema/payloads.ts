/**
 * Payload schemas by event type: what `data` must be able to say. Fields that a producer may lack are optional and their absence
 * is shown as "not recorded", never as zero or an empty text. Names are those of the OpenTelemetry GenAI conventions where they have one.
 */
import { z } from 'zod';
import {
  digestSchema,
  errorSchema,
  eventIdSchema,
  json,
  jsonObject,
  optionalCount,
  optionalNumber,
  optionalText,
  pathSchema,
  text,
} from './common.ts';

const given = { result: json.optional(), error: errorSchema.optional(), args: json.optional() };
const empty = z.looseObject({});
const flag = z.boolean().optional();
const texts = z.array(z.string()).optional();

const programSchema = z.looseObject({
  name: text,
  version: optionalText,
  api: optionalCount,
  language: optionalText,
  source: z.union([z.string(), jsonObject]).optional(),
  digest: digestSchema.optional(),
  original: z.union([z.string(), jsonObject]).optional(),
});

const run = {
  'run.started': z.looseObject({
    program: programSchema.optional(),
    input: json.optional(),
    seed: z
      .string()
      .regex(/^[0-9a-f]{32}$/, 'a seed is 32 lowercase hex digits')
      .optional(),
    start: optionalNumber,
    draws: z.enum(['derived', 'recorded']).optional(),
    engine: jsonObject.optional(),
    limits: jsonObject.optional(),
    policies: json.optional(),
    components: json.optional(),
    segment: optionalCount,
    continued_from: json.optional(),
    task: jsonObject.optional(),
    envelope: jsonObject.optional(),
  }),
  'run.completed': z.looseObject({ result: json.optional(), digest: digestSchema.optional() }),
  'run.failed': z.looseObject({ error: errorSchema.optional(), digest: digestSchema.optional() }),
  'run.rolled_over': z.looseObject({
    carried: json.optional(),
    digest: digestSchema.optional(),
    buffered: json.optional(),
    next: json.optional(),
  }),
};

const step = {
  'step.started': z.looseObject({ name: optionalText }),
  'step.completed': z.looseObject({ name: optionalText, result: json.optional(), error: errorSchema.optional() }),
  'decision.made': z.looseObject({
    ...given,
    chosen: json.optional(),
    alternatives: z.array(json).optional(),
    because: json.optional(),
    context: json.optional(),
    tools: json.optional(),
    budget: json.optional(),
    policy: json.optional(),
  }),
};

const usage = z.looseObject({ input_tokens: optionalNumber, output_tokens: optionalNumber }).optional();
const modelCall = z.looseObject({
  ...given,
  operation: optionalText,
  provider: optionalText,
  request_model: optionalText,
  response_model: optionalText,
  response_id: optionalText,
  parameters: json.optional(),
  input_messages: json.optional(),
  output_messages: json.optional(),
  system_instructions: json.optional(),
  tool_definitions: json.optional(),
  usage,
  cost: z.looseObject({ amount: optionalNumber, currency: optionalText }).optional(),
  finish_reasons: texts,
  response: json.optional(),
  sent: flag,
});
const model = {
  'model_call.requested': modelCall,
  'model_call.completed': modelCall,
  'model_call.failed': modelCall,
  'model_call.cancelled': modelCall,
  'model_call.served': modelCall,
};

const toolCall = z.looseObject({
  ...given,
  tool: optionalText,
  version: optionalText,
  call_id: optionalText,
  effect: z.enum(['none', 'external']).optional(),
  idempotency_key: optionalText,
  http_status: optionalNumber,
  response: json.optional(),
  executed: flag,
  sent: flag,
  late: flag,
  partial: flag,
  where: optionalText,
});
const tool = {
  'tool_call.dispatched': toolCall,
  'tool_call.acknowledged': toolCall,
  'tool_call.completed': toolCall,
  'tool_call.failed': toolCall,
  'tool_call.timed_out': toolCall,
  'tool_call.cancelled': toolCall,
  'tool_call.result_persisted': toolCall,
};

const effectPayload = z.looseObject({
  effect: z
    .looseObject({ kind: optionalText, id: z.union([z.string(), z.number()]).optional(), target: optionalText })
    .optional(),
  idempotency_key: optionalText,
  request_digest: optionalText,
  reported_by: optionalText,
  http_status: optionalNumber,
  reason: optionalText,
  settled: z.enum(['executed', 'not executed', 'uncertain']).optional(),
});
const effect = {
  'effect.requested': effectPayload,
  'effect.dropped': effectPayload,
  'effect.committed': effectPayload,
  'effect.deduplicated': effectPayload,
  'effect.refused': effectPayload,
  'effect.reconciled': effectPayload,
  'effect.compensated': effectPayload,
};

const value = z.looseObject({ ...given, value: json.optional(), name: optionalText });
const timer = z.looseObject({ ...given, name: optionalText, due: optionalNumber });
const observation = {
  'clock.read': value,
  'random.drawn': value,
  'env.read': value,
  'input.received': value,
  'signal.received': value,
  'signal.awaited': value,
  'signal.cancelled': value,
  'timer.started': timer,
  'timer.fired': timer,
  'timer.cancelled': timer,
};

const checkpoint = z.looseObject({
  version: json.optional(),
  states: json.optional(),
  digest: digestSchema.optional(),
  where: optionalText,
});
const state = {
  'state.transitioned': z.looseObject({
    ...given,
    name: optionalText,
    from: z.union([z.number(), z.string(), z.null()]).optional(),
    to: z.union([z.number(), z.string()]).optional(),
    digest: digestSchema.optional(),
    value: json.optional(),
    patch: json.optional(),
  }),
  'checkpoint.written': checkpoint,
  'checkpoint.restored': checkpoint,
  'history.compacted': z.looseObject({
    summary: json.optional(),
    stands_for: z.array(eventIdSchema).optional(),
    digest: digestSchema.optional(),
  }),
};

const artifactPayload = z.looseObject({
  name: optionalText,
  digest: z.string().optional(),
  derived_from: z.array(json).optional(),
  value: json.optional(),
});
const artifact = { 'artifact.produced': artifactPayload, 'artifact.used': artifactPayload };

const approval = z.looseObject({
  ...given,
  name: optionalText,
  granted: flag,
  by: optionalText,
  reason: optionalText,
  value: json.optional(),
});
const governance = {
  'policy.evaluated': z.looseObject({
    ...given,
    policy: optionalText,
    version: optionalText,
    digest: z.string().optional(),
    /** A text; any JSON, so that a copy can show in place that it was withheld. */
    verdict: json.optional(),
    value: json.optional(),
  }),
  'approval.requested': approval,
  'approval.granted': approval,
  'approval.denied': approval,
  'access.exercised': z.looseObject({
    role: optionalText,
    action: optionalText,
    target: json.optional(),
    reason: optionalText,
    authority: optionalText,
  }),
};

const agentPayload = z.looseObject({
  ...given,
  from: optionalText,
  to: optionalText,
  child: jsonObject.optional(),
  passed: json.optional(),
});
const handoff = {
  'agent.spawned': agentPayload,
  'agent.handed_off': agentPayload,
  'agent.joined': agentPayload,
  'agent.cancelled': agentPayload,
  'message.sent': z.looseObject({ from: optionalText, to: optionalText, role: optionalText, content: json.optional() }),
};

const faultPayload = z.looseObject({
  class: optionalText,
  kill_point: z.union([z.string(), z.number()]).optional(),
  target: json.optional(),
  ordinal: optionalCount,
  signal: optionalText,
});
const workerPayload = z.looseObject({
  pid: optionalCount,
  signal: z.union([z.string(), z.null()]).optional(),
  code: z.union([z.number(), z.null()]).optional(),
  resume: z.enum(['none', 'journal']).optional(),
  versions: json.optional(),
  environment: json.optional(),
});
const fault = {
  'fault.scheduled': faultPayload,
  'fault.armed': faultPayload,
  'fault.injected': faultPayload,
  'fault.witnessed': faultPayload,
  'worker.spawned': workerPayload,
  'worker.started': workerPayload,
  'worker.exited': workerPayload,
  'recovery.started': empty,
  'recovery.completed': empty,
  'recovery.replay_started': empty,
  'recovery.replay_completed': empty,
  'recovery.observation_replayed': empty,
  'heartbeat.missed': empty,
};

const check = {
  'invariant.checked': z.looseObject({
    invariant: optionalText,
    verdict: optionalText,
    evidence: z.array(json).optional(),
  }),
  'duplicate.detected': empty,
  'effect.missing': empty,
};

const branch = {
  'branch.created': z.looseObject({ parent: text, fork: json.optional(), frontier: json.optional() }),
  'replay.started': z.looseObject({ operation: jsonObject.optional() }),
  'replay.completed': z.looseObject({
    status: optionalText,
    counts: jsonObject.optional(),
    digests: json.optional(),
    blocked: z.array(json).optional(),
  }),
  'replay.diverged': z.looseObject({ divergences: z.array(json).optional() }),
  'observation.reused': z.looseObject({
    path: pathSchema.optional(),
    event: eventIdSchema.optional(),
    rule: optionalText,
    delivered: json.optional(),
  }),
  'marker.recorded': z.looseObject({ id: optionalText, value: json.optional() }),
  'pure.computed': z.looseObject({ ...given }),
};

const trialPayload = z.looseObject({
  campaign: optionalText,
  trial: optionalText,
  arm: optionalText,
  design: optionalText,
  envelope: jsonObject.optional(),
});
const trial = { 'trial.started': trialPayload, 'trial.finished': trialPayload };

const stream = {
  'stream.declared': z.looseObject({
    producers: z
      .array(z.looseObject({ component: text, flush: z.enum(['none', 'batch', 'fsync']).optional() }))
      .optional(),
    clocks: z.array(z.looseObject({ id: text, kind: optionalText, host: optionalText })).optional(),
    tools: z
      .array(
        z.looseObject({
          name: text,
          version: optionalText,
          service: optionalText,
          effect: z.enum(['none', 'external']).optional(),
          args: json.optional(),
          result: json.optional(),
          reads: texts,
          writes: texts,
          idempotency: z.looseObject({ honoured: flag, window: json.optional() }).optional(),
        }),
      )
      .optional(),
    conventions: json.optional(),
    governance: jsonObject.optional(),
    owners: jsonObject.optional(),
  }),
  'content.stored': z.looseObject({
    digest: digestSchema,
    mediaType: optionalText,
    text: optionalText,
    base64: optionalText,
  }),
};

const share = {
  'share.declared': z.looseObject({
    policy: jsonObject.optional(),
    holes: z.array(
      z.looseObject({
        id: text,
        event: eventIdSchema.optional(),
        pointer: optionalText,
        class: text,
        reason: text,
        size: optionalText,
        masked: optionalText,
      }),
    ),
    answers: z.array(z.looseObject({ event: eventIdSchema, effects: z.array(text) })).optional(),
    counts: jsonObject.optional(),
    omitted: optionalCount,
    note: optionalText,
  }),
  'share.omitted': z.looseObject({
    events: optionalCount,
    branches: z.array(z.looseObject({ branch: text, events: optionalCount })).optional(),
  }),
};

const note = {
  'annotation.made': z.looseObject({
    annotator: z.looseObject({ id: text, kind: optionalText }),
    target: json.optional(),
    label: optionalText,
    body: json.optional(),
    method: optionalText,
    version: json.optional(),
  }),
};

/** Families group the types for icons, legend and filters; the payload schema of each type stands under its family. */
export const payloadsByFamily = {
  run,
  step,
  model,
  tool,
  effect,
  observation,
  state,
  artifact,
  governance,
  handoff,
  fault,
  check,
  branch,
  trial,
  stream,
  share,
  note,
};
