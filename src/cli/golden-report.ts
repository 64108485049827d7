/**
 * What `hindcast golden` says, as plain objects and as text. README.md documents every member.
 */
import type { Golden, GoldenResult, PropertyStatus } from '../core/golden/index.ts';
import { type RunChoice, runToText } from './choice.ts';
import { verdictToWords } from '../core/replay/index.ts';
import { type ExitCode, linesToText } from './output.ts';

/** A case that was read and could not be run. */
export interface NotRun {
  readonly file: string;
  readonly message: string;
}

/** A case that was not run is no verdict, and no pass: 2 as for any input that cannot be used. */
export function goldenRunToCode(
  results: readonly GoldenResult[],
  notRun: readonly NotRun[],
  strict: boolean,
): ExitCode {
  if (notRun.length > 0) return 2;
  const fails = results.some(({ passes, counts }) => !passes || (strict && counts['not-decided'] > 0));
  return fails ? 1 : 0;
}

export function goldenRunToJson(results: readonly GoldenResult[], notRun: readonly NotRun[]): object {
  return {
    notRun,
    cases: results.map(({ lines, properties, operation, ...rest }) => ({
      ...rest,
      operation: operation ?? null,
      lines: lines.length,
      properties: properties.map(({ property, status, sentence, actual }) => ({
        ...property,
        status,
        sentence,
        actual,
      })),
    })),
  };
}

const printed: readonly PropertyStatus[] = ['broken', 'not-decided', 'exempt'];

export function goldenRunToText(results: readonly GoldenResult[], notRun: readonly NotRun[]): string {
  return linesToText([
    ...results.flatMap(resultToLines),
    ...notRun.flatMap(({ file, message }) => [`NOT RUN  ${file}`, `  ${message}`]),
  ]);
}

function resultToLines({
  name,
  passes,
  counts,
  properties,
  result,
  branch,
  set,
  program,
  verdict,
}: GoldenResult): string[] {
  const told = Object.entries(counts).filter(([, count]) => count > 0);
  const lines = [
    `${passes ? 'passes' : 'FAILS'}  ${name}: ${told.map(([status, count]) => `${String(count)} ${count !== 1 && status === 'holds' ? 'hold' : toWords(status)}`).join(', ')}`,
    `  Replay ${result}, branch ${branch}`,
    `  Verdict ${verdictToWords(verdict)}`,
    `  Set ${set}`,
    `  Program ${program.after}${program.after === program.before ? ', the recorded one' : ''}`,
  ];
  for (const status of printed)
    for (const one of properties)
      if (one.status === status) lines.push(`  ${toWords(status)}: ${one.property.id}`, `    ${one.sentence}`);
  return lines;
}

function toWords(status: string): string {
  return status.replace('-', ' ');
}

export function pinToText(golden: Golden, out: string, choice: RunChoice): string {
  const { name, properties, set, branch, exempt, run } = golden;
  const lines = [
    `Pinned ${name} in ${out}: ${String(properties.length)} ${properties.length === 1 ? 'property' : 'properties'} of ${branch}.`,
    `Run ${runToText(run, choice)}`,
    `Set ${set}`,
  ];
  for (const { id } of properties) lines.push(`- ${id}`);
  if (exempt.length > 0) lines.push(`Exempt with what descends from them: ${exempt.join(', ')}`);
  return linesToText(lines);
}
