/**
 * The interpreter: one compiled and metered WebAssembly module, instantiated afresh for every session, so that where memory or
 * computing runs out does not depend on what ran before. Composed with bytes by `node.ts` and `page.ts`, which differ in nothing else.
 */
import plainVariant from '@jitl/quickjs-wasmfile-release-sync';
import { type QuickJSWASMModule, newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';
import { assert } from '../../core/base/assert.ts';
import { sha256Hex } from '../../core/base/hash.ts';
import type { Sandbox, SandboxCheckpoint, SandboxOptions } from '../../core/replay/sandbox-port.ts';
import { SessionCheckpoint } from './checkpoint.ts';
import { type DirectCalls, withDirectCalls } from './direct.ts';
import { fuelExport, meterModule } from './meter.ts';
import { preludeSource } from './prelude.ts';
import { createSession, resumeSession } from './session.ts';

export const engineVersion = '0.32.0';

/** One instance: the interpreter and its two gauges. */
export interface Interpreter {
  readonly module: QuickJSWASMModule;
  readonly direct: DirectCalls;
  readonly memory: WebAssembly.Memory;
  /** What the memory began with; the limit counts from there. */
  readonly initialBytes: number;
  /** What it may still compute; below zero it traps. */
  readonly fuel: { value: bigint };
  /** The last growth of its memory was refused; the fuel is gone then too. */
  readonly isMemorySpent: () => boolean;
}

export async function createSandbox(wasm: Uint8Array): Promise<Sandbox> {
  const metered = meterModule(wasm);
  const compiled = await WebAssembly.compile(metered);
  const digest = `sha256:${sha256Hex(`${await moduleToHex(metered)}\n${sha256Hex(preludeSource)}`)}`;
  return {
    engine: { name: 'quickjs', version: engineVersion, digest },
    async createSession(options: SandboxOptions) {
      return createSession(await createInterpreter(compiled, options.limits.memoryBytes, initialPages), options);
    },
    async resume(options: SandboxOptions, checkpoint: SandboxCheckpoint) {
      assert(checkpoint instanceof SessionCheckpoint, 'a checkpoint comes from a session of this sandbox');
      const { pages } = checkpoint.memory;
      return resumeSession(await createInterpreter(compiled, options.limits.memoryBytes, pages), options, checkpoint);
    },
  };
}

/** The host's own hash is many times faster over half a megabyte; a page that is not a secure context has none. */
async function moduleToHex(module: Uint8Array<ArrayBuffer>): Promise<string> {
  if (!('crypto' in globalThis) || !('subtle' in crypto)) return sha256Hex(module);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', module));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const pageBytes = 65_536;
/** What the interpreter asks for at the start, its own data included; the limit counts from there. */
const initialPages = 256;

/** `pages`: how much memory it has at once; more than at the start when it goes on from a checkpoint. */
async function createInterpreter(
  compiled: WebAssembly.Module,
  memoryBytes: number,
  pages: number,
): Promise<Interpreter> {
  const maximum = Math.min(initialPages + Math.ceil(memoryBytes / pageBytes), 32_768);
  const memory = new WebAssembly.Memory({ initial: pages, maximum });
  const gauge: { fuel?: WebAssembly.Global<'i64'> } = {};
  const isMemorySpent = stopWhenSpent(memory, gauge);
  const { variant, calls } = withDirectCalls(plainVariant);
  // The loader waits for ever when instantiation fails, so the failure goes past it.
  const module = await new Promise<QuickJSWASMModule>((resolve, reject) => {
    const instantiate = (
      imports: WebAssembly.Imports,
      onSuccess: (instance: WebAssembly.Instance) => void,
    ): WebAssembly.Exports => {
      WebAssembly.instantiate(compiled, imports)
        .then((instance) => {
          const fuel = instance.exports[fuelExport];
          assert(isCounter(fuel), 'a metered module exports its counter');
          gauge.fuel = fuel;
          onSuccess(instance);
        })
        .catch(reject);
      return {};
    };
    const options = { wasmMemory: memory, emscriptenModule: { instantiateWasm: instantiate } };
    newQuickJSWASMModuleFromVariant(newVariant(variant, options)).then(resolve, reject);
  });
  assert(gauge.fuel !== undefined, 'an instance has its counter');
  return { module, direct: calls, memory, initialBytes: initialPages * pageBytes, fuel: gauge.fuel, isMemorySpent };
}

function isCounter(value: unknown): value is WebAssembly.Global<'i64'> {
  return value instanceof WebAssembly.Global && typeof value.value === 'bigint';
}

/** A refused growth takes the fuel away: the interpreter stops there instead of handing guest code an error it could catch. */
function stopWhenSpent(memory: WebAssembly.Memory, gauge: { fuel?: WebAssembly.Global<'i64'> }): () => boolean {
  const grow = memory.grow.bind(memory);
  let before: bigint | undefined;
  memory.grow = (pages) => {
    const { fuel } = gauge;
    try {
      const size = grow(pages);
      // The allocator asks for more than it needs first; what counts is whether it gets what it needs.
      if (before !== undefined && fuel !== undefined) fuel.value = before;
      before = undefined;
      return size;
    } catch (error) {
      before ??= fuel?.value;
      if (fuel !== undefined) fuel.value = -1n;
      throw error;
    }
  };
  return () => before !== undefined;
}
