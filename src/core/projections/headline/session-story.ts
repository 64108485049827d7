/**
 * What a session was about: what was asked, what was answered last, which calls failed, which files were changed.
 *
 * Invariant: words are those of the record, cut, each linked to it; a file counts as changed where a call that writes it by its own name
 * or patch has an answer that is no failure. Nothing is told that no record says. Called by the story of a run.
 */
import { type JsonObject, type JsonValue, isJsonArray } from '../../base/json.ts';
import { memberOf, textAt } from '../../causal/index.ts';
import { eventToVerdict } from '../../model/index.ts';
import { answerToLine, messageToLine } from '../message-line.ts';
import { patchToFiles } from '../telling.ts';
import { cut } from '../title-words.ts';
import type { HeadlineSpan } from '../trace-reader.ts';
import type { TraceView } from '../trace-view.ts';
import { linked, linkedList, plain } from './spans.ts';

/** What is quoted begins a sentence; the rest is one press away. */
const longestWords = 90;
/** Answers looked through from the end for one with words; calls of which more are not read one by one. */
const answersRead = 40;
const callsRead = 5000;
const filesTold = 3;
const verdictsTold = 4;

/** "Asked: “…”. Last answer: “…”." Empty where nobody is recorded to have asked anything in words. */
export function viewToAbout(view: TraceView, runs: number): readonly HeadlineSpan[] {
  const { index } = view;
  const task = findTask(view);
  const judged = verdictsOf(view);
  const verdicts = judged.length === 0 ? [] : [...linkedList(judged, verdictsTold), plain('.')];
  if (task === undefined) return verdicts.length === 0 ? [] : [plain('Evaluated: '), ...verdicts];
  // Of several runs each had a question and an answer of its own.
  const last = runs > 1 ? undefined : findLastAnswer(view);
  return [
    plain(runs > 1 ? 'Asked first: ' : 'Asked: '),
    linked(quote(task.words), index.id(task.position)),
    ...(last === undefined
      ? [plain('.')]
      : [plain('. Last answer: '), linked(quote(last.words), index.id(last.position)), plain('.')]),
    ...(verdicts.length === 0 ? [] : [plain(' Evaluated: '), ...verdicts]),
  ];
}

/** Scores, rewards, mistakes, each with how often it stands there, the most frequent first. */
function verdictsOf(view: TraceView): readonly HeadlineSpan[] {
  const judging = view.ofType('annotation.made', 'run.completed', 'run.failed').slice(0, callsRead);
  const counts = new Map<string, { readonly first: number; count: number }>();
  for (const position of judging) {
    const verdict = eventToVerdict(view.index.type(position), view.data(position));
    const known = verdict === undefined ? undefined : counts.get(verdict);
    if (known !== undefined) known.count++;
    else if (verdict !== undefined) counts.set(verdict, { first: position, count: 1 });
  }
  return [...counts]
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([verdict, { first, count }]) =>
      linked(count === 1 ? verdict : `${verdict} (${String(count)}×)`, view.index.id(first)),
    );
}

function quote(words: string): string {
  return `“${cut(words, longestWords)}”`;
}

interface Said {
  readonly words: string;
  readonly position: number;
}

function findTask(view: TraceView): Said | undefined {
  for (const position of view.ofType('input.received', 'message.sent').slice(0, answersRead)) {
    const data = view.data(position);
    const isAsked = view.index.type(position) === 'input.received' || textAt(data, 'role') === 'user';
    const words = isAsked ? messageToLine(memberOf(data, 'value') ?? memberOf(data, 'content')) : undefined;
    if (words !== undefined) return { words, position };
  }
  for (const position of view.ofType('run.started').slice(0, 1)) {
    const words = messageToLine(memberOf(view.data(position), 'input'));
    if (words !== undefined) return { words, position };
  }
  return undefined;
}

function findLastAnswer(view: TraceView): Said | undefined {
  const outcome = findOutcome(view);
  if (outcome !== undefined) return outcome;
  const answers = view.ofType('model_call.completed', 'message.sent').slice(-answersRead);
  for (let at = answers.length - 1; at >= 0; at--) {
    const position = answers[at] ?? 0;
    const words = answerAt(view, position);
    if (words !== undefined) return { words, position };
  }
  return undefined;
}

/** The answer that a harness kept as the outcome of the run: what a grader said comes after it. */
function findOutcome(view: TraceView): Said | undefined {
  const position = view.ofType('run.completed').at(-1);
  if (position === undefined) return undefined;
  const choices = memberOf(memberOf(view.data(position), 'result'), 'choices');
  const message = isJsonArray(choices) ? memberOf(choices[0], 'message') : undefined;
  const words = messageToLine(memberOf(message, 'content'));
  return words === undefined ? undefined : { words, position };
}

function answerAt(view: TraceView, position: number): string | undefined {
  const data = view.data(position);
  if (view.index.type(position) === 'message.sent')
    return textAt(data, 'role') === 'assistant' ? messageToLine(memberOf(data, 'content')) : undefined;
  return answerToLine(data);
}

/** What became of the calls: those that failed, and the files they changed; each with a word before it, to follow "and called …". */
export function viewToOutcome(view: TraceView): readonly (readonly HeadlineSpan[])[] {
  const { index } = view;
  const answered = view.ofType('tool_call.completed', 'tool_call.failed', 'tool_call.timed_out');
  if (answered.length > callsRead) return [];
  const failed = answered.filter((position) => index.type(position) !== 'tool_call.completed');
  const ended = answered.filter((position) => {
    if (index.type(position) !== 'tool_call.completed') return false;
    const code = textAt(view.data(position), 'exit_code');
    return code !== undefined && code !== '0';
  });
  const files = changedFiles(view);
  const count = (list: readonly number[], one: string, many: string): HeadlineSpan =>
    linked(`${String(list.length)} ${list.length === 1 ? one : many}`, index.id(list[0] ?? 0));
  return [
    ...(failed.length === 0 ? [] : [[count(failed, 'call failed', 'calls failed')]]),
    ...(ended.length === 0
      ? []
      : [
          [
            count(
              ended,
              'command ended with an exit code other than 0',
              'commands ended with an exit code other than 0',
            ),
          ],
        ]),
    ...(files.length === 0 ? [] : [[plain('changed '), ...linkedList(files, filesTold)]]),
  ];
}

/** Tools that write the file they name. */
const writers =
  /^(?:write|edit|multi_?edit|notebook_?edit|create_?file|write_?(?:to_)?file|edit_?file|replace(?:_in_file)?|str_?replace\w*|apply_?patch)$/i;

function changedFiles(view: TraceView): readonly HeadlineSpan[] {
  const { index } = view;
  const files = new Map<string, number>();
  const calls = view.ofType('tool_call.dispatched');
  if (calls.length > callsRead) return [];
  for (const position of calls) {
    const data = view.data(position);
    const named = callToFiles(data);
    if (named.length === 0 || !view.effectsOf(position).some(({ to }) => index.type(to) === 'tool_call.completed'))
      continue;
    for (const file of named) if (!files.has(file)) files.set(file, position);
  }
  return [...files].map(([file, position]) => linked(fileToName(file), index.id(position)));
}

function callToFiles(data: JsonObject): readonly string[] {
  const args = memberOf(data, 'args');
  const tool = textAt(data, 'tool') ?? '';
  const patched = argsToTexts(args).flatMap((text) => patchToFiles(text).map(({ file }) => file));
  if (patched.length > 0) return patched;
  if (!writers.test(tool) || textAt(args, 'command') === 'view') return [];
  const file = textAt(args, 'file_path') ?? textAt(args, 'path') ?? textAt(args, 'notebook_path');
  return file === undefined ? [] : [file];
}

function argsToTexts(args: JsonValue | undefined): readonly string[] {
  if (typeof args === 'string') return [args];
  const members =
    isJsonArray(args) || args === undefined ? [] : ['command', 'input', 'patch'].map((name) => memberOf(args, name));
  return members.flatMap((member) => {
    if (isJsonArray(member)) return member.filter((word) => typeof word === 'string');
    return typeof member === 'string' ? [member] : [];
  });
}

function fileToName(file: string): string {
  return cut(file.split(/[\\/]/).at(-1) ?? file, 60);
}
