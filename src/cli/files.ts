/**
 * Files read one by one: sets of runs are many traces, each by itself, where `opened.ts` makes one trace of what belongs together.
 */
import { type Result, err, ok } from '../core/base/result.ts';
import type { Problem, SourceFile } from '../core/formats/format.ts';
import { importFiles } from '../core/formats/import.ts';
import type { HindcastEvent } from '../core/model/index.ts';
import { type LeftOut, createLeftOutLog } from './left-out.ts';

export interface ReadTrace {
  readonly name: string;
  readonly events: readonly HindcastEvent[];
  readonly problems: readonly Problem[];
  readonly leftOut: LeftOut;
}

export interface ReadSettings {
  readonly acceptFuture: boolean;
  readonly allowHuge: boolean;
}

export async function readTrace(source: SourceFile, settings: ReadSettings): Promise<Result<ReadTrace, string>> {
  const { acceptFuture, allowHuge } = settings;
  const reading = importFiles([source], { acceptFuture, allowHuge });
  const events: HindcastEvent[] = [];
  const problems: Problem[] = [];
  const log = createLeftOutLog();
  for (;;) {
    const step = await reading.next();
    if (step.done === true)
      return step.value.ok
        ? ok({ name: source.name, events, problems, leftOut: log.end() })
        : err(step.value.error.message);
    log.add(step.value);
    for (const problem of step.value.problems) problems.push(problem);
    for (const { event } of step.value.events) events.push(event);
  }
}
