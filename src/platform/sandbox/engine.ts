/**
 * The interpreter: one compiled WebAssembly module, instantiated afresh for every session, so that where memory runs out
 * does not depend on what ran before. Composed with bytes by `node.ts` and `page.ts`, which differ in nothing else.
 */
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';
import { sha256Hex, textToUtf8 } from '../../core/base/hash.ts';
import type { Sandbox, SandboxOptions } from '../../core/replay/sandbox-port.ts';
import { preludeSource } from './prelude.ts';
import { createSession } from './session.ts';

export const engineVersion = '0.32.0';

export async function createSandbox(wasm: Uint8Array<ArrayBuffer>): Promise<Sandbox> {
  const wasmModule = await WebAssembly.compile(wasm);
  const prelude = textToUtf8(preludeSource);
  const digest = `sha256:${sha256Hex(`${sha256Hex(wasm)}\n${sha256Hex(prelude)}`)}`;
  return {
    engine: { name: 'quickjs', version: engineVersion, digest },
    async createSession(options: SandboxOptions) {
      const module = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule }));
      return createSession(module, options);
    },
  };
}
