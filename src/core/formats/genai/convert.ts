/**
 * Spans to events: the beginning of a span is the issuing event, its end the ending event, what a model answered a decision.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { digest, eventId } from '../../model/index.ts';
import { carriesEvent } from '../../model/otlp-attributes.ts';
import { runToPrefix } from '../draft.ts';
import { type Draft, emitterToExtra } from './envelope.ts';
import {
  type AgentFields,
  type Failure,
  type ModelFields,
  spanToAgent,
  spanToFailure,
  spanToModel,
  spanToStep,
  spanToTool,
} from './fields.ts';
import { type Edge, type Linked, type Links, pathOfAgent } from './link.ts';
import { messagesToCalls } from './messages.ts';
import type { Log, Span } from './record.ts';
import { isSpoken } from './spoken.ts';
import { isEmpty, parseText, textAt, valueAt, withoutUndefined } from './values.ts';

export function spanToDrafts(
  links: Links,
  one: Linked,
  span: Span,
  logs: readonly Log[],
  format: string,
): readonly Draft[] {
  const failure = spanToFailure(span);
  const drafts = roleToDrafts(links, one, span, logs, failure);
  return [...drafts, ...spanEvents(links, one, span, failure, format)];
}

function roleToDrafts(
  links: Links,
  one: Linked,
  span: Span,
  logs: readonly Log[],
  failure: Failure | undefined,
): readonly Draft[] {
  switch (one.role) {
    case 'model':
      return modelDrafts(links, one, span, spanToModel(span, logs), failure);
    case 'tool':
    case 'retrieval':
      return toolDrafts(links, one, span, failure);
    case 'handoff':
      return handoffDrafts(links, one, span, failure);
    case 'agent':
      return agentDrafts(links, one, span, spanToAgent(span), failure);
    case 'input':
      return [inputDraft(links, one, span)];
    case 'step':
      return stepDrafts(links, one, span, failure);
  }
}

/** What the events of a span share. */
function shared(one: Linked, span: Span): Pick<Draft, 'span' | 'session' | 'agent' | 'record'> {
  return { span: span.id, session: one.session, agent: one.agent?.info.agent, record: span.id };
}

/** Everything the events do not show. */
function extraOf(one: Linked, span: Span, rest: JsonObject): JsonObject {
  return withoutUndefined({
    ...span.extra,
    name: span.name === '' ? undefined : span.name,
    kind: span.side,
    status: span.statusText,
    attributes: isEmpty(rest) ? undefined : rest,
    links: span.links.length === 0 ? undefined : span.links.map((link) => ({ ...link })),
    role_rule: one.roleRule,
    ...emitterToExtra(span),
  });
}

/** The recorded parent, here or not; else the beginning of the run. And what the span is linked to. */
function originCauses(links: Links, one: Linked): readonly Edge[] {
  const { info } = one;
  const causes: Edge[] = [];
  if (one.parent !== undefined) {
    const isHalf = one.parent.info.id === info.id;
    causes.push({ event: links.startOf(one.parent.info), as: 'caused_by' });
    if (!isHalf && info.parent !== undefined && one.parent.info.id !== info.parent)
      causes.push({ event: links.spanEvent(info.trace, info.parent), as: 'caused_by' });
  } else if (info.parent !== undefined) {
    causes.push({ event: links.spanEvent(info.trace, info.parent), as: 'caused_by' });
  } else causes.push(...runCause(links, info.trace));
  for (const link of info.links) causes.push({ event: links.spanEvent(link.trace, link.span), as: 'caused_by' });
  return causes;
}

/** A run that carries its own events has a beginning of its own. */
export function runCause(links: Links, trace: string): readonly Edge[] {
  if (links.survey.carried.has(trace)) return [];
  return [{ event: links.runOf(trace), as: 'caused_by', rule: 'run-of-trace' }];
}

function endCauses(links: Links, one: Linked): readonly Edge[] {
  const causes: Edge[] = [{ event: links.startOf(one.info), as: 'result_of' }];
  const { end } = one.info;
  if (end === undefined) return causes;
  for (const child of one.children) {
    const ended = child.info.end;
    if (!child.matters || child.role === 'input' || ended === undefined || ended > end) continue;
    causes.push({ event: links.endOf(child.info), as: 'caused_by', rule: 'ended-inside' });
  }
  return causes;
}

function beforeCauses(links: Links, one: Linked): readonly Edge[] {
  return one.before.map(({ info }) => ({
    event: links.endOf(info),
    as: 'caused_by',
    rule: 'sibling-before',
    grade: 'clock-only',
  }));
}

export function modelDrafts(
  links: Links,
  one: Linked,
  span: Span,
  fields: ModelFields,
  failure: Failure | undefined,
): readonly Draft[] {
  const { info } = one;
  const base = { ...shared(one, span), step: info.event };
  const name = fields.model ?? 'model';
  const command = { path: `${one.scope}/model:${name}=${one.identity}`, kind: 'model', name, identity: 'derived' };
  const answers = one.given.map(({ tool, rule }): Edge => ({ event: links.endOf(tool.info), as: 'consumed', rule }));
  const start: Draft = {
    ...base,
    id: links.startOf(info),
    type: 'model_call.requested',
    time: span.start,
    command: { ...command, attempt: one.attempt, ...(isEmpty(fields.request) ? {} : { args: digest(fields.request) }) },
    causes: [...originCauses(links, one), ...answers, ...beforeCauses(links, one)],
    data: fields.request,
    extra: extraOf(one, span, fields.rest),
  };
  const isAnswered = span.end !== undefined || fields.output.length > 0;
  if (!isAnswered && failure === undefined) return [start];
  const end = {
    ...base,
    id: links.endOf(info),
    time: span.end,
    command: { ...command, attempt: one.attempt },
    causes: endCauses(links, one),
  };
  if (failure !== undefined) {
    const { output_messages: partial, ...response } = fields.response;
    const data = withoutUndefined({ ...response, error: { ...failure }, response: partial });
    return [start, { ...end, type: 'model_call.failed', data }];
  }
  const result = fields.output.length === 0 ? {} : { result: fields.output };
  const completed: Draft = { ...end, type: 'model_call.completed', data: { ...fields.response, ...result } };
  const decision = decisionDraft(links, one, base, fields);
  return decision === undefined ? [start, completed] : [start, completed, { ...decision, time: span.end }];
}

function decisionDraft(
  links: Links,
  one: Linked,
  base: Pick<Draft, 'span' | 'session' | 'agent' | 'record' | 'step'>,
  fields: ModelFields,
): Draft | undefined {
  const calls = messagesToCalls(fields.output);
  if (calls.length === 0) return undefined;
  const chosen = calls.map(({ id, name }) => withoutUndefined({ tool: name, call_id: id }));
  const args = { chosen };
  return {
    ...base,
    id: links.decisionOf(one.info),
    type: 'decision.made',
    causes: [{ event: links.endOf(one.info), as: 'consumed' }],
    command: {
      path: `${one.scope}/decide:tools=${one.info.event}`,
      kind: 'decide',
      name: 'tools',
      identity: 'derived',
      args: digest(args),
    },
    data: { args, chosen, result: chosen, rule: 'decision-from-tool-calls' },
  };
}

/** The step of a tool call is the model call that chose it. */
function chosen(links: Links, one: Linked): { readonly step: string | undefined; readonly causes: readonly Edge[] } {
  if (one.chosenBy === undefined) return { step: undefined, causes: [] };
  const { call, rule } = one.chosenBy;
  return {
    step: call.info.event,
    causes: [{ event: links.decisionOf(call.info), as: 'selected_by', rule }],
  };
}

function toolDrafts(links: Links, one: Linked, span: Span, failure: Failure | undefined): readonly Draft[] {
  const fields = spanToTool(span);
  const { info } = one;
  const by = chosen(links, one);
  const base = { ...shared(one, span), step: by.step };
  const reads = one.role === 'retrieval';
  const kind = reads ? 'read' : undefined;
  const path = `${one.scope}/${kind ?? 'tool'}:${fields.name}=${one.identity}`;
  const command = withoutUndefined({ path, kind, name: fields.name, identity: 'derived', attempt: one.attempt });
  const tool = withoutUndefined({ tool: fields.name, call_id: fields.callId });
  const effect = reads ? { effect: 'none', effect_rule: 'retrieval-reads' } : {};
  const handed = handOffOf(links, one, fields.name, fields.args);
  const start: Draft = {
    ...base,
    id: links.startOf(info),
    type: 'tool_call.dispatched',
    time: span.start,
    command: fields.args === undefined ? command : { ...command, args: digest(fields.args) },
    causes: [...by.causes, ...originCauses(links, one), ...beforeCauses(links, one)],
    data: withoutUndefined({ ...tool, args: fields.args, ...effect }),
    extra: extraOf(one, span, fields.rest),
  };
  const handedOff = handed === undefined ? [] : [{ ...handed, ...shared(one, span), time: span.start }];
  if (span.end === undefined && fields.result === undefined && failure === undefined) return [start, ...handedOff];
  const data =
    failure === undefined
      ? withoutUndefined({ ...tool, result: fields.result, http_status: fields.httpStatus })
      : withoutUndefined({
          ...tool,
          error: { ...failure },
          response: fields.result,
          http_status: fields.httpStatus,
        });
  const end: Draft = {
    ...base,
    id: links.endOf(info),
    type: failure === undefined ? 'tool_call.completed' : 'tool_call.failed',
    time: span.end,
    command,
    causes: endCauses(links, one),
    data,
  };
  return [start, ...handedOff, end];
}

/** Rule `hand-off-by-name`. */
function handOffOf(links: Links, one: Linked, name: string, args: JsonValue | undefined): Draft | undefined {
  const named = /^transfer_to_(.+)$/.exec(name)?.[1];
  if (named === undefined) return undefined;
  const given = typeof args === 'object' && args !== null && !Array.isArray(args) ? args : {};
  const to = textAt(Object.fromEntries(Object.entries(given)), 'agent_name', 'agent') ?? named;
  return {
    id: eventId(`${links.startOf(one.info)}:handoff`),
    type: 'agent.handed_off',
    causes: [{ event: links.startOf(one.info), as: 'caused_by' }],
    data: withoutUndefined({ from: one.agent?.info.agent, to, rule: 'hand-off-by-name' }),
  };
}

function handoffDrafts(links: Links, one: Linked, span: Span, failure: Failure | undefined): readonly Draft[] {
  const fields = spanToStep(span);
  const to = textAt(span.attributes, 'gen_ai.handoff.to_agent', 'to_agent', 'gen_ai.agent.name');
  const from = textAt(span.attributes, 'gen_ai.handoff.from_agent', 'from_agent') ?? one.agent?.info.agent;
  const base = shared(one, span);
  const by = chosen(links, one);
  const start: Draft = {
    ...base,
    id: links.startOf(one.info),
    type: 'agent.handed_off',
    time: span.start,
    causes: [...by.causes, ...originCauses(links, one)],
    data: withoutUndefined({ from, to, passed: fields.input }),
    extra: extraOf(one, span, fields.rest),
  };
  return [start, ...stepEnd(links, one, span, fields.output, failure)];
}

function agentDrafts(
  links: Links,
  one: Linked,
  span: Span,
  fields: AgentFields,
  failure: Failure | undefined,
): readonly Draft[] {
  const { info } = one;
  const around = one.agent?.info.agent;
  const base = shared(one, span);
  const path = pathOfAgent(one);
  const command = { path, kind: 'child', name: fields.name, identity: 'derived', attempt: 1 };
  const start: Draft = {
    ...base,
    id: links.startOf(info),
    type: 'agent.spawned',
    time: span.start,
    command: fields.input === undefined ? command : { ...command, args: digest(fields.input) },
    causes: [...originCauses(links, one), ...beforeCauses(links, one)],
    data: withoutUndefined({ from: around, to: fields.name, args: fields.input, child: { scope: path } }),
    extra: extraOf(one, span, fields.rest),
  };
  if (span.end === undefined && failure === undefined) return [start];
  const outcome = failure === undefined ? { result: fields.output } : { error: { ...failure } };
  const end: Draft = {
    ...base,
    id: links.endOf(info),
    type: 'agent.joined',
    time: span.end,
    command,
    causes: endCauses(links, one),
    data: withoutUndefined({ from: fields.name, to: around, ...outcome }),
  };
  return [start, end];
}

function inputDraft(links: Links, one: Linked, span: Span): Draft {
  const { 'hindcast.input': _mark, prompt, ...rest } = span.attributes;
  return {
    ...shared(one, span),
    id: links.startOf(one.info),
    type: 'input.received',
    time: span.start,
    principal: { id: 'user', kind: 'human' },
    causes: originCauses(links, one),
    data: withoutUndefined({ name: 'prompt', value: prompt }),
    extra: extraOf(one, span, rest),
  };
}

function stepDrafts(links: Links, one: Linked, span: Span, failure: Failure | undefined): readonly Draft[] {
  const { input, output, rest } = spanToStep(span);
  const start: Draft = {
    ...shared(one, span),
    id: links.startOf(one.info),
    type: 'step.started',
    time: span.start,
    causes: originCauses(links, one),
    data: withoutUndefined({ name: span.name, input }),
    extra: extraOf(one, span, rest),
  };
  return [start, ...stepEnd(links, one, span, output, failure)];
}

function stepEnd(
  links: Links,
  one: Linked,
  span: Span,
  output: JsonValue | undefined,
  failure: Failure | undefined,
): readonly Draft[] {
  if (span.end === undefined && failure === undefined) return [];
  const outcome = failure === undefined ? { result: output } : { error: { ...failure } };
  return [
    {
      ...shared(one, span),
      id: links.endOf(one.info),
      type: 'step.completed',
      time: span.end,
      causes: endCauses(links, one),
      data: withoutUndefined({ name: span.name, ...outcome }),
    },
  ];
}

/** Events of a span that say something of their own: not its failure, not a message. Foreign ones keep their name. */
function spanEvents(
  links: Links,
  one: Linked,
  span: Span,
  failure: Failure | undefined,
  format: string,
): readonly Draft[] {
  const used = failure?.data === undefined ? undefined : span.events.find(({ name }) => name === 'exception');
  const drafts: Draft[] = [];
  for (const [n, event] of span.events.entries()) {
    if (event === used || carriesEvent(event.attributes) || (one.role === 'model' && isSpoken(event.name))) continue;
    const evaluation = event.name === 'gen_ai.evaluation.result';
    drafts.push({
      ...shared(one, span),
      id: eventId(`${links.startOf(one.info)}:event:${n}`),
      type: evaluation ? 'annotation.made' : `${format}.span_event`,
      time: event.time,
      causes: [{ event: links.startOf(one.info), as: 'caused_by' }],
      data: evaluation
        ? evaluationToData(event.attributes, links.startOf(one.info))
        : { name: event.name, attributes: event.attributes },
    });
  }
  return drafts;
}

/** A log record that is no part of a model call. */
export function logToDraft(links: Links, log: Log, format: string, id: string): Draft {
  const info = log.span === undefined ? undefined : links.survey.callOf(log);
  const here = info ?? links.spanNamed(log.trace, log.span);
  const start = here === undefined ? undefined : links.startOf(here);
  const causes: readonly Edge[] =
    start === undefined ? runCause(links, log.trace) : [{ event: start, as: 'caused_by' }];
  const isEvaluation = log.name === 'gen_ai.evaluation.result';
  return {
    id: eventId(`${runToPrefix(log.trace)}/${id}`),
    type: isEvaluation ? 'annotation.made' : `${format}.log`,
    time: log.time,
    span: log.span !== undefined && /^[0-9a-f]{16}$/.test(log.span) ? log.span : undefined,
    session: here === undefined ? undefined : links.of(here).session,
    agent: here === undefined ? undefined : links.of(here).agent?.info.agent,
    causes,
    data: isEvaluation
      ? evaluationToData(log.attributes, start)
      : withoutUndefined({
          name: log.name,
          severity: log.severity,
          body: log.body === undefined ? undefined : parseText(log.body),
          attributes: isEmpty(log.attributes) ? undefined : log.attributes,
        }),
    extra: { ...log.extra, ...emitterToExtra(log) },
  };
}

function evaluationToData(attributes: JsonObject, target: string | undefined): JsonObject {
  return withoutUndefined({
    annotator: { id: textAt(attributes, 'gen_ai.evaluation.evaluator', 'gen_ai.provider.name') ?? 'not recorded' },
    target,
    label: textAt(attributes, 'gen_ai.evaluation.name') ?? 'evaluation',
    body: withoutUndefined({
      score: valueAt(attributes, 'gen_ai.evaluation.score.value'),
      label: valueAt(attributes, 'gen_ai.evaluation.score.label'),
      explanation: valueAt(attributes, 'gen_ai.evaluation.explanation'),
    }),
    attributes,
  });
}
