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
        run.length = copy.line - run.copy.line + 1;
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

/** The next line of the same pair of files, at the same distance. */
function follows(run: Run, copy: RecordPlace, first: RecordPlace): boolean {
  return (
    copy.file === run.copy.file &&
    first.file === run.first.file &&
    copy.line === run.copy.line + run.length &&
    copy.line - first.line === run.copy.line - run.first.line
  );
}

function runToNotice(names: readonly string[], { copy, first, length }: Run): Problem {
  const file = names[copy.file] ?? '';
  const lines = (from: number): string => (length === 1 ? `line ${from}` : `lines ${from} to ${from + length - 1}`);
  const are = length === 1 ? 'is the same record as' : 'are the same records as';
  const message = `${capital(lines(copy.line))} of ${file} ${are} ${lines(first.line)} of ${names[first.file] ?? ''}; counted once.`;
  return { code: 'same-record', message, place: { file, line: copy.line, offset: 0 }, severity: 'notice' };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
