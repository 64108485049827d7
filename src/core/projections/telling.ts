/**
 * What a call was for, in one line: the argument of a tool that tells most, and the words of what a tool gave back.
 *
 * Invariant: told from the recorded arguments and answers alone by one rule for all tools, and cut at the end; what is withheld in a copy
 * is told as withheld. Called by titles, the transcript and the headline.
 */
import { type JsonObject, type JsonValue, isHole, isJsonArray, isJsonObject } from '../base/json.ts';
import { parseLossless, writeLossless } from '../base/lossless.ts';
import { memberOf, textAt, textOf } from '../causal/index.ts';
import { cut } from './title-words.ts';

/** Arguments that tell what a call does, the most telling first; the same names in other spellings count as these. */
const telling = [
  'command',
  'cmd',
  'commands',
  'script',
  'code',
  'path',
  'file_path',
  'notebook_path',
  'filename',
  'query',
  'q',
  'url',
  'pattern',
  'prompt',
  'description',
] as const;
const places = ['path', 'file_path', 'notebook_path', 'filename', 'file'] as const;

/** Texts read of a call; a patch or a program may be of megabytes. */
const mostRead = 4000;
const longestWithout = 200;
/** A list of more than these is data, no command. */
const mostWords = 256;
const withheld = '(withheld)';

/** Undefined where no argument says anything. Not cut: the caller knows how much can be shown. */
export function argsToTelling(recorded: JsonValue | undefined): string | undefined {
  if (recorded === undefined || recorded === null) return undefined;
  if (isHole(recorded)) return withheld;
  if (typeof recorded === 'string') {
    const read = textToJson(recorded);
    return isJsonObject(read) || isJsonArray(read) ? argsToTelling(read) : nonEmpty(commandToLine(recorded));
  }
  if (isJsonArray(recorded)) return listToLine(recorded);
  if (!isJsonObject(recorded)) return undefined;
  const key = telling.find((name) => argumentToLine(recorded[name]) !== undefined);
  if (key === undefined) return firstText(recorded);
  const line = argumentToLine(recorded[key]) ?? '';
  // A command that is a mere verb says what it does to what: "view src/app.ts".
  const place = /^[\w-]+$/.test(line) ? places.map((name) => textAt(recorded, name)).find(Boolean) : undefined;
  return place === undefined || place === line ? line : `${line} ${toLine(place)}`;
}

function argumentToLine(value: JsonValue | undefined): string | undefined {
  if (isHole(value)) return withheld;
  if (typeof value === 'string') return nonEmpty(commandToLine(value));
  return isJsonArray(value) ? listToLine(value) : undefined;
}

function listToLine(list: readonly JsonValue[]): string | undefined {
  const command = listToCommand(list);
  return command === undefined ? undefined : nonEmpty(commandToLine(command));
}

/** `["bash", "-lc", "ls"]` to "ls"; any other list of texts joined. */
function listToCommand(list: readonly JsonValue[]): string | undefined {
  const words = list.slice(0, mostWords).filter((word) => typeof word === 'string');
  if (words.length === 0 || words.length < list.length) return undefined;
  const [program = '', flag = ''] = words;
  const isShell = /(?:^|\/)(?:ba|z|da|k|fi)?sh$|(?:^|[\\/])(?:powershell|pwsh|cmd)(?:\.exe)?$/i.test(program);
  const isInner = isShell && words.length > 2 && /^(?:-\w*c|-command|\/c)$/i.test(flag);
  return (isInner ? words.slice(2) : words).join(' ');
}

/** A patch by the files it changes; any other text as one line. */
function commandToLine(text: string): string {
  const files = patchToFiles(text);
  if (files.length === 0) return toLine(text);
  const shown = files.slice(0, 3).map(({ verb, file }) => `${verb} ${toLine(file)}`);
  return `patch: ${shown.join(', ')}${files.length > shown.length ? ` and ${String(files.length - shown.length)} more` : ''}`;
}

interface PatchedFile {
  readonly verb: string;
  readonly file: string;
}

/** Files that a patch in the form of `apply_patch` names. */
export function patchToFiles(text: string): readonly PatchedFile[] {
  if (!text.includes('*** Begin Patch')) return [];
  return [...text.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)$/gm)].map(([, verb = '', file = '']) => ({
    verb: verb.toLowerCase(),
    file: file.trim(),
  }));
}

function firstText(args: JsonObject): string | undefined {
  for (const value of Object.values(args)) {
    if (isHole(value)) return withheld;
    if (typeof value !== 'string') continue;
    const isShort = value.length <= longestWithout || patchToFiles(value).length > 0;
    const line = isShort ? commandToLine(value) : '';
    if (line !== '') return line;
  }
  return undefined;
}

function toLine(text: string): string {
  return text.slice(0, mostRead).replace(/\s+/g, ' ').trim();
}

function nonEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}

/** JSON that stands in a text, as some producers write arguments and answers; undefined where it is a text like any other. */
function textToJson(text: string): JsonValue | undefined {
  const start = text.trimStart().charAt(0);
  if ((start !== '{' && start !== '[') || text.length > 4_000_000) return undefined;
  const parsed = parseLossless(text);
  return parsed.ok ? parsed.value : undefined;
}

/** Members that hold what was printed or said. */
const outputs = ['output', 'stdout', 'content', 'text', 'result'] as const;
/** What stands beside an output and is no part of it. */
const beside =
  /^(?:metadata|meta|_meta|exit_?code|return_?code|code|status|success|ok|is_?error|type|truncated|interrupted|is_?image|stderr|duration\w*|elapsed\w*|wall_time\w*|structuredContent|no_?output_?expected|command|cwd|annotations|cache_control|citations)$/i;

/**
 * The words of an answer, with their real lines, where it is a text inside JSON: `{"output": "a\nb", "metadata": …}`, parts of a message.
 * Undefined where the answer is data, which is shown as data.
 */
export function answerToWords(answer: JsonValue | undefined): string | undefined {
  if (typeof answer === 'string') {
    const read = textToJson(answer);
    return isJsonObject(read) || isJsonArray(read) ? answerToWords(read) : answer;
  }
  if (isJsonArray(answer)) return partsToWords(answer);
  if (!isJsonObject(answer) || isHole(answer)) return undefined;
  const key = outputs.find((name) => isWords(answer[name]));
  if (key === undefined || Object.keys(answer).some((name) => name !== key && !isBeside(name, answer[name])))
    return undefined;
  const value = answer[key];
  const said = isJsonArray(value) ? partsToWords(value) : textOf(value);
  const wrong = textAt(answer, 'stderr') ?? '';
  if (said === undefined) return undefined;
  return wrong.trim() === '' || key !== 'stdout' ? said : `${said}${said === '' ? '' : '\n'}${wrong}`;
}

function isWords(value: JsonValue | undefined): boolean {
  return typeof value === 'string' || (isJsonArray(value) && partsToWords(value) !== undefined);
}

function isBeside(name: string, value: JsonValue | undefined): boolean {
  return beside.test(name) || value === null || value === '';
}

/** A list that is texts and parts with a text, and nothing else. */
function partsToWords(list: readonly JsonValue[]): string | undefined {
  if (list.length === 0) return undefined;
  const texts: string[] = [];
  for (const part of list) {
    const text = isJsonObject(part) && isTextPart(part) ? memberOf(part, 'text') : undefined;
    if (typeof text !== 'string') return undefined;
    texts.push(text);
  }
  return texts.join('\n');
}

function isTextPart(part: JsonObject): boolean {
  return /^(?:(?:input|output)_)?text$/.test(textAt(part, 'type') ?? '');
}

/** Characters of it in a title. */
export const longestTelling = 96;

/** ": what it was for", cut; nothing where no argument says anything. */
export function tellingTail(args: JsonValue | undefined, limit = longestTelling): string {
  const line = argsToTelling(args);
  return line === undefined ? '' : `: ${cut(line, limit)}`;
}

/** Arguments as lines of a name and a value each, texts with their real lines; undefined where none of them is a text. */
export function argsToLines(recorded: JsonValue): string | undefined {
  const args = typeof recorded === 'string' ? textToJson(recorded) : recorded;
  if (!isJsonObject(args)) return undefined;
  const members = Object.entries(args).map(([name, value]) => ({ name, value, text: argumentToText(value) }));
  if (!members.some(({ text }) => text !== undefined) || members.some(({ name }) => name.startsWith('$')))
    return undefined;
  const [only, second] = members;
  if (second === undefined && only?.text !== undefined) return only.text;
  return members.map(({ name, value, text = writeLossless(value) }) => named(name, text)).join('\n');
}

function named(name: string, text: string): string {
  return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`;
}

function argumentToText(value: JsonValue): string | undefined {
  if (isHole(value)) return withheld;
  return typeof value === 'string' ? value : isJsonArray(value) ? listToCommand(value) : undefined;
}
