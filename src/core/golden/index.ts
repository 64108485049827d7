/**
 * Golden cases: properties of a recorded run that must stay when its control program changes.
 *
 * Glossary
 * - golden case: a slice of a stream and the properties pinned in it (avoid: snapshot)
 * - property: one thing that must stay; it holds, is broken, is not decided, or is exempt
 * - exempt: an intended change, and what descends from it
 * - pin: to keep what holds now
 */
export type { GoldenFinding, PropertyResult, PropertyStatus } from './evaluate.ts';
export { type GoldenAudit, type PinRequest, type Pinned, goldenToJson, pinGolden } from './pin.ts';
export { type GoldenResult, type GoldenRunRequest, runGolden } from './run.ts';
export { type Golden, type GoldenProperty, goldenJsonSchema, parseGolden, propertyKinds } from './schema.ts';
export { type Selector, textToSelector } from './select.ts';
export { sliceTrace } from './slice.ts';
