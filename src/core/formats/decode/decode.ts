/**
 * The one decoder of page and command line: a raw file in, UTF-8 text bytes out, chunk by chunk.
 *
 * Owns unpacking (gzip with several members, zstd), UTF-16 and UTF-32, and the guard against archives that blow up. Nothing here throws for
 * bad input: what can still be used is handed out, and the report says what was wrong. Called by `import.ts` for every file.
 */
import type { ImportOptions, Problem, SourceFile, UnusableInput } from '../format.ts';
import {
  type Packing,
  type TextEncoding,
  bytesToEncoding,
  bytesToPacking,
  magicLength,
  unopenedContainer,
} from './magic.ts';
import { createGrowthGuard, tooLarge } from './growth.ts';
import { joinBytes } from './join-bytes.ts';
import { type CutDocument, createDocumentScanner } from './open-document.ts';
import { inSteps, takeStep } from './steps.ts';
import { type UnpackFault, type Unpacker, createGunzip, createUnzstd, toSlices } from './unpack.ts';
import { type Transcoder, createUtf16Transcoder } from './utf16.ts';
import { createUtf32Transcoder } from './utf32.ts';

export interface DecodeReport {
  packing: Packing;
  encoding: TextEncoding;
  bytesIn: number;
  bytesOut: number;
  readonly problems: Problem[];
  /** Where the file ends, if that is inside its first JSON document. Known after a reading to the end. */
  cut?: CutDocument | undefined;
  /** Why nothing of the trace may be used: the reading of this file ended early. */
  stopped?: UnusableInput | undefined;
}

export interface DecodedFile extends SourceFile {
  /** About the reading that got furthest. Complete once one reading has gone to the end. */
  readonly report: () => DecodeReport;
}

/** A source that knows more about its bytes than they say: a member of an archive. */
export interface RawFile extends SourceFile {
  /** Of any reading that has gone to the end. */
  readonly problems?: (() => readonly Problem[]) | undefined;
  /** Why nothing of it may be used, where a reading found that. */
  readonly stopped?: (() => UnusableInput | undefined) | undefined;
}

export type DecodeOptions = Pick<ImportOptions, 'signal' | 'onStep' | 'allowHuge'>;

export function decodeFile(file: RawFile, options: DecodeOptions = {}): DecodedFile {
  // A file is opened more than once, and a look at its beginning may come after the reading to the end was opened.
  const readings: DecodeReport[] = [];
  return {
    name: file.name,
    size: file.size,
    open: () => {
      const report = emptyReport();
      readings.push(report);
      return decodeChunks(file, options, report);
    },
    report: () => {
      const furthest = readings.reduce((best, next) => (isFurther(next, best) ? next : best), emptyReport());
      const more = file.problems?.() ?? [];
      const stopped = furthest.stopped ?? file.stopped?.();
      if (more.length === 0 && stopped === furthest.stopped) return furthest;
      return { ...furthest, problems: [...furthest.problems, ...more], stopped };
    },
  };
}

/** A fault stands at the end of what can be read, so the reading that tells of it got further than one that does not. */
function isFurther(one: DecodeReport, other: DecodeReport): boolean {
  if ((one.stopped === undefined) !== (other.stopped === undefined)) return one.stopped !== undefined;
  if (one.bytesIn !== other.bytesIn) return one.bytesIn > other.bytesIn;
  return one.problems.length >= other.problems.length;
}

function emptyReport(): DecodeReport {
  return { packing: 'plain', encoding: 'utf-8', bytesIn: 0, bytesOut: 0, problems: [] };
}

async function* decodeChunks(
  file: SourceFile,
  options: DecodeOptions,
  report: DecodeReport,
): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  let unpacker: Unpacker | undefined;
  let text: TextStage | undefined;
  const document = createDocumentScanner();
  const drain = (): readonly Uint8Array[] => {
    const chunks = ready.splice(0);
    if (chunks.length === 0) return chunks;
    text ??= createTextStage(file.name, report);
    return scan(chunks.map(text.push).filter((chunk) => chunk.length > 0));
  };
  const scan = (chunks: readonly Uint8Array[]): readonly Uint8Array[] => {
    for (const chunk of chunks) document.push(chunk);
    return chunks;
  };
  for await (const chunk of withHead(file.open(), magicLength)) {
    if (unpacker === undefined) {
      const sentence = unopenedContainer(chunk);
      if (sentence !== undefined) {
        report.stopped = { code: 'container', message: `${file.name} cannot be opened as it is. ${sentence}` };
        return;
      }
      report.packing = bytesToPacking(chunk);
      unpacker = createUnpacker(report.packing, createTake(file.name, options, report, ready, document.isOpen));
    }
    // What one slice unpacks to is handed on before the next: memory is bounded by what a slice can grow to.
    for (const slice of report.packing === 'plain' ? [chunk] : toSlices(chunk)) {
      report.bytesIn += slice.length;
      const fault = unpacker.push(slice);
      yield* inSteps(drain(), options);
      // Also after a slice that unpacked to nothing.
      await takeStep(options);
      if (report.stopped !== undefined) return;
      if (fault === undefined) continue;
      tellFault(file, fault, report);
      yield* scan(text?.finish() ?? []);
      return;
    }
  }
  const fault = unpacker?.finish();
  yield* inSteps(drain(), options);
  if (fault !== undefined && report.stopped === undefined) tellFault(file, fault, report);
  const rest = scan(text?.finish() ?? []);
  report.cut = document.end();
  yield* rest;
}

/** Takes what was unpacked into `ready`; false once no more of it may be used. */
function createTake(
  name: string,
  options: DecodeOptions,
  report: DecodeReport,
  ready: Uint8Array[],
  isInDocument: () => boolean,
): (bytes: Uint8Array) => boolean {
  const isGuarded = report.packing !== 'plain' && options.allowHuge !== true;
  const guard = isGuarded ? createGrowthGuard(report.packing === 'zstd' ? 'zstd' : 'deflate', isInDocument) : undefined;
  return (bytes) => {
    report.bytesOut += bytes.length;
    if (guard?.unpacked(bytes, report.bytesIn) === true)
      report.stopped ??= tooLarge(name, report.bytesOut, report.bytesIn, 'has unpacked');
    if (report.stopped !== undefined) return false;
    if (bytes.length > 0) ready.push(bytes);
    return true;
  };
}

function createUnpacker(packing: Packing, take: (bytes: Uint8Array) => boolean): Unpacker {
  switch (packing) {
    case 'gzip':
      return createGunzip(take);
    case 'zstd':
      return createUnzstd(take);
    case 'plain':
      return {
        push: (chunk) => {
          take(chunk);
          return undefined;
        },
        finish: () => undefined,
      };
  }
}

/** A damaged archive leaves what was unpacked; one that gave nothing at all cannot be used. */
function tellFault({ name, size }: SourceFile, fault: UnpackFault, report: DecodeReport): void {
  const format = report.packing;
  if (fault.kind === 'too-wide' || report.bytesOut === 0) {
    const what = fault.kind === 'truncated' ? 'is cut off before its first byte of content' : 'cannot be unpacked';
    report.stopped = {
      code: fault.kind === 'too-wide' ? 'archive-refused' : 'archive-damaged',
      message: `${name} ${what}: ${format}: ${fault.detail}. Fetch the file again or pack it anew.`,
    };
    return;
  }
  if (fault.kind === 'unsealed') {
    const message = `${name}: the data of the ${format} archive is complete, but ${fault.detail}. All of it was unpacked; whether a bit was changed cannot be told.`;
    report.problems.push({
      code: 'archive-unsealed',
      message,
      place: { file: name, offset: report.bytesOut },
      severity: 'problem',
    });
    return;
  }
  const kept = `${report.bytesOut === 1 ? 'One byte was' : `${report.bytesOut} bytes were`} unpacked before that.`;
  const place = { file: name, offset: report.bytesOut };
  if (fault.kind === 'trailing') {
    const left = size === undefined || fault.from === undefined ? undefined : size - fault.from;
    const message = `${bytesBehindToText(name, format, left, fault.from)} ${kept} If the file was put together of several, unpack each of them by itself and open what comes out.`;
    report.problems.push({ code: 'archive-trailing', message, place, severity: 'problem' });
  } else if (fault.kind === 'truncated') {
    const message = `${name}: the ${format} archive is cut off: ${fault.detail}. ${kept} Fetch the rest if it exists.`;
    report.problems.push({ code: 'archive-truncated', message, place, severity: 'problem' });
  } else {
    const message = `${name}: the ${format} archive is damaged: ${fault.detail}. ${kept} What is read of them may be wrong.`;
    report.problems.push({ code: 'archive-damaged', message, place, severity: 'problem' });
  }
}

/** What stands behind an archive, in the same words for every kind: how many bytes, and where in the packed file they begin. */
export function bytesBehindToText(
  name: string,
  format: string,
  count: number | undefined,
  from: number | undefined,
): string {
  const what =
    count === 1 ? 'one byte follows that is' : `${count === undefined ? '' : `${count} `}bytes follow that are`;
  const where = from === undefined ? '' : `, from byte ${from} on`;
  return `${name}: after the end of the ${format} archive ${what} no part of it${where}; ${count === 1 ? 'it is' : 'they are'} not read.`;
}

/** An archive is unpacked once: what comes out of it is text, or it is said what it is. */
function packedAgain(name: string, beginning: Uint8Array, { packing }: DecodeReport): UnusableInput | undefined {
  if (packing === 'plain') return undefined;
  const inner = bytesToPacking(beginning);
  const sentence =
    inner === 'plain'
      ? unopenedContainer(beginning)
      : `It is a ${inner} archive once more. Unpack it once and open the file that comes out.`;
  if (sentence === undefined) return undefined;
  return { code: 'container', message: `What is inside the ${packing} archive ${name} cannot be opened. ${sentence}` };
}

interface TextStage {
  readonly push: (chunk: Uint8Array) => Uint8Array;
  readonly finish: () => readonly Uint8Array[];
}

function createTextStage(name: string, report: DecodeReport): TextStage {
  let transcoder: Transcoder | undefined;
  /** Bytes of the smallest part of a character. */
  let unit = 1;
  /** Bytes held back until there are enough to tell the encoding. */
  let head: Uint8Array | undefined = new Uint8Array(0);
  let bytes = 0;
  const decide = (beginning: Uint8Array): Uint8Array => {
    head = undefined;
    report.stopped ??= packedAgain(name, beginning, report);
    report.encoding = bytesToEncoding(beginning);
    if (report.encoding === 'utf-8') return beginning;
    const { encoding } = report;
    const isWide = encoding === 'utf-32le' || encoding === 'utf-32be';
    transcoder = isWide
      ? createUtf32Transcoder(encoding === 'utf-32be')
      : createUtf16Transcoder(encoding === 'utf-16be');
    unit = isWide ? 4 : 2;
    report.problems.push({
      code: isWide ? 'utf-32' : 'utf-16',
      message: `${name} is written in ${isWide ? 'UTF-32' : 'UTF-16'}. It was read as such; byte offsets count its text as UTF-8, line numbers are those of the file.`,
      severity: 'notice',
    });
    return transcoder.push(beginning);
  };
  return {
    push: (chunk) => {
      bytes += chunk.length;
      if (head === undefined) return transcoder?.push(chunk) ?? chunk;
      head = joinBytes([head, chunk]);
      return head.length < magicLength ? new Uint8Array(0) : decide(head);
    },
    finish: () => {
      const held = head === undefined || head.length === 0 ? [] : [decide(head)];
      if (transcoder === undefined) return held;
      if (bytes % unit !== 0) {
        const [kind, what] =
          unit === 4 ? ['UTF-32', `${bytes % 4} bytes too many`] : ['UTF-16', 'an odd number of bytes'];
        report.problems.push({
          code: unit === 4 ? 'utf-32-odd' : 'utf-16-odd',
          message: `${name} is ${kind} with ${what}: its last character is cut off.`,
          place: { file: name, offset: bytes - (bytes % unit) },
          severity: 'problem',
        });
      }
      return [...held, transcoder.finish()].filter((rest) => rest.length > 0);
    },
  };
}

/** The chunks, the first of at least `length` bytes where the source has that many. */
async function* withHead(chunks: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    const joined: Uint8Array = joinBytes([head, chunk]);
    head = joined.length < length ? joined : undefined;
    if (head === undefined) yield joined;
  }
  if (head !== undefined && head.length > 0) yield head;
}

export { joinBytes };
