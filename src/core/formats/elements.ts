/**
 * The records of a JSON document by their place in it: `observations.*` for the members of a list, `*` for those of a list at the
 * top, the empty path for the document itself. What stands around them is the frame, given as a value of its own.
 *
 * Invariants: every element has its exact bytes; a document that is cut off still gives its whole elements, its frame as far as it
 * goes, and the element that was cut as a part that did not end. Iterative and linear. The whole file is held as bytes.
 */
import { joinBytes } from './decode/join-bytes.ts';

interface Element {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly line: number;
  readonly ended: boolean;
}

interface Frame {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly line: number;
  /** False where the document ends before its frame does; closing brackets were then added. */
  readonly ended: boolean;
}

interface Elements {
  readonly elements: readonly Element[];
  /** One a document; documents may follow one another. */
  readonly frames: readonly Frame[];
}

interface Level {
  readonly isList: boolean;
  readonly path: string;
}

/** Paths of records; a set of them, or a rule where names in the document are ids. */
export type WantedPaths = Pick<ReadonlySet<string>, 'has'>;

/** Levels down to which records are looked for. */
const deepest = 32;
const nowhere = '\0';

export function findElements(bytes: Uint8Array, wanted: WantedPaths): Elements {
  const scan = new ElementScan(bytes, wanted);
  return scan.run();
}

class ElementScan {
  private readonly bytes: Uint8Array;
  private readonly wanted: WantedPaths;
  private readonly elements: Element[] = [];
  private readonly frames: Frame[] = [];
  private readonly stack: Level[] = [];
  private key = '';
  private textStart = 0;
  private textEnd = 0;
  private line = 1;
  private start = -1;
  private startLine = 1;
  private startDepth = 0;
  private startPath = '';
  private frame: Uint8Array[] = [];
  private frameFrom = 0;
  private frameOffset = -1;
  private frameLine = 1;
  /** Where the frame may be closed if the document ends: pieces, bytes of the last piece. What is open then is open at the end. */
  private safe = { pieces: 0, until: 0 };

  constructor(bytes: Uint8Array, wanted: WantedPaths) {
    this.bytes = bytes;
    this.wanted = wanted;
  }

  run(): Elements {
    const { bytes } = this;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] ?? 0;
      if (byte === 10) this.line++;
      else if (byte === 34) i = this.text(i);
      else if (byte === 58) this.key = new TextDecoder().decode(bytes.subarray(this.textStart, this.textEnd));
      else if (byte === 123 || byte === 91) this.open(i, byte === 91);
      else if (byte === 125 || byte === 93) this.close(i);
      else if (byte === 44) this.comma(i);
    }
    this.finish();
    return { elements: this.elements, frames: this.frames };
  }

  /** Past a string; returns the index of its closing quote, or the end. */
  private text(at: number): number {
    const { bytes } = this;
    let i = at + 1;
    for (; i < bytes.length && bytes[i] !== 34; i++) {
      if (bytes[i] === 92) i++;
      else if (bytes[i] === 10) this.line++;
    }
    this.textStart = at + 1;
    this.textEnd = i;
    return i;
  }

  private open(i: number, isList: boolean): void {
    const top = this.stack.at(-1);
    const path = top === undefined ? '' : this.pathIn(top);
    if (top === undefined && this.frameOffset < 0) this.beginFrame(i);
    if (this.start < 0 && this.wanted.has(path)) {
      this.keepFrame(i);
      this.start = i;
      this.startLine = this.line;
      this.startDepth = this.stack.length;
      this.startPath = path;
    }
    this.stack.push({ isList, path });
    if (this.start < 0) this.markSafe(i + 1);
  }

  /** No record stands deep down, where every path would be longer than the one before. */
  private pathIn(top: Level): string {
    return this.stack.length > deepest ? nowhere : joinPath(top.path, top.isList ? '*' : this.key);
  }

  private close(i: number): void {
    if (this.stack.length === 0) return;
    this.stack.pop();
    if (this.start >= 0 && this.stack.length === this.startDepth) {
      this.addElement(i + 1, true);
      this.frameFrom = i + 1;
      this.markSafe(i + 1);
    } else if (this.start < 0 && this.stack.length > 0) this.markSafe(i + 1);
    if (this.stack.length === 0 && this.start < 0) this.endFrame(i + 1, true);
  }

  private comma(i: number): void {
    if (this.start >= 0) return;
    const top = this.stack.at(-1);
    if (top === undefined) return;
    this.markSafe(i);
    if (!top.isList || !this.wanted.has(joinPath(top.path, '*'))) return;
    // The commas between elements go with them.
    this.keepFrame(i);
    this.frameFrom = i + 1;
  }

  private beginFrame(i: number): void {
    this.frame = [];
    this.frameFrom = i;
    this.frameOffset = i;
    this.frameLine = this.line;
  }

  private keepFrame(until: number): void {
    if (until > this.frameFrom) this.frame.push(this.bytes.subarray(this.frameFrom, until));
    this.frameFrom = until;
  }

  private markSafe(until: number): void {
    this.safe = { pieces: this.frame.length, until };
  }

  private endFrame(until: number, ended: boolean): void {
    this.keepFrame(until);
    const bytes = joinBytes(this.frame);
    // A document that is one element has nothing around it.
    if (bytes.length > 0) this.frames.push({ bytes, offset: this.frameOffset, line: this.frameLine, ended });
    this.frameOffset = -1;
    this.frame = [];
    this.frameFrom = until;
  }

  private addElement(until: number, ended: boolean): void {
    const bytes = this.bytes.subarray(this.start, until);
    this.elements.push({ path: this.startPath, bytes, offset: this.start, line: this.startLine, ended });
    this.start = -1;
  }

  private finish(): void {
    if (this.stack.length === 0) return;
    if (this.start >= 0) {
      const within = this.startDepth;
      this.addElement(this.bytes.length, false);
      this.stack.length = within;
      this.frameFrom = this.bytes.length;
      this.markSafe(this.bytes.length);
      if (within === 0) return;
    }
    this.frame.length = Math.min(this.frame.length, this.safe.pieces);
    if (this.safe.until > this.frameFrom) this.keepFrame(this.safe.until);
    const closers = this.stack.map(({ isList }) => (isList ? ']' : '}')).reverse();
    this.frame.push(new TextEncoder().encode(closers.join('')));
    this.frameFrom = this.bytes.length;
    this.endFrame(this.bytes.length, false);
  }
}

function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
