/**
 * Tells which records were merged into which, in as few notices as possible: a file opened twice is one sentence, not a million.
 */
import type { Problem } from './format.ts';
import type { RecordPlace } from './seen.ts';

export interface CopyLog {
  readonly add: (copy: RecordPlace, first: RecordPlace) => void;
  /** The notices so far; ends a run of neighbouring lines. */
  readonly take: () => readonly Problem[];
}

interface Run {
  readonly copy: RecordPlace;
  readonly first: RecordPlace;
  length: number;
  /** How far the first record moves from one copy to the next: with it, or not at all. Not known of one. */
  step?: number;
}

export function createCopyLog(names: readonly string[]): CopyLog {
  let run: Run | undefined;
  let notices: Problem[] = [];

  function close(): void {
    if (run !== undefined) notices.push(runToNotice(names, run));
    run = undefined;
  }

  return {
    add: (copy, first) => {
      if (run !== undefined && follows(run, copy, first)) {
        run.step ??= first.line - run.first.line;
        run.length++;
        return;
      }
      close();
      run = { copy, first, length: 1 };
    },
    take: () => {
      close();
      const taken = notices;
      notices = [];
      return taken;
    },
  };
}

/** The next line of the same pair of files: at the same distance, or a copy of the same line once more. */
function follows({ copy: from, first: of, length, step }: Run, copy: RecordPlace, first: RecordPlace): boolean {
  const moved = first.line - of.line;
  return (
    copy.file === from.file &&
    first.file === of.file &&
    copy.line === from.line + length &&
    (step === undefined ? moved === 0 || moved === 1 : moved === step * length)
  );
}

function runToNotice(names: readonly string[], { copy, first, length, step }: Run): Problem {
  const file = names[copy.file] ?? '';
  const lines = (from: number, count: number): string =>
    count === 1 ? `line ${from}` : `lines ${from} to ${from + count - 1}`;
  const sources = step === 0 ? 1 : length;
  const are = `${length === 1 ? 'is' : 'are'} the same ${sources === 1 ? 'record' : 'records'} as`;
  const message = `${capital(lines(copy.line, length))} of ${file} ${are} ${lines(first.line, sources)} of ${names[first.file] ?? ''}; counted once.`;
  return { code: 'same-record', message, place: { file, line: copy.line, offset: 0 }, severity: 'notice' };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
