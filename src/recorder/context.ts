/**
 * The `ctx` of a control program that runs natively: the same names, paths, counts and chain of promises as in the sandbox.
 *
 * Invariant: promises are made and chained exactly as by the prelude of the sandbox (`platform/sandbox/prelude-context.ts`), because the
 * order in which parallel work goes on depends on it; `replayed.test.ts` holds the two together. Everything a program asks goes to the port.
 */
import { type Json, toJson } from './canonical.ts';

export type CommandKind = 'model' | 'read' | 'write' | 'timer' | 'signal' | 'child';

export interface CommandOptions {
  /** Identity of its own instead of a count. */
  readonly key?: string | number;
  readonly idempotencyKey?: string;
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  /** Delivered values, promises of commands, versions of states, or paths that the arguments were made of. */
  readonly uses?: unknown;
  /** Name or path of the decision that chose it. */
  readonly by?: unknown;
}

export interface Asked {
  readonly path: string;
  readonly scope: string;
  readonly kind: string;
  readonly name: string;
  readonly args: Json;
  readonly uses: readonly string[];
  readonly step: string | undefined;
  readonly selectedBy?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly reads?: readonly string[] | undefined;
  readonly writes?: readonly string[] | undefined;
}

export interface Settle {
  readonly resolve: (value: Json) => void;
  readonly reject: (error: Error) => void;
}

/** What the driver answers. Calls happen in the order of the acts of the program. */
export interface ContextPort {
  issued(asked: Asked, settle: Settle): void;
  spawned(asked: Asked, settle: Settle): void;
  /** The function of a child ended; gives what its parent gets. */
  joined(path: string, outcome: ChildOutcome): void;
  cancelled(path: string): void;
  decided(asked: Asked): void;
  transitioned(asked: Asked): number;
  patched(id: string): boolean;
  drawn(path: string, draw: 'clock' | 'random'): number;
  noted(type: string, data: Json, step: string | undefined, uses: readonly string[]): void;
  rolledOver(carried: Json): void;
}

export type ChildOutcome = { readonly value: Json } | { readonly error: ErrorText };

export interface ErrorText {
  readonly name: string;
  readonly message: string;
  readonly data?: Json;
}

type Work = (ctx: Context, ...rest: readonly unknown[]) => unknown;

class Scope {
  readonly path: string;
  readonly parent: Scope | undefined;
  readonly decisions = new Map<string, string>();
  live = true;
  private readonly counts = new Map<string, number>();

  constructor(path: string, parent: Scope | undefined) {
    this.path = path;
    this.parent = parent;
  }

  next(label: string): number {
    const n = this.counts.get(label) ?? 0;
    this.counts.set(label, n + 1);
    return n;
  }
}

/** What all contexts of one run share. */
interface Shared {
  readonly port: ContextPort;
  readonly scopes: Map<string, Scope>;
  readonly issued: Set<string>;
  readonly origins: WeakMap<object, string>;
  readonly markers: Map<string, boolean>;
}

/** Runs `main` in the root scope; the promise settles when it does, with what it was given back. */
export function startProgram(main: Work, input: Json, rootPath: string, port: ContextPort): Promise<unknown> {
  const root = new Scope(rootPath, undefined);
  const shared: Shared = {
    port,
    scopes: new Map([[rootPath, root]]),
    issued: new Set(),
    origins: new WeakMap(),
    markers: new Map(),
  };
  return enter(shared, root, main, input);
}

/** A scope that ended and is entered again goes on counting; a live twin counts apart, so that its commands collide. */
function openScope(shared: Shared, parent: Scope, path: string): Scope {
  const known = shared.scopes.get(path);
  if (known !== undefined && !known.live) {
    known.live = true;
    return known;
  }
  const scope = new Scope(path, parent);
  if (known === undefined) shared.scopes.set(path, scope);
  return scope;
}

function enter(shared: Shared, scope: Scope, work: Work, ...rest: readonly unknown[]): Promise<unknown> {
  let result: Promise<unknown>;
  try {
    result = Promise.resolve(work(new Context(shared, scope, undefined), ...rest));
  } catch (error) {
    result = Promise.reject(toError(error));
  }
  return result.then(
    (value) => {
      scope.live = false;
      return value;
    },
    (error: unknown) => {
      scope.live = false;
      throw error;
    },
  );
}

/** As it was thrown: what is no error stays what it is. */
function toError(thrown: unknown): Error {
  // Cast: a rejection may carry anything; nobody here reads it as an error.
  return thrown as Error;
}

function escapeName(name: string): string {
  return name.replace(/[%/#=]/g, encodeURIComponent);
}

function escapeKey(key: string): string {
  return key.replace(/[%/]/g, encodeURIComponent);
}

export class Context {
  readonly #shared: Shared;
  readonly #scope: Scope;
  readonly #step: string | undefined;

  constructor(shared: Shared, scope: Scope, step: string | undefined) {
    this.#shared = shared;
    this.#scope = scope;
    this.#step = step;
    Object.freeze(this);
  }

  model(name: string, args?: unknown, options?: CommandOptions): Promise<unknown> {
    return this.#command('model', name, args, options);
  }

  read(name: string, args?: unknown, options?: CommandOptions): Promise<unknown> {
    return this.#command('read', name, args, options);
  }

  write(name: string, args?: unknown, options?: CommandOptions): Promise<unknown> {
    return this.#command('write', name, args, options);
  }

  sleep(ms: number | string, options?: CommandOptions & { readonly name?: string }): Promise<unknown> {
    return this.#command('timer', options?.name ?? 'sleep', { ms: Math.max(0, Number(ms) || 0) }, options);
  }

  signal(name: string, options?: CommandOptions & { readonly match?: unknown }): Promise<unknown> {
    return this.#command('signal', name, options?.match === undefined ? {} : { match: options.match }, options);
  }

  child(name: string, input: unknown, work?: Work | CommandOptions, options?: CommandOptions): Promise<unknown> {
    if (typeof work !== 'function') return this.#command('child', name, input, work ?? options);
    const { port } = this.#shared;
    const asked = this.#asked('child', name, input, options);
    const promise = new Promise<Json>((resolve, reject) => {
      port.spawned(asked, this.#settling(asked.path, { resolve, reject }));
    });
    this.#shared.origins.set(promise, asked.path);
    const own = toJson(asked.args, null);
    enter(this.#shared, openScope(this.#shared, this.#scope, asked.path), work, own).then(
      (value) => {
        port.joined(asked.path, describeValue(value));
      },
      (error: unknown) => {
        port.joined(asked.path, { error: describeError(error) });
      },
    );
    return promise;
  }

  cancel(promise: object): void {
    const path = this.#shared.origins.get(promise);
    if (path !== undefined) this.#shared.port.cancelled(path);
  }

  decide<T>(
    name: string,
    chosen: T,
    options?: CommandOptions & { readonly alternatives?: readonly unknown[]; readonly because?: unknown },
  ): T {
    const asked = this.#identify('decide', name, options);
    this.#scope.decisions.set(name, asked.path);
    const alternatives = options?.alternatives;
    this.#shared.port.decided({
      ...asked,
      args: {
        chosen: toJson(chosen, null),
        ...(alternatives === undefined ? {} : { alternatives: toJson(alternatives, null) }),
      },
    });
    if (typeof chosen === 'object' && chosen !== null && !this.#shared.origins.has(chosen))
      this.#shared.origins.set(chosen, asked.path);
    return chosen;
  }

  state(
    name: string,
    value: unknown,
    options?: CommandOptions,
  ): Promise<{ readonly name: string; readonly n: number }> {
    const asked = this.#identify('state', name, options);
    const n = this.#shared.port.transitioned({ ...asked, args: toJson(value, null) });
    return Promise.resolve(this.#track(Object.freeze({ name, n }), asked.path));
  }

  patched(id: string): boolean {
    const { markers, port } = this.#shared;
    const known = markers.get(id) ?? port.patched(id);
    markers.set(id, known);
    return known;
  }

  pure<A, R>(name: string, args: A, work: (args: A) => R): R {
    this.#identify('pure', name, undefined);
    return work(args);
  }

  now(): number {
    return this.#draw('clock');
  }

  random(): number {
    return this.#draw('random');
  }

  record(type: string, data: unknown, options?: CommandOptions): void {
    this.#shared.port.noted(type, toJson(data, {}), this.#step, this.#uses(options));
  }

  async step(name: string, work: Work): Promise<unknown> {
    const scope = this.#scope;
    const label = `step:${escapeName(name)}`;
    const step = `${scope.path}/${label}#${String(scope.next(label))}`;
    const { port } = this.#shared;
    port.noted('step.started', { name }, step, []);
    try {
      const value = await work(new Context(this.#shared, scope, step));
      port.noted('step.completed', { name }, step, []);
      return value;
    } catch (error) {
      port.noted('step.completed', { name, error: toJson(describeError(error), null) }, step, []);
      throw error;
    }
  }

  scope(key: string, work: Work): Promise<unknown> {
    const path = `${this.#scope.path}/scope:${escapeKey(key)}`;
    return enter(this.#shared, openScope(this.#shared, this.#scope, path), work);
  }

  async all(parts: Readonly<Record<string, Work>>): Promise<Record<string, unknown>> {
    const pairs = await Promise.all(this.#parallel(parts, (label, value): [string, unknown] => [label, value]));
    return Object.fromEntries(pairs);
  }

  race(parts: Readonly<Record<string, Work>> | Iterable<unknown>): Promise<unknown> {
    if (isIterable(parts)) return Promise.race(parts);
    return Promise.race(this.#parallel(parts, (label, value) => ({ label, value })));
  }

  each(items: Iterable<unknown>, keyOf: unknown, work: Work): Promise<readonly unknown[]> {
    const list = Array.from(items);
    const keys = list.map((item, n) => String(toKey(keyOf, item, n)));
    return Promise.all(
      list.map((item, n) => {
        const path = `${this.#scope.path}/each=${escapeKey(keys[n] ?? '')}`;
        return enter(this.#shared, openScope(this.#shared, this.#scope, path), work, item, n);
      }),
    );
  }

  rollover(carried: unknown): Promise<never> {
    this.#shared.port.rolledOver(toJson(carried, null));
    return new Promise<never>(() => undefined);
  }

  #parallel<T>(
    parts: Readonly<Record<string, Work>>,
    wrap: (label: string, value: unknown) => T,
  ): readonly Promise<T>[] {
    return Object.entries(parts).map(([label, work]) => {
      const path = `${this.#scope.path}/par:${escapeKey(label)}`;
      return enter(this.#shared, openScope(this.#shared, this.#scope, path), work).then((value) => wrap(label, value));
    });
  }

  #command(kind: CommandKind, name: string, args: unknown, options: CommandOptions | undefined): Promise<unknown> {
    const asked = this.#asked(kind, name, args, options);
    const promise = new Promise<Json>((resolve, reject) => {
      this.#shared.port.issued(asked, this.#settling(asked.path, { resolve, reject }));
    });
    this.#shared.origins.set(promise, asked.path);
    return promise;
  }

  /** What a command hands over is known by the path it came from. */
  #settling(path: string, { resolve, reject }: Settle): Settle {
    return {
      resolve: (value) => {
        resolve(this.#track(value, path));
      },
      reject: (error) => {
        reject(this.#track(error, path));
      },
    };
  }

  #track<T>(value: T, path: string): T {
    if (typeof value === 'object' && value !== null) this.#shared.origins.set(value, path);
    return value;
  }

  #asked(kind: CommandKind, name: string, args: unknown, options: CommandOptions | undefined): Asked {
    const json = toJson(args, {});
    return {
      ...this.#identify(kind, name, options),
      args: json,
      selectedBy: this.#selection(options),
      idempotencyKey: options?.idempotencyKey,
      reads: options?.reads,
      writes: options?.writes,
    };
  }

  #identify(kind: string, name: string, options: CommandOptions | undefined): Asked {
    const label = `${kind}:${escapeName(name)}`;
    const key = options?.key;
    const tail = key === undefined ? `#${String(this.#scope.next(label))}` : `=${escapeKey(String(key))}`;
    const path = `${this.#scope.path}/${label}${tail}`;
    const { issued } = this.#shared;
    if (issued.has(path))
      throw new Error(
        `${path} is asked for a second time: give each of the two a key of its own, or a scope of its own.`,
      );
    issued.add(path);
    return { path, scope: this.#scope.path, kind, name, args: {}, uses: this.#uses(options), step: this.#step };
  }

  #uses(options: CommandOptions | undefined): readonly string[] {
    if (options?.uses === undefined) return [];
    const uses: readonly unknown[] = Array.isArray(options.uses) ? options.uses : [options.uses];
    const paths = uses.map((use) => (typeof use === 'string' ? use : this.#originOf(use)));
    return [...new Set(paths.filter((path) => path !== undefined))];
  }

  #originOf(value: unknown): string | undefined {
    return typeof value === 'object' && value !== null ? this.#shared.origins.get(value) : undefined;
  }

  /** The latest decision of that name in this scope or one around it, or a path. */
  #selection(options: CommandOptions | undefined): string | undefined {
    const by = options?.by;
    if (by === undefined) return undefined;
    if (typeof by === 'object' && by !== null) return this.#originOf(by);
    if (typeof by !== 'string') return undefined;
    for (let scope: Scope | undefined = this.#scope; scope !== undefined; scope = scope.parent) {
      const path = scope.decisions.get(by);
      if (path !== undefined) return path;
    }
    return by;
  }

  #draw(draw: 'clock' | 'random'): number {
    return this.#shared.port.drawn(`${this.#scope.path}/${draw}#${String(this.#scope.next(draw))}`, draw);
  }
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value;
}

function toKey(keyOf: unknown, item: unknown, n: number): unknown {
  if (typeof keyOf === 'function') return (keyOf as (item: unknown, n: number) => unknown)(item, n);
  return typeof item === 'object' && item !== null ? Reflect.get(item, String(keyOf)) : undefined;
}

/** A value that is not JSON is itself an error. */
export function describeValue(value: unknown): ChildOutcome {
  try {
    return { value: toJson(value, null) };
  } catch (error) {
    return { error: describeError(error) };
  }
}

export function describeError(thrown: unknown): ErrorText {
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown && typeof thrown.message === 'string') {
    const name = 'name' in thrown ? String(thrown.name) : 'Error';
    const data = 'data' in thrown ? toJsonOrNothing(thrown.data) : undefined;
    return { name, message: thrown.message, ...(data === undefined ? {} : { data }) };
  }
  return { name: 'Thrown', message: String(thrown), data: toJsonOrNothing(thrown) ?? null };
}

/** Data that is not JSON is not part of an outcome. */
function toJsonOrNothing(value: unknown): Json | undefined {
  try {
    return value === undefined ? undefined : toJson(value, null);
  } catch {
    return undefined;
  }
}

/** The error control code receives: name, message and data, and a stack that says no more. */
export function textToError({ name, message, data }: ErrorText): Error {
  const error = new Error(message);
  Object.defineProperty(error, 'name', { value: name, writable: true, configurable: true });
  if (data !== undefined) Object.defineProperty(error, 'data', { value: data, writable: true, configurable: true });
  Object.defineProperty(error, 'stack', {
    value: message === '' ? name : `${name}: ${message}`,
    writable: true,
    configurable: true,
  });
  return error;
}
