/**
 * What is known of a trace as a whole: when it began, which program ran it, its session, what wrote its records.
 *
 * It depends on the set of records and not on their order: of several programs or sessions the one that began first, and of those at one
 * moment the one of the smallest fingerprint.
 */
import type { JsonObject } from '../../base/json.ts';
import { canon } from '../../model/index.ts';
import { fingerprint } from '../seen.ts';
import { sessionOf } from './fields.ts';
import type { Log, Span } from './record.ts';
import { isEmpty, textAt } from './values.ts';

export interface TraceInfo {
  readonly trace: string;
  start: string | undefined;
  service: string | undefined;
  version: string | undefined;
  session: string | undefined;
  /** What emitted its records, by fingerprint. */
  readonly resources: Map<string, JsonObject>;
  /** Of the records that gave the program and the session. */
  serviceRank: Rank | undefined;
  sessionRank: Rank | undefined;
}

/** Where a record stands among those that tell of its trace; the first is believed. */
interface Rank {
  /** A span without a parent tells what ran the whole. */
  readonly isRoot: boolean;
  readonly time: string;
  readonly print: string;
  readonly resource: string;
}

export function createTraceInfo(trace: string): TraceInfo {
  return {
    trace,
    start: undefined,
    service: undefined,
    version: undefined,
    session: undefined,
    resources: new Map(),
    serviceRank: undefined,
    sessionRank: undefined,
  };
}

export function addToTrace(trace: TraceInfo, entry: Span | Log): void {
  const time = entry.kind === 'span' ? entry.start : entry.time;
  if (time !== undefined && (trace.start === undefined || time < trace.start)) trace.start = time;
  const resource = resourcePrint(entry.resource);
  if (!isEmpty(entry.resource)) trace.resources.set(resource, entry.resource);
  const isRoot = entry.kind === 'span' && entry.parent === undefined;
  const rank = { isRoot, time: time ?? '~', print: entry.print, resource };
  if (isBefore(rank, trace.serviceRank)) {
    const service = textAt(entry.resource, 'service.name');
    if (service !== undefined) {
      trace.service = service;
      trace.version = textAt(entry.resource, 'service.version');
      trace.serviceRank = rank;
    }
  }
  if (!isBefore(rank, trace.sessionRank)) return;
  const session = sessionOf(entry.attributes);
  if (session === undefined) return;
  trace.session = session;
  trace.sessionRank = rank;
}

function isBefore(rank: Rank, known: Rank | undefined): boolean {
  if (known === undefined) return true;
  if (rank.isRoot !== known.isRoot) return rank.isRoot;
  if (rank.time !== known.time) return rank.time < known.time;
  return rank.print === known.print ? rank.resource < known.resource : rank.print < known.print;
}

const printsOfResources = new WeakMap<JsonObject, string>();

/** Spans of one resource share the object, so its fingerprint is made once. */
export function resourcePrint(resource: JsonObject): string {
  const known = printsOfResources.get(resource);
  if (known !== undefined) return known;
  const print = fingerprint(canon(resource));
  printsOfResources.set(resource, print);
  return print;
}
