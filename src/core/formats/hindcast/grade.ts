/**
 * What a replay of an own stream could do, and what it lacks: told from the fields of mapping.md that are present or absent.
 */
import { type JsonValue, isHole } from '../../base/json.ts';
import { type HindcastEvent, isContentReference } from '../../model/index.ts';
import type { ImportSummary } from '../format.ts';
import { programsFor } from '../reference-programs.ts';

export interface GradeWatch {
  readonly see: (event: HindcastEvent) => void;
  readonly grade: () => Pick<ImportSummary, 'replayGrade' | 'missingForReplay'>;
}

const issuing: ReadonlySet<string> = new Set([
  'model_call.requested',
  'tool_call.dispatched',
  'timer.started',
  'signal.awaited',
  'approval.requested',
  'agent.spawned',
  'state.transitioned',
  'decision.made',
  'env.read',
]);

/** Types whose final record gives control code a value or an error. */
const answering: ReadonlySet<string> = new Set([
  'model_call.completed',
  'model_call.failed',
  'tool_call.completed',
  'tool_call.failed',
  'tool_call.timed_out',
  'agent.joined',
]);

/** Fields in the order in which their absence matters, each with its words. */
const fields = {
  program: 'the control program (run.started data.program)',
  source: 'the source text of the control program (data.program.source)',
  input: 'the input of the run (run.started data.input)',
  seed: 'the seed of derived draws (run.started data.seed)',
  commands: 'requests of the control program (dispatched, requested or issued events with a "command" field)',
  positions: 'positions of issues and deliveries (command.issued, command.delivered)',
  args: 'digests of arguments (command.args)',
  values: 'values that control code received (data.result or data.error of final events)',
} as const;

type Field = keyof typeof fields;

export function createGradeWatch(): GradeWatch {
  const missing = new Set<Field>();
  const sources: JsonValue[] = [];
  const stored = new Set<string>();
  const formats = new Set<string>();
  let programs = 0;
  let commands = 0;
  let finals = 0;

  function see(event: HindcastEvent): void {
    if (event.type === 'content.stored') stored.add(event.data.digest);
    if (event.type === 'run.started') {
      if (event.imported !== undefined) formats.add(event.imported.format);
      const { program, input, seed, draws } = event.data;
      if (program === undefined) missing.add('program');
      else {
        programs++;
        if (program.source === undefined || isHole(program.source)) missing.add('source');
        else sources.push(program.source);
      }
      if (input === undefined || isHole(input)) missing.add('input');
      if (seed === undefined && draws !== 'recorded') missing.add('seed');
    }
    const { command } = event;
    // What a replay wrote is a result, not a source: the original's fields decide.
    if (command === undefined || event.replay !== undefined) return;
    if (issuing.has(event.type)) {
      commands++;
      if (command.issued === undefined) missing.add('positions');
      if (command.args === undefined) missing.add('args');
    }
    if (command.delivered !== undefined) finals++;
    if (answering.has(event.type) && command.delivered !== undefined) {
      const data: Readonly<Record<string, unknown>> = { ...event.data };
      const { result, error } = data;
      if ((result === undefined || isHole(result)) && error === undefined) missing.add('values');
    }
  }

  /** An export of an imported trace keeps the format it came from, whose loop may be known. */
  function isKnownLoop(): boolean {
    return formats.size > 0 && [...formats].every((format) => programsFor(format).length > 0);
  }

  function grade(): Pick<ImportSummary, 'replayGrade' | 'missingForReplay'> {
    if (programs === 0) missing.add('program');
    if (sources.some((source) => isContentReference(source) && !stored.has(source.$ref))) missing.add('source');
    if (commands === 0) missing.add('commands');
    else if (finals === 0) missing.add('positions');
    const order = (Object.keys(fields) as Field[]).filter((field) => missing.has(field));
    return { replayGrade: gradeOf(missing, isKnownLoop()), missingForReplay: order.map((field) => fields[field]) };
  }

  return { see, grade };
}

function gradeOf(missing: ReadonlySet<Field>, isKnownLoop: boolean): ImportSummary['replayGrade'] {
  if (missing.size === 0) return 'full';
  if (missing.has('commands') || missing.has('values')) return 'none';
  if (missing.has('program') || missing.has('source'))
    return missing.has('positions') ? 'none' : isKnownLoop ? 'tool loop only' : 'original code only';
  return missing.has('input') ? 'mostly' : 'nearly';
}
