/**
 * What one record of a session says, in the words that all coding agents share. A format's reader makes these from a record alone;
 * everything that needs other records (who answers what, which items are one answer of the model) is the engine's business.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { SessionRule } from './rules.ts';

/** The beginning of a session, where a record tells it. */
export interface StartPart {
  readonly kind: 'start';
  readonly data: JsonObject;
  /** Session that started this one, as recorded. */
  readonly parentSession?: string | undefined;
  readonly agent?: string | undefined;
}

/** A message to the agent: from a person, from the program, or from another agent. */
export interface InputPart {
  readonly kind: 'input';
  readonly role: string;
  readonly content: JsonValue;
  readonly from: 'person' | 'program';
  /** Names the message, for records that say it again. */
  readonly key?: string | undefined;
  /** What was asked without an id before it and has no answer yet gets none any more. */
  readonly closes?: boolean | undefined;
}

/** A piece of an answer of the model. */
export interface ModelPart {
  readonly kind: 'model';
  /** Names the answer, where the record does; pieces with one key are one answer. */
  readonly key?: string | undefined;
  /** As recorded, what the program received. */
  readonly blocks: readonly JsonValue[];
  /** The same as parts of a GenAI message: text, reasoning, tool_call. */
  readonly parts: readonly JsonObject[];
  /** Members of the model event: usage, response_model, finish_reasons, and so on. */
  readonly data?: JsonObject | undefined;
  /** The call failed, with this. */
  readonly error?: JsonObject | undefined;
  /** A later record of the same answer says all of it again, fuller. */
  readonly again?: boolean | undefined;
  /** Names this piece of the answer; a later record of the same piece replaces it. */
  readonly piece?: string | undefined;
  /** Text that goes on where the piece ended. */
  readonly appends?: string | undefined;
  /** Asked, and nothing of an answer in this record. */
  readonly pending?: boolean | undefined;
  /** Another name under which a record may say this again. */
  readonly alias?: string | undefined;
  /** The answer is complete with this record. */
  readonly whole?: boolean | undefined;
}

/** A tool call that the model asked for. */
export interface CallPart {
  readonly kind: 'call';
  /** Who gave it, by the message in the same record where there is one: no answer of the model chose it. */
  readonly by?: 'person' | 'program' | undefined;
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: JsonValue;
  /** The answer of the model it is part of, where the record names it. */
  readonly key?: string | undefined;
  /** The call starts a sub-agent. */
  readonly spawns?: boolean | undefined;
  /** Session of the sub-agent, where the record names it. */
  readonly child?: string | undefined;
  /** The id that the model gave it, where the record names it by another; present and undefined where the model gave none. */
  readonly asked?: string | undefined;
  /** Another name by which records may mean this call, where no other call has it. */
  readonly alias?: string | undefined;
  readonly data?: JsonObject | undefined;
  readonly time?: string | undefined;
}

export interface ResultPart {
  readonly kind: 'result';
  readonly call?: string | undefined;
  readonly name?: string | undefined;
  readonly value?: JsonValue | undefined;
  readonly error?: JsonObject | undefined;
  readonly data?: JsonObject | undefined;
  /** Session of the sub-agent that the answered call started. */
  readonly child?: string | undefined;
  /** The answer only says that the sub-agent was started; it ends elsewhere. */
  readonly started?: boolean | undefined;
  /** Sessions whose end this answer tells. */
  readonly joins?: readonly string[] | undefined;
  readonly time?: string | undefined;
  /** The conversation is told again with every request: only the first telling counts. */
  readonly again?: boolean | undefined;
  /** What the record is where no call is open: formats without ids write answers and messages alike. */
  readonly otherwise?: InputPart | undefined;
  /** Of calls without an id; says nothing where none is open. */
  readonly onlyOpen?: boolean | undefined;
}

/** Token counts in a record of their own. */
export interface UsagePart {
  readonly kind: 'usage';
  readonly usage: JsonObject;
  /** Other members of the model event, such as the cost. */
  readonly data?: JsonObject | undefined;
  /** Equal totals are one count that is told again. */
  readonly total: string;
  readonly key?: string | undefined;
}

/** The same content again, in words for the screen. Becomes an event of its own only where nothing else says it. */
export interface EchoPart {
  readonly kind: 'echo';
  readonly of: 'input' | 'model' | 'call' | 'result' | 'event';
  readonly call?: string | undefined;
  /** What must be equal: the text of the message, or its name. */
  readonly text?: string | undefined;
  readonly key?: string | undefined;
  /** Session of a sub-agent that the record names. */
  readonly child?: string | undefined;
  /** What the record becomes where nothing else says it. */
  readonly otherwise?: InputPart | ModelPart | undefined;
}

/** An event that needs nothing from other records. */
export interface EventPart {
  readonly kind: 'event';
  readonly type: string;
  readonly data: JsonObject;
  /** The tool call it belongs to. */
  readonly call?: string | undefined;
  readonly as?: 'result_of' | 'caused_by' | 'authorized_by' | undefined;
  /** Names the event, for records that say the same. */
  readonly key?: string | undefined;
  /** By which rule it belongs to the call; absent: recorded. */
  readonly rule?: SessionRule | undefined;
  /** It ends the session: what stands before it in the log led to it. */
  readonly ends?: boolean | undefined;
  /** A person did it, about the answer of the model before it. */
  readonly byPerson?: boolean | undefined;
}

/** What holds for the model calls that follow: the model, its settings. The record is kept as an event. */
export interface SettingPart {
  readonly kind: 'setting';
  /** Names and numbers only. */
  readonly data: JsonObject;
}

export type Part =
  SettingPart | StartPart | InputPart | ModelPart | CallPart | ResultPart | UsagePart | EchoPart | EventPart;

export interface Reading {
  /** Kind of the record, for events that keep it whole: `<format>.<kind>`. */
  readonly kind: string;
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  /** The call that started this agent, where the record names it. */
  readonly agentCall?: string | undefined;
  readonly id?: string | undefined;
  /** Record before this one, as recorded; `null` where the record says that there is none. */
  readonly parent?: string | null | undefined;
  /** Records that led to this one, as recorded; names that no record has are passed over. */
  readonly causes?: readonly string[] | undefined;
  readonly time?: string | undefined;
  /** Its number in the log, where the program counts its records. */
  readonly number?: number | undefined;
  /** The time is that of what is told, not of the telling: it says nothing of the order of records. */
  readonly retold?: boolean | undefined;
  /** The time was written without a zone and is read as if it were UTC. */
  readonly zoneless?: boolean | undefined;
  readonly version?: string | undefined;
  /** Empty: the record is kept whole. */
  readonly parts: readonly Part[];
  /** Fields that have no place in the events. */
  readonly extra?: JsonObject | undefined;
}
