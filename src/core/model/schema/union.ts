/**
 * The event union: one schema per type, built from the shared envelope and the payload of that type.
 */
import { z } from 'zod';
import { envelopeShape, jsonObject } from './common.ts';
import { payloadsByFamily } from './payloads.ts';

type Families = typeof payloadsByFamily;
export type EventFamily = keyof Families | 'unknown';

type UnionToIntersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void
  ? I
  : never;
/** Payload schema by event type. */
type Payloads = UnionToIntersection<Families[keyof Families]>;
export type KnownEventType = keyof Payloads;

// Casts: merging the family tables keeps exactly their keys and values, which Object.assign and entries cannot express.
const payloads = Object.assign({}, ...Object.values(payloadsByFamily)) as Payloads;

export const knownEventTypes = Object.keys(payloads) as readonly KnownEventType[];

const familyByType: ReadonlyMap<string, EventFamily> = new Map(
  (Object.entries(payloadsByFamily) as [EventFamily, object][]).flatMap(([family, types]) =>
    Object.keys(types).map((type) => [type, family] as const),
  ),
);

export function eventFamily(type: string): EventFamily {
  return familyByType.get(type) ?? 'unknown';
}

export function isKnownEventType(type: string): type is KnownEventType {
  return familyByType.has(type);
}

export function eventSchema<T extends KnownEventType>(type: T) {
  return z.looseObject({ ...envelopeShape, type: z.literal(type), data: payloads[type] });
}

export const unknownEventSchema = z.looseObject({
  ...envelopeShape,
  type: z.string().min(1),
  data: jsonObject.optional(),
});

export type EnvelopeOf = z.infer<z.ZodObject<typeof envelopeShape>>;
export type PayloadOf<T extends KnownEventType> = z.infer<Payloads[T]>;
