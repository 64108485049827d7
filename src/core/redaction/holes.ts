/**
 * Holes: what stands where a value was withheld. In the stream a hole is `{"$hole": id}`; class, reason and a size bucket stand in
 * the declaration of the copy. Ids are fresh per occurrence, in the order of the copy, and say nothing.
 */
import type { JsonObject, JsonValue } from '../base/json.ts';
import { utf8Length } from '../base/hash.ts';
import { writeLossless } from '../base/lossless.ts';
import { acceptsHole } from '../model/index.ts';
import type { ValueClass } from './policy.ts';
import { type ContentLookup, createScrubber } from './scrub.ts';
import type { DigestWatch } from './withheld-digests.ts';

export interface Hole {
  readonly id: string;
  /** Event of the copy. */
  readonly event: string;
  readonly pointer: string;
  readonly class: ValueClass;
  readonly reason: string;
  /** Bucket, never the length: 64 B, 1 KiB, 16 KiB, 256 KiB, more. */
  readonly size?: string | undefined;
  /** What the owner states of a masked text; never delivered to a program. */
  readonly masked?: string | undefined;
}

/** A member of an event of the copy. */
export interface Place {
  readonly event: string;
  readonly type: string;
  /** JSON Pointer inside the event. */
  readonly pointer: string;
}

export interface HoleRequest extends Place {
  readonly class: ValueClass;
  readonly reason: string;
  readonly value: JsonValue;
}

export interface HoleMaker {
  /** A hole for that place; undefined (and only listed) where the place is typed and cannot hold one. */
  readonly make: (request: HoleRequest) => JsonObject | undefined;
  /** Lists something withheld that has no place of its own in the stream. */
  readonly note: (about: Omit<HoleRequest, 'value'>) => void;
  /** A kept value with stored values in their places, and every detected text replaced by a hole. */
  readonly scrub: (value: JsonValue, at: Omit<HoleRequest, 'value' | 'reason'>) => JsonValue | undefined;
  readonly scrubKey: (key: string) => string;
  readonly list: () => readonly Hole[];
}

export function createHoles(detecting: boolean, content: ContentLookup, watch: DigestWatch): HoleMaker {
  const holes: Hole[] = [];

  function add({ type, ...hole }: Omit<Hole, 'id'> & Place): JsonObject | undefined {
    const id = `h${String(holes.length + 1)}`;
    holes.push({ id, ...hole });
    return acceptsHole(type, hole.pointer) ? { $hole: id } : undefined;
  }

  function make({ value, ...hole }: HoleRequest): JsonObject | undefined {
    watch.withhold(value);
    return add({ ...hole, size: sizeBucket(value) });
  }

  const scrubber = createScrubber<Omit<HoleRequest, 'value' | 'reason'>>({
    detecting,
    content,
    below: (at, key) => ({ ...at, pointer: `${at.pointer}/${key}` }),
    hole: (at, reason, value, masked) => {
      watch.withhold(value);
      return add({ ...at, reason, size: sizeBucket(value), ...(masked === undefined ? {} : { masked }) });
    },
    undigest: watch.mask,
  });

  return {
    make,
    note: (about) => {
      add(about);
    },
    scrub: scrubber.value,
    scrubKey: scrubber.key,
    list: () => holes,
  };
}

const buckets = [
  [64, '64 B'],
  [1024, '1 KiB'],
  [16 * 1024, '16 KiB'],
  [256 * 1024, '256 KiB'],
] as const;

/** The smallest bucket that holds the value's text. */
export function sizeBucket(value: JsonValue): string {
  const bytes = utf8Length(writeLossless(value));
  return buckets.find(([limit]) => bytes <= limit)?.[1] ?? 'more';
}
