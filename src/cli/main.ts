/**
 * The `hindcast` command: reads arguments, runs one command, prints its outcome. Bundled for Node by `src/tools`.
 */
import { parseArgs } from 'node:util';
import { type OpenSettings, runCheck } from './check.ts';
import { runCompare } from './compare.ts';
import { runExport } from './export.ts';
import { runGoldenPin, runGoldenRun } from './golden.ts';
import { helpText } from './help.ts';
import { type Outcome, defectToFailure, linesToTerminal, toTerminal, unusable } from './output.ts';
import { createProgressLine } from './progress.ts';
import { runRecovery } from './recovery.ts';
import { runRedact } from './redact.ts';
import { runReplayCommand } from './replay.ts';
import { runReplaySet } from './replay-set.ts';
import { isSchemaName, runSchema } from './schema.ts';
import { runSimulate } from './simulate.ts';
import { runSurvey } from './survey.ts';
import { ignoredOptions, misuse } from './usage.ts';

const progress = createProgressLine({
  write: (text) => process.stderr.write(text),
  isTerminal: process.stderr.isTTY,
  now: () => performance.now(),
});

async function run(args: readonly string[]): Promise<Outcome> {
  const options = {
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
    'accept-future': { type: 'boolean', default: false },
    'allow-huge': { type: 'boolean', default: false },
    edit: { type: 'string' },
    program: { type: 'string' },
    run: { type: 'string' },
    set: { type: 'boolean', default: false },
    format: { type: 'string' },
    trace: { type: 'string' },
    to: { type: 'string' },
    markdown: { type: 'boolean', default: false },
    output: { type: 'string', short: 'o' },
    policy: { type: 'string' },
    keep: { type: 'string' },
    claim: { type: 'string' },
    envelope: { type: 'string' },
    ledger: { type: 'string' },
    tolerance: { type: 'string' },
    hold: { type: 'string' },
    branch: { type: 'string' },
    name: { type: 'string' },
    reason: { type: 'string' },
    property: { type: 'string', multiple: true },
    exempt: { type: 'string', multiple: true },
    strict: { type: 'boolean', default: false },
    path: { type: 'string' },
    boundary: { type: 'string' },
    strategy: { type: 'string' },
    'model-varies': { type: 'boolean', default: false },
  } as const;
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    return misuse(
      toOptionSentence(error),
      args.find((arg) => !arg.startsWith('-')),
      args.includes('--json'),
    );
  }
  const { values, positionals } = parsed;
  const [command, ...files] = positionals;
  const misused = (sentence: string): Outcome => misuse(sentence, command, values.json);
  if (values.help || command === 'help') return { code: 0, out: helpText };
  const act = command === 'golden' ? `golden ${files[0] ?? ''}` : values.set ? `${command ?? ''} --set` : command;
  const ignored = act === undefined ? undefined : ignoredOptions(act, optionsGiven(values));
  if (ignored !== undefined) return misused(ignored);
  const settings = {
    json: values.json,
    acceptFuture: values['accept-future'],
    allowHuge: values['allow-huge'],
    format: values.format,
    trace: values.trace,
    ...(values.json ? {} : { onProgress: progress.tell }),
  };
  const [file] = files;
  switch (command) {
    case 'check':
      if (file === undefined) return misused('check takes a file or folder, or several that belong together.');
      return runCheck(files, settings);
    case 'replay':
      if (values.set) return runSet(files, values.program, settings, misused);
      if (file === undefined || files.length > 1) return misused('replay takes one file or folder.');
      return runReplayCommand(file, { ...settings, edit: values.edit, program: values.program, run: values.run });
    case 'compare':
      if (file === undefined || files.length > 2) return misused('compare takes one or two files or folders.');
      return runCompare(files, { ...settings, run: values.run, branch: values.branch });
    case 'redact':
      if (file === undefined || files.length > 1) return misused('redact takes one file or folder.');
      if (values.output === undefined) return misused('redact needs a name for the copy: -o OUT.');
      return runRedact(file, { ...settings, out: values.output, policy: values.policy, keep: values.keep });
    case 'export':
      if (file === undefined) return misused('export takes a file or folder, or several that belong together.');
      if (values.output === undefined) return misused('export needs a name for the file: -o OUT.');
      return runExport(files, {
        ...settings,
        to: values.to,
        out: values.output,
        branch: values.branch,
        run: values.run,
      });
    case 'recovery':
      if (file === undefined) return misused('recovery takes files or folders of trials.');
      return runRecovery(files, { ...values, ...settings });
    case 'golden':
      return runGolden(files, { ...values, ...settings }, misused);
    case 'simulate':
      if (file === undefined || files.length > 1) return misused('simulate takes one file or folder.');
      return runSimulate(file, { ...values, ...settings, modelVaries: values['model-varies'] });
    case 'survey':
      if (file === undefined || files.length > 1) return misused('survey takes one folder.');
      return runSurvey(file, { ...settings, markdown: values.markdown });
    case 'schema':
      if (files.length > 1) return misused('schema takes one name: event, claim or golden.');
      if (file !== undefined && !isSchemaName(file)) return misused(`There is no schema "${file}".`);
      return runSchema(file);
    case undefined:
      return misused('No command was given.');
    default:
      return misused(`There is no command "${command}".`);
  }
}

/** Progress is for people: it goes to standard error, and not where a program reads the result. */
function showProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}

type Misused = (sentence: string) => Outcome;

function runSet(
  files: readonly string[],
  program: string | undefined,
  settings: OpenSettings,
  misused: Misused,
): Outcome | Promise<Outcome> {
  if (files.length === 0) return misused('replay --set takes files or folders of recorded runs.');
  if (program === undefined) return misused('replay --set needs the changed program: --program FILE.');
  return runReplaySet(files, { ...settings, program, onProgress: settings.json ? undefined : showProgress });
}

interface GoldenValues extends OpenSettings {
  readonly output?: string | undefined;
  readonly program?: string | undefined;
  readonly run?: string | undefined;
  readonly branch?: string | undefined;
  readonly name?: string | undefined;
  readonly reason?: string | undefined;
  readonly property?: readonly string[] | undefined;
  readonly exempt?: readonly string[] | undefined;
  readonly strict: boolean;
}

function runGolden(
  [act, ...paths]: readonly string[],
  values: GoldenValues,
  misused: Misused,
): Outcome | Promise<Outcome> {
  const [path] = paths;
  const { output: out } = values;
  if (act === 'run' && path !== undefined) return runGoldenRun(paths, { ...values, out });
  if (act !== 'pin' || path === undefined || paths.length > 1)
    return misused('golden takes pin with one file or folder, or run with folders of golden cases.');
  if (out === undefined) return misused('golden pin needs a folder for the case: -o DIR.');
  return runGoldenPin(path, { ...values, out, properties: values.property ?? [], exempt: values.exempt ?? [] });
}

/** Options that stand on the command line; flags that were not given are false. */
function optionsGiven(values: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(values).filter((name) => values[name] !== undefined && values[name] !== false);
}

/** The parser's own sentence, ended as one. */
function toOptionSentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const unknown = /^Unknown option '([^']+)'/.exec(text);
  if (unknown !== null) return `There is no option ${unknown[1] ?? ''}.`;
  return text.endsWith('.') || text.endsWith('"') ? text : `${text}.`;
}

const args = process.argv.slice(2);
// A reader that stops early, such as `head`, has had what it wanted; any other failure of the output is one.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
// A defect must not look like findings, whose code is that of an uncaught exception.
const outcome = await run(args).catch((error: unknown) => unusable(defectToFailure(error), args.includes('--json')));
progress.end();
if (outcome.problem !== undefined) process.stderr.write(`${linesToTerminal(outcome.problem)}\n`);
if (outcome.out !== undefined) {
  const isData = args.includes('--json') || args[0] === 'schema';
  process.stdout.write(`${isData ? toTerminal(outcome.out) : linesToTerminal(outcome.out)}\n`);
}
process.exitCode = outcome.code;
