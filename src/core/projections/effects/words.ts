/**
 * How effects are named in sentences: from the tool's own name, never from a table of products.
 *
 * Invariant: a name whose verb is not in the small list below is shown as it was recorded, in quotation marks, as the name of a call. Used
 * by the findings, the headline and the transcript, so that one act has one name everywhere.
 */

import { toSingular } from '../title-words.ts';
import type { RowVerdict, Stop } from '../trace-reader.ts';

/** Verbs that tool names use and the noun for the act. */
const acts: ReadonlyMap<string, string> = new Map([
  ['create', 'creation'],
  ['open', 'creation'],
  ['send', 'sending'],
  ['post', 'posting'],
  ['update', 'update'],
  ['delete', 'deletion'],
  ['remove', 'removal'],
  ['cancel', 'cancellation'],
  ['book', 'booking'],
  ['issue', 'issue'],
  ['pay', 'payment'],
  ['notify', 'notification'],
]);

/** `create_ticket`, `ticket.create`, `createTicket` to "ticket creation"; of another name, and of a pseudonym, the call. */
export function toolToAct(tool: string): string {
  const words = tool
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const at = words.findIndex((word) => acts.has(word));
  const act = acts.get(words[at] ?? '');
  const rest = words.filter((_, i) => i !== at);
  if (act === undefined || rest.length === 0 || words.length > 4) return `call of "${tool}"`;
  return `${rest.map(toSingular).join(' ')} ${act}`;
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "a", "a and b", "a, b and c"; beyond `most` the rest is counted. */
export function listToText(items: readonly string[], most = 4): string {
  if (items.length > most) return `${items.slice(0, most).join(', ')} and ${String(items.length - most)} more`;
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

/** "1 event", "3 events"; irregular plurals are given. */
export function countToText(count: number, one: string, many = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}

/** A verdict with who tells it: without a record of the service, an execution is what its caller tells, and no more (R100). */
export function verdictToText({ verdict, times = 0, stopped, noServiceRecords }: ToldVerdict): string {
  if (stopped !== undefined) return stopped;
  if (verdict === 'executed twice' && times > 2) return `executed ${timesToText(times)}`;
  if (verdict === 'uncertain' && times > 0) return 'executed at least once; how often is uncertain';
  if (verdict === 'not decidable in this copy' && times > 0)
    return 'executed at least once; how often is not decidable in this copy';
  return noServiceRecords && verdict === 'executed once' ? 'answered; executed as its caller tells' : verdict;
}

interface ToldVerdict {
  readonly verdict: RowVerdict;
  readonly times?: number | undefined;
  readonly stopped?: Stop | undefined;
  readonly noServiceRecords: boolean;
}

export function timesToText(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${String(count)} times`;
}
