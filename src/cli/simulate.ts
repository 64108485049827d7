/**
 * `hindcast simulate FILE [--path P] [--json]`: what would have happened if the worker had died, at every boundary, under every design.
 *
 * Simulated over the record; nothing real is touched.
 */
import {
  type Boundary,
  type SimulatedSweep,
  type SimulatedTrial,
  type Strategy,
  boundaries,
  simulateSweep,
  sweepToSentence,
  strategies,
  boundaryLabels,
  boundaryWords,
  traitsOf,
} from '../core/simulate/index.ts';
import { loadSandbox } from '../platform/sandbox/node.ts';
import type { OpenSettings } from './check.ts';
import { type RunChoice, runToText, toRunChoice } from './choice.ts';
import { toOutput } from './left-out.ts';
import { openPaths } from './opened.ts';
import { type ExitCode, linesToText, type Outcome, unusable } from './output.ts';
import { createStop } from './program.ts';

export interface SimulateSettings extends OpenSettings {
  readonly run?: string | undefined;
  readonly path?: string | undefined;
  readonly boundary?: string | undefined;
  readonly strategy?: string | undefined;
  readonly modelVaries: boolean;
}

export async function runSimulate(file: string, settings: SimulateSettings): Promise<Outcome> {
  const { json, run, path } = settings;
  const boundary = boundaries.find((one) => one === settings.boundary);
  const strategy = strategies.find((one) => one === settings.strategy);
  if (boundary === undefined && settings.boundary !== undefined) return misnamed('boundary', boundaries, json);
  if (strategy === undefined && settings.strategy !== undefined) return misnamed('strategy', strategies, json);
  const opened = await openPaths([file], settings);
  if (!opened.ok) return unusable(opened.error, json);
  const { source } = opened.value;
  const events = Array.from({ length: source.count }, (_, position) => source.at(position));
  const swept = await simulateSweep({
    events,
    sandbox: await loadSandbox(),
    modelVaries: settings.modelVaries,
    shouldStop: createStop(),
    ...(run === undefined ? {} : { run }),
    ...(path === undefined ? {} : { paths: [path] }),
    ...(boundary === undefined ? {} : { boundaries: [boundary] }),
    ...(strategy === undefined ? {} : { strategies: [strategy] }),
  });
  if (!swept.ok) return unusable({ code: 'refused', message: swept.error }, json);
  const code = sweepToCode(swept.value);
  const choice = toRunChoice(events, run);
  const tellsStories = boundary !== undefined;
  const text = sweepToText(swept.value, tellsStories, choice);
  const out = toOutput(json, { ...swept.value, runs: choice.runs }, text, opened.value.leftOut());
  return { code, out };
}

function misnamed(option: string, known: readonly string[], json: boolean): Outcome {
  return unusable({ code: 'usage', message: `--${option} takes one of ${known.join(', ')}.` }, json);
}

/** The naive restart is meant to fail; what fails beyond it is a finding. */
function sweepToCode({ suspect, trials }: SimulatedSweep): ExitCode {
  return suspect || trials.some((trial) => trial.strategy !== 'naive' && isBad(trial)) ? 1 : 0;
}

function isBad({ duplicates, losses, completed }: SimulatedTrial): boolean {
  return duplicates > 0 || losses.length > 0 || !completed;
}

function sweepToText(sweep: SimulatedSweep, tellsStories: boolean, choice: RunChoice): string {
  const lines = [
    `Simulated kills of run ${runToText(sweep.run, choice)}, program ${sweep.program}: what the rules of the simulation give, not a measurement.`,
    'A cell is commitments of the struck effect; d answered from a key, m models asked again, D other effects doubled, L lost, X not completed.',
  ];
  lines.push(
    `Boundaries: ${sweep.boundaries.map((one) => `${boundaryLabels[one]} ${boundaryWords[one]}`).join('; ')}.`,
  );
  lines.push('', sweepToSentence(sweep));
  for (const path of sweep.effects) lines.push('', path, ...toTable(sweep, path));
  for (const { path, why } of sweep.notSwept) lines.push('', `${path} is not struck: ${why}.`);
  if (sweep.suspect) lines.push('', 'SUSPECT: nothing may be concluded.', ...sweep.causes.map((cause) => `- ${cause}`));
  const assumptions = new Set([...sweep.controls, ...sweep.trials].flatMap((trial) => trial.assumptions));
  if (assumptions.size > 0) lines.push('', 'Assumed', ...[...assumptions].map((text) => `- ${text}`));
  if (tellsStories) for (const trial of sweep.trials) lines.push('', ...toStory(trial));
  return linesToText(lines);
}

function toTable(sweep: SimulatedSweep, path: string): readonly string[] {
  const head = ['', 'control', ...sweep.boundaries];
  const rows = sweep.strategies.map((strategy) => [
    traitsOf[strategy].label,
    ...cells(sweep, strategy, path).map((trial) => (trial === undefined ? '' : toCell(trial))),
  ]);
  const widths = head.map((_, n) => Math.max(...[head, ...rows].map((row) => row[n]?.length ?? 0)));
  return [head, ...rows].map((row) => `  ${row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ')}`.trimEnd());
}

function cells(sweep: SimulatedSweep, strategy: Strategy, path: string): readonly (SimulatedTrial | undefined)[] {
  const at = (boundary: Boundary): SimulatedTrial | undefined =>
    sweep.trials.find((t) => t.strategy === strategy && t.kill?.path === path && t.kill.boundary === boundary);
  return [sweep.controls.find((control) => control.strategy === strategy), ...sweep.boundaries.map(at)];
}

function toCell(trial: SimulatedTrial): string {
  const others = trial.duplicates - Math.max(0, trial.committed - 1);
  const marks = [
    trial.deduplicated > 0 ? 'd' : '',
    trial.extraModelCalls > 0 ? ` m${String(trial.extraModelCalls)}` : '',
    trial.kill !== undefined && others > 0 ? ` D${String(others)}` : '',
    trial.losses.length > 0 ? ` L${String(trial.losses.length)}` : '',
    trial.completed ? '' : ' X',
  ];
  return `${String(trial.committed)}${marks.join('')}`;
}

function toStory({ strategy, kill, sentence, story }: SimulatedTrial): readonly string[] {
  const place = kill === undefined ? 'nothing killed' : `${kill.path} at ${kill.boundary}`;
  const lines = story.map(({ life, type, path, text }) =>
    [`  ${String(life)}`, type.padEnd(26), path ?? '', text].filter((part) => part !== '').join('  '),
  );
  return [`${traitsOf[strategy].label}, ${place}: ${sentence}`, ...lines];
}
