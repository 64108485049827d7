/**
 * One line of what happened, for every type of event, from what was recorded.
 *
 * Invariant: a title states the record, never a conclusion: "dispatched" is not "done", and what is not recorded is left out.
 * Used by rows, cones, neighbours and transcripts.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, reservedKeyOf } from '../base/json.ts';
import { lineToShown } from '../base/shown-text.ts';
import { memberOf, payloadOf, payloadToTokens, textAt } from '../causal/index.ts';
import { type HindcastEvent, type KnownEventType, isKnownEventType, killPointToText } from '../model/index.ts';
import { isMadeOnOpening } from './made-on-opening.ts';
import { answerToCalls, answerToLine, messageToLine } from './message-line.ts';
import { countAlike, nameToKey, sayAround, typeToWords, versionsToText } from './spoken.ts';
import { answerToWords, longestTelling, tellingTail } from './telling.ts';
import {
  actorToText,
  agentToText,
  componentToText,
  cut,
  effectOf,
  errorTail,
  isNamed,
  lifeToText,
  modelOf,
  personToText,
  sourceToText,
  isOpaqueId,
  shortId,
  stepToText,
  tail,
  toolOf,
  valueToText,
  verdictToText,
} from './title-words.ts';

type Title = (event: HindcastEvent, data: JsonObject) => string;

/** Names of megabytes stand in it as far as anybody reads them; the whole is in the record. */
const longestTitle = 600;

/** What others wrote stands in it as one line that turns nothing around. */
export function eventToTitle(event: HindcastEvent): string {
  return lineToShown(cut(eventToWords(event), longestTitle));
}

function eventToWords(event: HindcastEvent): string {
  const data = payloadOf(event);
  const type: string = event.type;
  const title = isKnownEventType(type) ? titles[type](event, data) : unknownTitle(event, data);
  if (event.origin === 'replayed' || event.origin === 'derived') return `${title} (recomputed in replay)`;
  if (isMadeOnOpening(event)) return `${title} (worked out on opening)`;
  if (event.origin === 'supplied') return `${title} (put in by ${personToText(event.principal?.id)})`;
  return event.replayed === true && !type.startsWith('recovery.') ? `${title} (again, after a restart)` : title;
}

/** A type this version does not know: its own words, and the first telling value. */
function unknownTitle(event: HindcastEvent, data: JsonObject): string {
  const value = textAt(data, 'name') ?? textAt(data, 'title') ?? textAt(data, 'message');
  const isSaid = value === undefined || value.trim() === '';
  return cut(typeToWords(event.type) + (isSaid ? '' : `: ${value}`), 96);
}

function programOf(data: JsonObject): string {
  const name = textAt(data, 'program', 'name');
  return name === undefined ? 'run' : `run of ${name}${tail('', textAt(data, 'program', 'version'))}`;
}

function stepTitle(event: HindcastEvent, data: JsonObject, verb: string): string {
  return sayAround('step', stepOf(event, data), verb);
}

function stepOf(event: HindcastEvent, data: JsonObject): string {
  const name = textAt(data, 'name');
  // An id beside a name says nothing; it is that of the step around this one.
  const isNamedById = event.step !== undefined && isOpaqueId(event.step);
  if (isNamedById) return name ?? shortId(event.step);
  const step = event.step === undefined ? undefined : stepToText(event.step);
  if (name === undefined || step?.startsWith(name) === true) return step ?? '';
  return step === undefined ? name : `${step} ${name}`;
}

/** An error that is called as the step is says nothing more. */
function stepErrorTail(data: JsonObject): string {
  const error = errorTail(data);
  return error === `: ${textAt(data, 'name') ?? ''}` ? '' : error;
}

/** "chose create-ticket", and "decided schedule: false" where the value alone would say nothing. */
function decisionTitle(event: HindcastEvent, data: JsonObject): string {
  const chosen = memberOf(data, 'chosen') ?? memberOf(data, 'result') ?? memberOf(memberOf(data, 'args'), 'chosen');
  const name = nameOf(event, data, 'an action');
  if (chosen === undefined) return `${actorToText(event)} decided ${name}`;
  const tools = isJsonArray(chosen) ? chosen.flatMap((one) => textAt(one, 'tool') ?? []) : [];
  if (isJsonArray(chosen) && tools.length > 0 && tools.length === chosen.length)
    return `${actorToText(event)} chose ${callsToText(chosen, tools)}`;
  if (typeof chosen === 'string') return `${actorToText(event)} chose ${valueToText(chosen)}`;
  return `${actorToText(event)} decided ${name}: ${valueToText(chosen)}`;
}

/** Calls of which more than these are chosen at once are counted by tool. */
const mostCalls = 3;

/** "shell: ls", "Read: a.ts, Read: b.ts"; what is not known of a call is left out. */
function callsToText(chosen: readonly JsonValue[], tools: readonly string[]): string {
  const told = chosen.map((one) => tellingTail(memberOf(one, 'args'), chosen.length === 1 ? longestTelling : 40));
  if (tools.length > mostCalls || told.every((tail) => tail === '')) return valueToText(countAlike(tools));
  return valueToText(tools.map((tool, at) => `${tool}${told[at] ?? ''}`).join(', '), longestTelling + 64);
}

function nameOf(event: HindcastEvent, data: JsonObject, fallback: string): string {
  return textAt(data, 'name') ?? event.command?.name ?? fallback;
}

function attemptTail(event: HindcastEvent): string {
  const attempt = event.command?.attempt ?? 1;
  return attempt > 1 ? `, attempt ${attempt}` : '';
}

function usageTail(data: JsonObject): string {
  const { input, output, toCache = 0, fromCache = 0 } = payloadToTokens(data);
  if (input === undefined && output === undefined) return '';
  const read = input === undefined ? 'unrecorded' : input + toCache + fromCache;
  return ` (${read} tokens in, ${output ?? 'unrecorded'} out)`;
}

/** What a model said, else what it called; how much it took stands behind, for a line may end before. */
function answeredTail(data: JsonObject): string {
  const line = answerToLine(data);
  if (line !== undefined) return `: ${valueToText(line)}`;
  const calls = answerToCalls(data);
  return calls.length === 0
    ? ''
    : ` with ${calls.length === 1 ? 'a call' : 'calls'} of ${valueToText(countAlike(calls))}`;
}

function resultTail(data: JsonObject, key: string): string {
  const text = valueToText(memberOf(data, key));
  return text === '' ? '' : `: ${text}`;
}

/** The words of an answer where it is a text; else the data it is. */
function answerTail(data: JsonObject): string {
  const result = memberOf(data, 'result');
  const text = valueToText(answerToWords(result) ?? result);
  return text === '' ? '' : `: ${text}`;
}

/** A command that ended with a code of its own says so before what it printed. */
function exitTail(data: JsonObject): string {
  const code = textAt(data, 'exit_code');
  return code === undefined || code === '0' ? '' : ` (exit code ${code})`;
}

/** What a model was asked last, where a person or a program said it. */
function questionTail(data: JsonObject): string {
  const messages = memberOf(data, 'input_messages');
  const last = isJsonArray(messages) ? messages.at(-1) : undefined;
  if (textAt(last, 'role') !== 'user') return '';
  const line = messageToLine(memberOf(last, 'content') ?? memberOf(last, 'parts'));
  return line === undefined ? '' : `: ${valueToText(line)}`;
}

/** Members that hold nothing stand before those that do in what programs write: they are left to the record. */
function readTail(data: JsonObject): string {
  const value = memberOf(data, 'value');
  if (!isJsonObject(value) || reservedKeyOf(value) !== undefined) return resultTail(data, 'value');
  const held = Object.entries(value).filter(([, member]) => member !== null);
  return held.length === 0 ? resultTail(data, 'value') : `: ${valueToText(Object.fromEntries(held))}`;
}

function statusTail(data: JsonObject): string {
  const status = textAt(data, 'http_status');
  return status === undefined ? '' : ` (${status})`;
}

function reasonTail(data: JsonObject): string {
  const reason = textAt(data, 'reason');
  return reason === undefined ? '' : `: ${cut(reason, 72)}`;
}

function stateTitle(event: HindcastEvent, data: JsonObject): string {
  const versions = versionsToText(textAt(data, 'from'), textAt(data, 'to'));
  return `${sayAround('state', nameOf(event, data, ''), 'moved')} ${versions}`.trim();
}

function exitTitle(event: HindcastEvent, data: JsonObject): string {
  const signal = textAt(data, 'signal');
  const code = textAt(data, 'code');
  const how = signal === undefined ? (code === undefined ? '' : ` with code ${code}`) : ` by ${signal}`;
  return `${workerOf(event, data)} exited${how}`;
}

/** The worker a record is about: named in the payload when the harness tells it, else the source itself. */
function workerOf(event: HindcastEvent, data: JsonObject): string {
  const life = textAt(data, 'worker', 'incarnation') ?? textAt(data, 'incarnation') ?? textAt(data, 'worker');
  if (life !== undefined) return /worker/i.test(life) ? life : `worker ${lifeToText(life)}`;
  return /worker/.test(event.source.component) ? sourceToText(event) : 'worker';
}

function faultTitle(verb: string): Title {
  return (_, data) => {
    const what = textAt(data, 'class') ?? textAt(data, 'signal') ?? 'fault';
    const point = textAt(data, 'kill_point');
    return `${what} ${verb}${point === undefined ? '' : ` at kill point ${killPointToText(point)}`}`;
  };
}

/** What stands at the point of a fault tells that it was reached; only then is the fault injected. */
function witnessTitle(event: HindcastEvent, data: JsonObject): string {
  const point = textAt(data, 'kill_point');
  if (point === undefined) return faultTitle('witnessed')(event, data);
  const verb = data['escaped'] === true ? 'passed' : 'reached';
  return `${sourceToText(event)} ${verb} kill point ${killPointToText(point)}`;
}

/** A message in parts, or with what a program put around it, by its first words; any other value as it is. */
function messageTail(data: JsonObject, member: 'content' | 'value'): string {
  const value = memberOf(data, member);
  const isWrapped =
    isJsonArray(value) ||
    typeof memberOf(value, 'content') === 'string' ||
    (typeof value === 'string' && value.trimStart().startsWith('<'));
  const said = isWrapped ? (memberOf(value, 'content') ?? value) : undefined;
  const line = said === undefined ? undefined : (messageToLine(said) ?? answerToWords(said));
  return line === undefined || line.trim() === '' ? resultTail(data, member) : `: ${valueToText(line)}`;
}

/** Roles of what an agent does not say to anybody. */
const thoughts: ReadonlySet<string> = new Set(['thinking', 'reasoning']);

function saidTitle(event: HindcastEvent, data: JsonObject): string {
  const role = textAt(data, 'role');
  if (role !== undefined && thoughts.has(role)) return `${actorToText(event)} thought${messageTail(data, 'content')}`;
  return `${agentToText(role ?? textAt(data, 'from') ?? actorToText(event))} said${messageTail(data, 'content')}`;
}

/** Where the record of its beginning is the agent's own, nobody else is told to have started it. */
function spawnTitle(event: HindcastEvent, data: JsonObject): string {
  const [by, agent] = [actorToText(event), agentToText(textAt(data, 'to') ?? nameOf(event, data, 'a sub-agent'))];
  return nameToKey(by) === nameToKey(agent) ? `${agent} started` : `${by} started ${agent}`;
}

function checkpointTitle(verb: string): Title {
  return (_, data) => `checkpoint${tail('', textAt(data, 'version'))} ${verb}`;
}

function artifactTitle(verb: string): Title {
  return (event, data) => `${actorToText(event)} ${verb} artifact${tail('', textAt(data, 'name'))}`;
}

function valueTitle(what: string): Title {
  return (_, data) => `${what}${resultTail(data, 'value')}`;
}

function signalTitle(verb: string): Title {
  return (event, data) => sayAround('signal', nameOf(event, data, ''), verb);
}

function timerTitle(verb: string): Title {
  return (event, data) => sayAround('timer', nameOf(event, data, ''), verb);
}

/** Undefined stays so: nobody is recorded, which is not the same as somebody without a name. */
function nameToText(id: string | undefined): string | undefined {
  return id === undefined ? undefined : personToText(id);
}

function approvalTitle(verb: string): Title {
  return (event, data) => {
    const name = nameOf(event, data, 'approval');
    return `${name} ${verb}${tail('by', nameToText(textAt(data, 'by') ?? event.principal?.id))}${reasonTail(data)}`;
  };
}

function plain(text: string): Title {
  return (event) => `${sourceToText(event)} ${text}`;
}

/**
 * Who acted outside: the system that the record says the effect is of, where another one reports it; else who wrote the record.
 */
function toldTitle(act: Title): Title {
  return (event, data) => {
    const reporter = textAt(data, 'reported_by');
    const system = textAt(data, 'effect', 'target');
    if (reporter === undefined || system === undefined || reporter === system)
      return `${sourceToText(event)} ${act(event, data)}`;
    return `${componentToText(system)} ${act(event, data)}, as ${componentToText(reporter)} reports`;
  };
}

const titles: Readonly<Record<KnownEventType, Title>> = {
  'run.started': (_, data) => `${programOf(data)} started`,
  'run.completed': (_, data) => `run completed${resultTail(data, 'result')}`,
  'run.failed': (_, data) => `run failed${errorTail(data)}`,
  'run.rolled_over': () => 'run rolled over to its next segment',

  'step.started': (event, data) => stepTitle(event, data, 'started'),
  'step.completed': (event, data) =>
    `${stepTitle(event, data, data['error'] === undefined ? 'completed' : 'failed')}${stepErrorTail(data)}`,
  'decision.made': decisionTitle,

  'model_call.requested': (event, data) =>
    `${actorToText(event)} asked ${modelOf(event, data)}${attemptTail(event)}${questionTail(data)}`,
  'model_call.completed': (event, data) => `${modelOf(event, data)} answered${answeredTail(data)}${usageTail(data)}`,
  'model_call.failed': (event, data) => `${modelOf(event, data)} failed${errorTail(data)}`,
  'model_call.cancelled': (event, data) => `call of ${modelOf(event, data)} cancelled`,
  'model_call.served': (event, data) => `${sourceToText(event)} served ${modelOf(event, data)}${usageTail(data)}`,

  'tool_call.dispatched': (event, data) =>
    `${actorToText(event)} dispatched ${toolOf(event, data)}${attemptTail(event)}${tellingTail(memberOf(data, 'args'))}`,
  'tool_call.acknowledged': (event, data) =>
    `${sourceToText(event)} received the answer of ${toolOf(event, data)}${statusTail(data)}`,
  'tool_call.completed': (event, data) => `${toolOf(event, data)} returned${exitTail(data)}${answerTail(data)}`,
  'tool_call.failed': (event, data) => `${toolOf(event, data)} failed${errorTail(data)}`,
  'tool_call.timed_out': (event, data) => `${toolOf(event, data)} gave no answer in time`,
  'tool_call.cancelled': (event, data) => `${toolOf(event, data)} cancelled`,
  'tool_call.result_persisted': (event, data) =>
    `result of ${toolOf(event, data)} made durable${tail('in', textAt(data, 'where'))}`,

  'effect.requested': toldTitle((_, data) => `received a request for ${effectOf(data)}`),
  'effect.dropped': toldTitle((_, data) => `dropped the request for ${effectOf(data)}${reasonTail(data)}`),
  'effect.committed': toldTitle((_, data) => `committed ${effectOf(data)}`),
  'effect.deduplicated': toldTitle((_, data) => `returned the saved answer for ${effectOf(data)}`),
  'effect.refused': toldTitle((_, data) => `refused ${effectOf(data)}${statusTail(data)}${reasonTail(data)}`),
  'effect.reconciled': (_, data) => `${effectOf(data)} reconciled${tail('as', textAt(data, 'settled'))}`,
  'effect.compensated': (_, data) => `${effectOf(data)} compensated`,

  'clock.read': valueTitle('clock read'),
  'random.drawn': valueTitle('random number drawn'),
  'env.read': (event, data) => `read ${nameOf(event, data, 'the environment')}${readTail(data)}`,
  'input.received': (event, data) =>
    `${sayAround('input', nameOf(event, data, ''), 'received')}${messageTail(data, 'value')}`,
  'signal.received': signalTitle('received'),
  'signal.awaited': signalTitle('awaited'),
  'signal.cancelled': signalTitle('cancelled'),
  'timer.started': timerTitle('started'),
  'timer.fired': timerTitle('fired'),
  'timer.cancelled': timerTitle('cancelled'),

  'state.transitioned': stateTitle,
  'checkpoint.written': checkpointTitle('written'),
  'checkpoint.restored': checkpointTitle('restored'),
  'history.compacted': () => 'history compacted into a summary',

  'artifact.produced': artifactTitle('produced'),
  'artifact.used': artifactTitle('used'),

  'policy.evaluated': (event, data) =>
    `policy ${textAt(data, 'policy') ?? event.command?.name ?? ''}${tail('', textAt(data, 'version'))}: ${verdictToText(data['verdict'])}`,
  'approval.requested': approvalTitle('requested'),
  'approval.granted': approvalTitle('granted'),
  'approval.denied': approvalTitle('denied'),
  'access.exercised': (event, data) =>
    `${nameToText(event.principal?.id) ?? actorToText(event)} used ${textAt(data, 'role') ?? 'privileged access'}${tail('to', textAt(data, 'action'))}${reasonTail(data)}`,

  'agent.spawned': spawnTitle,
  'agent.handed_off': (event, data) =>
    `${agentToText(textAt(data, 'from') ?? actorToText(event))} handed off${tail('to', agentToText(textAt(data, 'to') ?? ''))}`,
  'agent.joined': (event, data) =>
    `${agentToText(textAt(data, 'from') ?? nameOf(event, data, 'a sub-agent'))} joined${errorTail(data) || resultTail(data, 'result')}`,
  'agent.cancelled': (event, data) => `${nameOf(event, data, 'a sub-agent')} cancelled`,
  'message.sent': saidTitle,

  'fault.scheduled': faultTitle('scheduled'),
  'fault.armed': faultTitle('armed'),
  'fault.injected': faultTitle('injected'),
  'fault.witnessed': witnessTitle,
  'worker.spawned': (event, data) => `${workerOf(event, data)} spawned`,
  'worker.started': (event, data) => `${workerOf(event, data)} started${tail('and resumes from', resumeOf(data))}`,
  'worker.exited': exitTitle,
  'recovery.started': plain('began recovery'),
  'recovery.completed': plain('completed recovery'),
  'recovery.replay_started': plain('began its own replay'),
  'recovery.replay_completed': plain('completed its own replay'),
  'recovery.observation_replayed': (event) =>
    `${sourceToText(event)} took the answer of ${event.command?.name ?? 'a command'} from its journal`,
  'heartbeat.missed': plain('missed a heartbeat'),

  'invariant.checked': (_, data) =>
    `claim: ${textAt(data, 'invariant') ?? 'invariant'} ${textAt(data, 'verdict') ?? 'checked'}`,
  'duplicate.detected': plain('claims a duplicate'),
  'effect.missing': plain('claims a missing effect'),

  'branch.created': (event) => `branch ${event.branch} created`,
  'replay.started': (event) =>
    `replay started${tail('by', isNamed(event.principal?.id) ? event.principal.id : undefined)}`,
  'replay.completed': (_, data) => `replay ended${resultTail(data, 'status')}`,
  'replay.diverged': () => 'replay diverged from the record',
  'observation.reused': (_, data) => `reused${tail('', textAt(data, 'event') ?? textAt(data, 'path'))}`,
  'marker.recorded': (_, data) => `marker${tail('', textAt(data, 'id'))} recorded`,
  'pure.computed': (event, data) => `${nameOf(event, data, 'a value')} computed`,

  'trial.started': (_, data) => `trial${tail('', textAt(data, 'trial'))} started${tail('as', textAt(data, 'arm'))}`,
  'trial.finished': (_, data) => `trial${tail('', textAt(data, 'trial'))} finished`,

  'stream.declared': () => 'stream declared its producers, clocks and tools',
  'content.stored': (_, data) => `content stored: ${valueToText(memberOf(data, 'digest'), 24)}`,

  'share.declared': () => 'this is a redacted copy',
  'share.omitted': (_, data) => `events left out of the copy${resultTail(data, 'events')}`,

  'annotation.made': (event, data) =>
    `${textAt(data, 'annotator', 'id') ?? actorToText(event)} noted${tail('', textAt(data, 'label'))}${resultTail(data, 'body')}`,
};

function resumeOf(data: JsonObject): string | undefined {
  const resume = textAt(data, 'resume');
  return resume === 'journal' ? 'its journal' : resume === 'none' ? 'the first step' : undefined;
}
