/**
 * Short words for recorded values, components and tools, as titles use them. Nothing is added that was not recorded.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, reservedKeyOf, isHole } from '../base/json.ts';
import { lineToShown, nameToShown } from '../base/shown-text.ts';
import { memberOf, textAt, textOf } from '../causal/index.ts';
import { type HindcastEvent, isContentReference } from '../model/index.ts';

const longest = 72;

/** `ticket-service` and `ticket_service` to "ticket service"; of what control code runs in, with the life of the process. */
export function sourceToText(event: HindcastEvent): string {
  const { component, incarnation } = event.source;
  const name = componentToText(component);
  return incarnation === undefined || isService(component) ? name : `${name} ${lifeToText(incarnation)}`;
}

/** One life of a process as titles, findings and the effects table all name it: of a long id its beginning. */
export function lifeToText(incarnation: string | number): string {
  const text = String(incarnation);
  return lineToShown(text.length > 12 ? text.slice(0, 8) : text);
}

/** What importers and the page write for a name that nobody gave. */
const notNamed = 'not named';

/** A person in a sentence; undefined or unnamed: "someone not named". */
export function personToText(id: string | undefined): string {
  return isNamed(id) ? nameToShown(id) : 'someone not named';
}

export function isNamed(id: string | undefined): id is string {
  return id !== undefined && id !== '' && id !== notNamed;
}

export function componentToText(component: string): string {
  if (component === notNamed) return 'a producer not named';
  // The pseudonym of a redacted copy is one word everywhere.
  if (/^(?:component|target)-[a-z0-9]{4}$/.test(component)) return component;
  return nameToShown(component).replace(/[-_]+/g, ' ');
}

export function isService(component: string): boolean {
  return !/worker|runner|engine/.test(component);
}

const uuid = /([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** Made by a machine and no name: a UUID, a long number in base 16, or a mark of what it is with such an id behind it. */
export function isOpaqueId(text: string): boolean {
  if (text.length > 80) return false;
  const plain = text.replace(/#\d+$/, '');
  return (
    /^(?:[a-z]{1,12}[-_:.])?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(plain) ||
    /^(?:[a-z]{1,12}[-_:.])?(?=[0-9a-f]*\d)[0-9a-f]{7,}$/i.test(plain) ||
    /^[a-z]{2,12}[-_](?=\w*\d)[a-z0-9]{16,}$/i.test(plain)
  );
}

/** The beginning of such an id, to stand behind what it is the id of. */
export function shortId(id: string): string {
  const [, mark = '', rest = id] = /^(?:([a-z]{1,12})[-_:.])?(.+)$/i.exec(id) ?? [];
  const short = rest.slice(0, 8);
  return mark === '' || mark === 'sidechain' || mark === 'agent' ? short : `${mark}_${short}`;
}

/** The name of an agent in a line: of an id that is a whole UUID its beginning, so that what it did can be read. */
export function agentToText(agent: string): string {
  return nameToShown(agent).replace(uuid, '$1');
}

/** Who acted: the agent where one is recorded, else the component. */
export function actorToText(event: HindcastEvent): string {
  if (event.agent === undefined && event.origin !== undefined) return originToText(event);
  return event.agent === undefined ? sourceToText(event) : agentToText(event.agent);
}

/** On a branch nobody acted again: the control program came to it, or a person put it in. */
function originToText(event: HindcastEvent): string {
  const isPerson = event.origin === 'supplied' || event.origin === 'reconciled';
  return isPerson ? personToText(event.principal?.id) : 'the program';
}

/** The verdict of a policy: a text, or why there is none. */
export function verdictToText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return isHole(value) ? 'verdict withheld in this copy' : 'verdict not recorded';
}

/** One line of a value: texts as they are, small objects as JSON, cut with an ellipsis. */
export function valueToText(value: JsonValue | undefined, limit = longest): string {
  if (value === undefined) return '';
  if (isContentReference(value)) return `a value of ${value.bytes} bytes stored apart`;
  const text = textOf(value) ?? compactJson(value, limit * 2);
  return lineToShown(cut(text.replace(/\s+/g, ' ').trim(), limit));
}

export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = text.charCodeAt(limit - 2) >= 0xd800 && text.charCodeAt(limit - 2) < 0xdc00 ? limit - 2 : limit - 1;
  return `${text.slice(0, end)}…`;
}

/** JSON text, written only as far as it can be shown. Recursion is bounded by the budget and by the depth of recorded values. */
function compactJson(value: JsonValue, budget: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isHole(value)) return '(withheld)';
  let out = isJsonArray(value) ? '[' : '{';
  const reserved = isJsonObject(value) ? reservedKeyOf(value) : undefined;
  if (reserved === '$num') return textOf(value) ?? '';
  const entries = isJsonArray(value) ? value.map((item) => ['', item] as const) : entriesOf(value, reserved);
  for (const [key, member] of entries) {
    if (out.length > 1) out += ', ';
    if (out.length > budget) return `${out}…`;
    out += (key === '' ? '' : `${key}: `) + compactJson(member, budget - out.length);
  }
  return out + (isJsonArray(value) ? ']' : '}');
}

/** Members as they stand in the record: a key that was written twice stands there twice, an escaped one without its escape. */
function entriesOf(value: JsonObject, reserved: ReturnType<typeof reservedKeyOf>): (readonly [string, JsonValue])[] {
  if (reserved === '$esc' && isJsonObject(value['$esc'])) return Object.entries(value['$esc']);
  const repeated = reserved === '$dup' ? value['$dup'] : undefined;
  if (!isJsonArray(repeated)) return Object.entries(value);
  return repeated.flatMap((pair) => {
    const [key, member] = isJsonArray(pair) ? pair : [];
    return typeof key === 'string' && member !== undefined ? [[key, member] as const] : [];
  });
}

export function toolOf(event: HindcastEvent, data: JsonObject): string {
  const name = textAt(data, 'tool') ?? event.command?.name;
  return name === undefined ? 'a tool' : name === 'tool not named' ? 'a tool not named' : name;
}

export function modelOf(event: HindcastEvent, data: JsonObject): string {
  return textAt(data, 'response_model') ?? textAt(data, 'request_model') ?? event.command?.name ?? 'the model';
}

/** "ticket 8421", "a ticket", or "an effect" where the service told neither. */
export function effectOf(data: JsonObject): string {
  const kind = textAt(data, 'effect', 'kind') ?? textAt(data, 'kind');
  const id = textAt(data, 'effect', 'id') ?? textAt(data, 'id');
  const noun = kind === undefined ? 'effect' : kindToNoun(kind);
  if (id === undefined) return /^[aeiou]/i.test(noun) ? `an ${noun}` : `a ${noun}`;
  return id.toLowerCase().startsWith(noun.toLowerCase()) ? id : `${noun} ${id}`;
}

const verbs: ReadonlySet<string> = new Set(
  'create open send post put update delete remove cancel book issue pay notify make add submit start'.split(' '),
);

/** `tickets.create` and `create_ticket` to "ticket"; a kind that is no verb with a noun stays as it was recorded. */
export function kindToNoun(kind: string): string {
  const words = kind
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const rest = words.filter((word) => !verbs.has(word.toLowerCase()));
  if (rest.length === words.length || rest.length === 0) return kind;
  return rest.map(toSingular).join(' ').toLowerCase();
}

/** One of what a plain plural names; a word of which an s at the end may be no plural (status, analysis, news, entries) stays. */
export function toSingular(noun: string): string {
  return /[^s]s$/.test(noun) && !/(?:us|is|as|ws|ies)$/i.test(noun) && noun.length > 3 ? noun.slice(0, -1) : noun;
}

/** A step that is a scope path by the name it ends in: `/par:a/step:check#0` to "check", `…#1` to "check (2)", `…=k` to "check (k)". */
export function stepToText(step: string): string {
  const [, name, count = '0', key] = /(?:^|\/)step:([^/#=]+)(?:#(\d+)|=([^/]*))?$/.exec(step) ?? [];
  if (name === undefined) return nameToShown(step);
  if (key !== undefined) return nameToShown(`${name} (${key})`);
  return nameToShown(count === '0' ? name : `${name} (${Number(count) + 1})`);
}

/** ": message" of a recorded error, or its name, or nothing. */
export function errorTail(data: JsonObject): string {
  const message = textAt(data, 'error', 'message') ?? textAt(data, 'error', 'name') ?? textOf(memberOf(data, 'error'));
  const line = message?.replace(/\s+/g, ' ').trim() ?? '';
  return line === '' ? '' : `: ${cut(line, longest)}`;
}

/** " label value" when the value is recorded. */
export function tail(label: string, value: string | undefined): string {
  return value === undefined || value === '' ? '' : ` ${label}${label === '' ? '' : ' '}${value}`;
}
