/**
 * Short words for recorded values, components and tools, as titles use them. Nothing is added that was not recorded.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, reservedKeyOf } from '../base/json.ts';
import { memberOf, textAt, textOf } from '../causal/index.ts';
import { type HindcastEvent, isContentReference } from '../model/index.ts';

const longest = 72;

/** `ticket-service` and `ticket_service` to "ticket service"; with the life of the process where it is not the first. */
export function sourceToText(event: HindcastEvent): string {
  const { component, incarnation } = event.source;
  const name = component.replace(/[-_]+/g, ' ');
  return incarnation === undefined || !/^\d+$/.test(String(incarnation)) || isService(component)
    ? name
    : `${name} ${String(incarnation)}`;
}

function isService(component: string): boolean {
  return !/worker|runner|engine/.test(component);
}

/** Who acted: the agent where one is recorded, else the component. */
export function actorToText(event: HindcastEvent): string {
  return event.agent ?? sourceToText(event);
}

/** One line of a value: texts as they are, small objects as JSON, cut with an ellipsis. */
export function valueToText(value: JsonValue | undefined, limit = longest): string {
  if (value === undefined) return '';
  if (isContentReference(value)) return `a value of ${value.bytes} bytes stored apart`;
  const text = textOf(value) ?? compactJson(value, limit * 2);
  return cut(text.replace(/\s+/g, ' ').trim(), limit);
}

export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = text.charCodeAt(limit - 2) >= 0xd800 && text.charCodeAt(limit - 2) < 0xdc00 ? limit - 2 : limit - 1;
  return `${text.slice(0, end)}…`;
}

/** JSON text, written only as far as it can be shown. Recursion is bounded by the budget and by the depth of recorded values. */
function compactJson(value: JsonValue, budget: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let out = isJsonArray(value) ? '[' : '{';
  const reserved = isJsonObject(value) ? reservedKeyOf(value) : undefined;
  if (reserved === '$num') return textOf(value) ?? '';
  const entries = isJsonArray(value) ? value.map((item) => ['', item] as const) : Object.entries(value);
  for (const [key, member] of entries) {
    if (out.length > 1) out += ', ';
    if (out.length > budget) return `${out}…`;
    out += (key === '' ? '' : `${key}: `) + compactJson(member, budget - out.length);
  }
  return out + (isJsonArray(value) ? ']' : '}');
}

export function toolOf(event: HindcastEvent, data: JsonObject): string {
  return textAt(data, 'tool') ?? event.command?.name ?? 'a tool';
}

export function modelOf(event: HindcastEvent, data: JsonObject): string {
  return textAt(data, 'response_model') ?? textAt(data, 'request_model') ?? event.command?.name ?? 'the model';
}

/** "ticket 8421", "ticket", or "an effect" where the service told neither. */
export function effectOf(data: JsonObject): string {
  const kind = textAt(data, 'effect', 'kind') ?? textAt(data, 'kind');
  const id = textAt(data, 'effect', 'id') ?? textAt(data, 'id');
  if (id === undefined) return kind === undefined ? 'an effect' : `a ${kind}`;
  return `${kind ?? 'effect'} ${id}`;
}

/** ": message" of a recorded error, or its name, or nothing. */
export function errorTail(data: JsonObject): string {
  const message = textAt(data, 'error', 'message') ?? textAt(data, 'error', 'name') ?? textOf(memberOf(data, 'error'));
  return message === undefined || message === '' ? '' : `: ${cut(message, longest)}`;
}

/** " label value" when the value is recorded. */
export function tail(label: string, value: string | undefined): string {
  return value === undefined || value === '' ? '' : ` ${label}${label === '' ? '' : ' '}${value}`;
}
