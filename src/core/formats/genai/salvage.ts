/**
 * The good beginning of a damaged document: everything up to the last record that is whole, with the brackets around it closed.
 *
 * One document often holds all the spans of a file, so a file cut short would lose everything without this. A record that is itself
 * cut is not used: half a span would look like a whole one.
 */
import type { JsonValue } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';

/** Lists whose elements are records, or hold whole records. */
const recordLists: ReadonlySet<string> = new Set([
  'spans',
  'logRecords',
  'log_records',
  'metrics',
  'resourceSpans',
  'resource_spans',
  'resourceLogs',
  'resource_logs',
  'batches',
  'scopeSpans',
  'scope_spans',
  'scopeLogs',
  'scope_logs',
  'instrumentationLibrarySpans',
]);

interface Holder {
  readonly closing: '}' | ']';
  /** True for a list of records that stands in nothing but such lists and what wraps them. */
  readonly isRecords: boolean;
}

/** Undefined where no whole record stands before the damage. `until` is where the damage begins. */
export function salvage(text: string, until = text.length): JsonValue | undefined {
  const open: Holder[] = [];
  let name = '';
  let best: { readonly end: number; readonly closing: string } | undefined;
  for (let i = 0; i < until; i++) {
    const c = text.charCodeAt(i);
    if (c === 34) {
      const start = i + 1;
      for (i++; i < until && text.charCodeAt(i) !== 34; i++) if (text.charCodeAt(i) === 92) i++;
      name = text.slice(start, Math.min(i, start + 40));
    } else if (c === 123) open.push({ closing: '}', isRecords: false });
    else if (c === 91) {
      const isTop = open.length === 0 || (open.length === 1 && name === 'data');
      open.push({ closing: ']', isRecords: isTop || recordLists.has(name) });
    } else if (c === 125 || c === 93) {
      if (open.pop()?.closing !== String.fromCharCode(c)) break;
      if (c === 125 && open.at(-1)?.isRecords === true)
        best = {
          end: i + 1,
          closing: open
            .map(({ closing }) => closing)
            .reverse()
            .join(''),
        };
    }
  }
  if (best === undefined) return undefined;
  const parsed = parseLossless(text.slice(0, best.end) + best.closing);
  return parsed.ok ? parsed.value : undefined;
}
