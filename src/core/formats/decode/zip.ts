/**
 * A zip archive as the files inside it: stored, deflate and zstd members, each read when it is asked for.
 *
 * Guards: the sizes in the directory are added up and looked at before anything is unpacked, a member that unpacks to more than it
 * said is damaged, and one that blows up in the middle ends the reading (`growth.ts`). So nothing grows beyond what was allowed,
 * however deep archives stand in archives. Checksums are compared.
 */
import { type Result, err, ok } from '../../base/result.ts';
import { lineToShown } from '../../base/shown-text.ts';
import type { ImportOptions, Problem, SourceFile, UnusableInput } from '../format.ts';
import { updateCrc32 } from './crc32.ts';
import { bytesBehindToText } from './decode.ts';
import { createGrowthGuard, hugeBytes, isSuspect, isSuspectMember, tooLarge } from './growth.ts';
import { joinBytes } from './join-bytes.ts';
import { createDocumentScanner } from './open-document.ts';
import { type RandomBytes, toRandomBytes } from './random-bytes.ts';
import {
  createInflate,
  createUnzstd,
  inflateWhole,
  type Sink,
  toSlices,
  type Unpacker,
  type UnpackFault,
} from './unpack.ts';
import { readZipDirectory, type ZipEntry } from './zip-directory.ts';

/** A member: what was wrong with it is known after it was read. */
export interface ZipMember extends SourceFile {
  readonly problems: () => readonly Problem[];
  /** Why nothing of what was opened may be used. */
  readonly stopped: () => UnusableInput | undefined;
}

export interface OpenedZip {
  /** Without folders and what packing programs add; names are paths below the archive. */
  readonly files: readonly ZipMember[];
  readonly problems: readonly Problem[];
}

export async function isZip(file: SourceFile): Promise<boolean> {
  let head: Uint8Array = new Uint8Array(0);
  for await (const chunk of file.slice?.(0, 4) ?? file.open()) {
    head = joinBytes([head, chunk]);
    if (head.length >= 4) break;
  }
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5) && head[3] === head[2] + 1;
}

/** `rootBytes` is the size of the outermost archive, against which growth is measured. */
export async function openZip(
  file: SourceFile,
  options: ImportOptions,
  rootBytes: number | undefined,
): Promise<Result<OpenedZip, UnusableInput>> {
  const bytes = await toRandomBytes(file, options);
  if (bytes === undefined) {
    const message = `${file.name} is an archive inside an archive and larger than 512 MiB. Unpack it first.`;
    return err({ code: 'archive-refused', message });
  }
  const directory = await readZipDirectory(bytes.size, bytes.read);
  if (!directory.ok) {
    const message = `${file.name} cannot be unpacked: zip: ${directory.error}. Fetch the file again or pack it anew.`;
    return err({ code: 'archive-damaged', message });
  }
  const { entries, isCut, behind } = directory.value;
  const wanted = entries.filter(({ name }) => isWanted(name));
  const total = wanted.reduce((sum, { size }) => sum + size, 0);
  const from = rootBytes ?? bytes.size;
  if (options.allowHuge !== true) {
    if (total > hugeBytes || isSuspect(total, from)) return err(tooLarge(file.name, total, from, 'would unpack'));
    const bomb = wanted.find(({ method, size, packedSize }) => isSuspectMember(methodOf(method), size, packedSize));
    if (bomb !== undefined)
      return err(tooLarge(`${file.name}/${bomb.name}`, bomb.size, bomb.packedSize, 'would unpack'));
  }
  const problems: Problem[] = [];
  if (isCut) problems.push(cutOff(file.name, bytes.size, wanted.length));
  if (behind > 0) problems.push(followed(file.name, bytes.size - behind, behind));
  const files: ZipMember[] = [];
  for (const entry of wanted) {
    const refusal = refusalOf(entry);
    if (refusal === undefined) files.push(toMember(file.name, entry, bytes, options));
    else problems.push(unreadable(file.name, entry, refusal));
  }
  if (isCut && files.length === 0) {
    const message = `${file.name} is a zip archive that is cut off before the end of its first file. Fetch the file again.`;
    return err({ code: 'archive-damaged', message });
  }
  const refusals = problems.filter(({ code }) => code === 'archive-member');
  const [refused] = refusals;
  if (files.length === 0 && refused !== undefined) {
    const more =
      refusals.length === 1
        ? ''
        : ` Nor can the ${refusals.length === 2 ? 'other one' : `other ${refusals.length - 1}`} in the archive.`;
    return err({ code: 'archive-member', message: `${refused.message}${more}`, place: refused.place });
  }
  return ok({ files, problems });
}

/**
 * Folders, and the files that packing programs add, are no traces. Every other name is read, also in a hidden folder (agents keep
 * their sessions in one), above the archive or absolute: nothing is written under it.
 */
function isWanted(name: string): boolean {
  if (/[\\/]$/.test(name)) return false;
  return !name.split(/[\\/]/).some((part) => part === '__MACOSX' || part === '.DS_Store' || part.startsWith('._'));
}

/** Numbers of packing methods, from the specification of zip. */
const deflateMethod = 8;
const zstdMethod = 93;
/** Stands in the place of the method where a member is encrypted with AES. */
const aesMethod = 99;

const methods: ReadonlyMap<number, (sink: Sink) => Unpacker> = new Map([
  [0, createCopy],
  [deflateMethod, createInflate],
  [zstdMethod, createUnzstd],
]);

function methodOf(method: number): 'deflate' | 'zstd' {
  return method === zstdMethod ? 'zstd' : 'deflate';
}

function createCopy(sink: Sink): Unpacker {
  return {
    push: (chunk) => {
      sink(chunk);
      return undefined;
    },
    finish: () => undefined,
  };
}

function refusalOf({ encrypted, method }: ZipEntry): string | undefined {
  if (encrypted || method === aesMethod) return 'it is encrypted. Unpack it with its password first';
  return methods.has(method) ? undefined : `it is packed by method ${method}, which is not known here. Unpack it first`;
}

function toMember(archive: string, entry: ZipEntry, bytes: RandomBytes, options: ImportOptions): ZipMember {
  const name = `${archive}/${lineToShown(entry.name.replaceAll('\\', '/'))}`;
  let problems: readonly Problem[] = [];
  let stopped: UnusableInput | undefined;
  const guarded = options.allowHuge !== true;
  return {
    name,
    size: entry.size,
    problems: () => problems,
    stopped: () => stopped,
    // What one reading found stays true when another looks at the beginning only.
    open: () =>
      readMember(entry, bytes, guarded, {
        damaged: (fault, given) => (problems = [damaged(name, fault, given)]),
        stopped: (out, from) => (stopped = tooLarge(name, out, from, 'has unpacked')),
      }),
  };
}

/** A member of which no part is longer is unpacked at once; how far it may grow was looked at in the directory. */
const mostAtOnce = 64 * 1024;

interface Telling {
  /** `given`: bytes that were handed out. */
  readonly damaged: (fault: string, given: number) => void;
  readonly stopped: (out: number, from: number) => void;
}

async function* readMember(
  entry: ZipEntry,
  bytes: RandomBytes,
  guarded: boolean,
  tell: Telling,
): AsyncGenerator<Uint8Array> {
  const header = await bytes.read(entry.offset, entry.offset + 30);
  if (header.length < 30 || header[0] !== 0x50 || header[1] !== 0x4b) {
    tell.damaged('its header is not where the directory says', 0);
    return;
  }
  const data = new DataView(header.buffer, header.byteOffset, 30);
  const start = entry.offset + 30 + data.getUint16(26, true) + data.getUint16(28, true);
  if (entry.method === deflateMethod && Math.max(entry.size, entry.packedSize) <= mostAtOnce) {
    const whole = inflateWhole(await bytes.read(start, start + entry.packedSize), entry.size, entry.crc);
    if (whole !== undefined) {
      if (whole.length > 0) yield whole;
      return;
    }
  }
  const ready: Uint8Array[] = [];
  const document = createDocumentScanner();
  const guard = guarded ? createGrowthGuard(methodOf(entry.method), document.isOpen) : undefined;
  let bytesIn = 0;
  let length = 0;
  let crc = 0;
  const growth = { isSuspect: false };
  const unpacker = (methods.get(entry.method) ?? createCopy)((chunk) => {
    const wanted = chunk.subarray(0, Math.max(0, entry.size - length));
    length += chunk.length;
    growth.isSuspect ||= guard?.unpacked(chunk, bytesIn) === true;
    if (guarded) document.push(wanted);
    crc = updateCrc32(crc, wanted);
    if (wanted.length > 0) ready.push(wanted);
    return length <= entry.size && !growth.isSuspect;
  });
  let fault: UnpackFault | undefined;
  for await (const chunk of bytes.stream(start, start + entry.packedSize)) {
    for (const slice of entry.method === 0 ? [chunk] : toSlices(chunk)) {
      bytesIn += slice.length;
      fault = unpacker.push(slice);
      if (growth.isSuspect) {
        tell.stopped(length, bytesIn);
        return;
      }
      yield* ready.splice(0);
      if (fault !== undefined || length > entry.size) break;
    }
    if (fault !== undefined || length > entry.size) break;
  }
  if (length <= entry.size) {
    fault ??= unpacker.finish();
    yield* ready.splice(0);
  }
  const given = Math.min(length, entry.size);
  if (length > entry.size) tell.damaged(`it unpacks to more than the ${entry.size} bytes the directory says`, given);
  else if (fault !== undefined) tell.damaged(fault.detail, given);
  else if (length < entry.size) tell.damaged('it ends in the middle', given);
  else if (crc !== entry.crc) tell.damaged('its checksum does not match what was unpacked', given);
}

function damaged(name: string, detail: string, given: number): Problem {
  const what =
    given === 0
      ? 'Nothing of it could be unpacked. Fetch the archive again or pack it anew.'
      : `The first ${given} bytes of it were unpacked; what is read of them may be wrong.`;
  const message = `${name} is damaged in its zip archive: ${detail}. ${what}`;
  return { code: 'archive-damaged', message, place: { file: name, offset: 0 }, severity: 'problem' };
}

function unreadable(archive: string, { name }: ZipEntry, refusal: string): Problem {
  const file = `${archive}/${lineToShown(name)}`;
  const message = `${file} cannot be unpacked: ${refusal}.`;
  return { code: 'archive-member', message, place: { file, offset: 0 }, severity: 'problem' };
}

function followed(name: string, offset: number, behind: number): Problem {
  const message = bytesBehindToText(name, 'zip', behind, offset);
  return { code: 'archive-trailing', message, place: { file: name, offset }, severity: 'problem' };
}

function cutOff(name: string, size: number, found: number): Problem {
  const message = `${name} is a zip archive that is cut off: its directory is missing. The ${found === 1 ? 'one file' : `${found} files`} found before the cut ${found === 1 ? 'is' : 'are'} used. Fetch the rest if it exists.`;
  return { code: 'archive-truncated', message, place: { file: name, offset: size }, severity: 'problem' };
}
