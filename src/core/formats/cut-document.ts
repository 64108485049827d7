/**
 * JSON documents that end in the middle: where they end, and what they would be if they had been closed there.
 *
 * Called by `opened-set.ts` for files that no format knows, so that a file that was cut off is told as one and is read as far as it
 * goes, and by `import.ts`, so that no file that was cut off looks whole.
 */
import type { CutDocument } from './decode/open-document.ts';
import { createDocumentScanner } from './decode/open-document.ts';
import { findElements } from './elements.ts';
import type { Problem, Sniff, SourceFile } from './format.ts';

/** Where the first document of a file ends, if the file ends before it does; undefined for a document that is whole. */
export async function findCut(file: SourceFile): Promise<CutDocument | undefined> {
  const scanner = createDocumentScanner();
  for await (const chunk of file.open()) scanner.push(chunk);
  return scanner.end();
}

const nothingWanted: ReadonlySet<string> = new Set();

/** The beginning of a file with what is open in it closed behind the last whole value; undefined where nothing is open. */
export function closeSniff(sniff: Sniff): Sniff | undefined {
  const [frame] = findElements(sniff.bytes, nothingWanted).frames;
  if (frame === undefined || frame.ended) return undefined;
  return { text: new TextDecoder().decode(frame.bytes), bytes: frame.bytes, whole: true };
}

/** For a reader that found every record whole, and did not miss the brackets behind them. */
export function cutToProblem(file: string, { bytes, line }: CutDocument): Problem {
  const message = `${file} ends in the middle: its JSON document is not closed at byte ${bytes} (line ${line}). The whole records before that are used; fetch or copy the whole file again to see whether more followed.`;
  return { code: 'document-cut-off', message, place: { file, line, offset: bytes }, severity: 'problem' };
}

/** Whether a problem says already that its file ends in the middle, or why a record at its beginning has no end: it is a damaged line. */
export function tellsCut({ code }: Problem): boolean {
  return /cut-off|^truncated-|-truncated$|^damaged-line$/.test(code);
}
