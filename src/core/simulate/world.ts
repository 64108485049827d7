/**
 * The world outside a simulated worker: services with a ledger, models and everything else that answers, all from the record.
 *
 * It outlives the worker and knows nothing of its journal. Invariants: nothing real is asked; what is not in the record is assumed by
 * a named rule or not answered at all. One world a trial; used by the worker.
 */
import type { JsonValue } from '../base/json.ts';
import { type Digest, digest } from '../model/index.ts';
import type { JournalEntry } from '../replay/index.ts';
import { type Ledger, createLedger } from './ledger.ts';
import { type Renaming, namesId, nextId, replaceId, varyProse } from './names.ts';
import type { Recorded } from './recorded.ts';

export interface WorldCommand {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  /** Recorded form. */
  readonly args: JsonValue;
}

export type WorldAnswer =
  | { readonly kind: 'ok'; readonly value: JsonValue }
  | { readonly kind: 'err'; readonly name: string; readonly message: string; readonly data?: JsonValue }
  | { readonly kind: 'cancelled' };

export interface WriteRequest {
  readonly command: WorldCommand;
  /** As sent; whether it protects is for the service to say. */
  readonly key: string | undefined;
}

export type Received =
  | { readonly kind: 'work' }
  | { readonly kind: 'saved'; readonly id: string | undefined; readonly answer: JsonValue }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string };

export interface World {
  /** The recorded answer of a command that changes nothing outside; undefined where the record has none. */
  answer(command: WorldCommand): WorldAnswer | undefined;
  /** A service has a write before it and has not worked on it. */
  receive(request: WriteRequest): Received;
  drop(request: WriteRequest): void;
  /** Recorded as failed and never committed: the service says the same again. */
  refusalOf(command: WorldCommand): WorldAnswer | undefined;
  /** Undefined: the record has no answer to give. The commitment stands all the same. */
  commit(request: WriteRequest): { readonly id: string | undefined; readonly answer: WorldAnswer | undefined };
  lookUp(path: string): { readonly id: string | undefined; readonly answer: JsonValue } | undefined;
  commitments(): ReadonlyMap<string, number>;
  /** Times each model call was asked. */
  asks(): ReadonlyMap<string, number>;
  /** Turns names of effects that were made anew into the recorded ones. */
  asRecorded(value: JsonValue): JsonValue;
  assumptions(): readonly string[];
}

export function createWorld(recorded: Recorded, modelVaries: boolean): World {
  return new RecordedWorld(recorded, modelVaries);
}

class RecordedWorld implements World {
  private readonly recorded: Recorded;
  private readonly modelVaries: boolean;
  private readonly ledger: Ledger = createLedger();
  private readonly renamings: Renaming[] = [];
  private readonly asked = new Map<string, number>();
  private readonly assumed = new Set<string>();

  constructor(recorded: Recorded, modelVaries: boolean) {
    this.recorded = recorded;
    this.modelVaries = modelVaries;
  }

  answer(command: WorldCommand): WorldAnswer | undefined {
    const known = this.recordedAnswer(command);
    if (command.kind !== 'model') return known;
    const ask = (this.asked.get(command.path) ?? 0) + 1;
    this.asked.set(command.path, ask);
    if (known?.kind !== 'ok' || ask === 1) return known;
    if (!this.modelVaries) {
      this.assumed.add('A model that is asked again answers word for word as recorded.');
      return known;
    }
    this.assumed.add('A model that is asked again gives other prose and the same labels.');
    return { kind: 'ok', value: varyProse(known.value, this.recorded.labels, ask) };
  }

  receive({ command, key }: WriteRequest): Received {
    const verdict = this.ledger.claim(this.honoured(command, key), bodyOf(command));
    switch (verdict.kind) {
      case 'new':
        return { kind: 'work' };
      case 'saved':
        return { kind: 'saved', id: verdict.entry.id, answer: verdict.entry.answer };
      case 'in-flight':
        return { kind: 'refused', status: 409, reason: 'the first request with this key is still being worked on' };
      case 'other-body':
        return { kind: 'refused', status: 422, reason: 'this key was used with another body' };
    }
  }

  drop({ command, key }: WriteRequest): void {
    this.ledger.release(this.honoured(command, key));
  }

  refusalOf(command: WorldCommand): WorldAnswer | undefined {
    const entry = this.entryOf(command);
    return entry?.observation.kind === 'err' && !isCommitted(entry) ? this.recordedAnswer(command) : undefined;
  }

  commit({ command, key }: WriteRequest): {
    readonly id: string | undefined;
    readonly answer: WorldAnswer | undefined;
  } {
    const before = this.commitments().get(command.path) ?? 0;
    const known = this.recordedAnswer(command);
    const value = known?.kind === 'ok' ? known.value : undefined;
    const recordedId = value === undefined ? lastId(this.entryOf(command)) : this.idIn(command, value);
    const id = recordedId === undefined || before === 0 ? recordedId : this.rename(recordedId);
    const answer =
      value === undefined || recordedId === undefined || id === undefined ? value : replaceId(value, recordedId, id);
    if (before > 0 && recordedId === undefined)
      this.assumed.add(`The answer to ${command.path} names no effect; a second one is given the same answer.`);
    this.ledger.commit({
      command: command.path,
      id,
      key: this.honoured(command, key),
      body: bodyOf(command),
      answer: answer ?? null,
    });
    return { id, answer: answer === undefined ? known : { kind: 'ok', value: answer } };
  }

  lookUp(path: string): { readonly id: string | undefined; readonly answer: JsonValue } | undefined {
    return this.ledger.find(path);
  }

  commitments(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { command } of this.ledger.entries()) counts.set(command, (counts.get(command) ?? 0) + 1);
    return counts;
  }

  asks(): ReadonlyMap<string, number> {
    return this.asked;
  }

  asRecorded(value: JsonValue): JsonValue {
    return this.renamings.reduce((out, { recorded, now }) => replaceId(out, now, recorded), value);
  }

  assumptions(): readonly string[] {
    return [...this.assumed];
  }

  /** By arguments, where the names of effects that were made anew count as the recorded ones. */
  private recordedAnswer(command: WorldCommand): WorldAnswer | undefined {
    const entry = this.entryOf(command);
    const known = entry === undefined ? undefined : this.observationOf(entry);
    if (entry === undefined || known === undefined) return undefined;
    if (entry.argsDigest === undefined || entry.argsDigest === digest(command.args)) return known;
    const used = this.renamings.filter(({ now }) => namesId(command.args, now));
    const back = used.reduce((args, { recorded, now }) => replaceId(args, now, recorded), command.args);
    if (digest(back) !== entry.argsDigest)
      this.assumed.add(`${command.path} is asked with other arguments than recorded; its recorded answer is assumed.`);
    if (known.kind !== 'ok') return known;
    return { kind: 'ok', value: used.reduce((out, { recorded, now }) => replaceId(out, recorded, now), known.value) };
  }

  private entryOf(command: WorldCommand): JournalEntry | undefined {
    const entry = this.recorded.entries.get(command.path);
    return entry !== undefined && entry.kind === command.kind && entry.name === command.name ? entry : undefined;
  }

  private observationOf({ observation }: JournalEntry): WorldAnswer | undefined {
    if (observation.kind === 'cancelled') return { kind: 'cancelled' };
    if (observation.kind === 'err') return { kind: 'err', ...observation.error };
    const value = observation.kind === 'ok' ? this.recorded.contents.resolve(observation.value) : undefined;
    return value === undefined ? undefined : { kind: 'ok', value };
  }

  /** The recorded effect that an answer is about: the last one that it names. */
  private idIn(command: WorldCommand, value: JsonValue): string | undefined {
    return this.entryOf(command)?.effects.findLast(({ id }) => id !== undefined && namesId(value, id))?.id;
  }

  private rename(recorded: string): string {
    const taken = new Set(this.renamings.map(({ now }) => now));
    const now = nextId(recorded, (id) => taken.has(id) || this.recorded.effectIds.has(id));
    this.renamings.push({ recorded, now });
    return now;
  }

  /** A service that says it ignores keys is believed; one that says nothing is taken to honour them. */
  private honoured({ name }: WorldCommand, key: string | undefined): string | undefined {
    if (key === undefined) return undefined;
    const declared = this.recorded.honoursKeys.get(name);
    if (declared === undefined)
      this.assumed.add(`Nothing says whether ${name} honours idempotency keys; it is taken to do so.`);
    return declared === false ? undefined : key;
  }
}

function isCommitted({ effects }: JournalEntry): boolean {
  return effects.length > 0;
}

function lastId(entry: JournalEntry | undefined): string | undefined {
  return entry?.effects.at(-1)?.id;
}

function bodyOf({ name, args }: WorldCommand): Digest {
  return digest({ tool: name, args });
}
