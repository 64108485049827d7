/**
 * The good beginning of a damaged document: everything up to the last object that is whole, with the brackets around it closed.
 *
 * One document often holds all the spans of a file, so a file cut short would lose everything without this.
 */
import type { JsonValue } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';

/** Undefined where no whole object stands in a list before the damage. `until` is where the damage begins. */
export function salvage(text: string, until = text.length): JsonValue | undefined {
  const open: string[] = [];
  let best: { readonly end: number; readonly closing: string } | undefined;
  for (let i = 0; i < until; i++) {
    const c = text.charCodeAt(i);
    if (c === 34) {
      for (i++; i < until && text.charCodeAt(i) !== 34; i++) if (text.charCodeAt(i) === 92) i++;
    } else if (c === 123) open.push('}');
    else if (c === 91) open.push(']');
    else if (c === 125 || c === 93) {
      if (open.pop() !== String.fromCharCode(c)) break;
      if (c === 125 && open.at(-1) === ']') best = { end: i + 1, closing: [...open].reverse().join('') };
    }
  }
  if (best === undefined) return undefined;
  const parsed = parseLossless(text.slice(0, best.end) + best.closing);
  return parsed.ok ? parsed.value : undefined;
}
