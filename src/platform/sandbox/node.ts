/** Loads the interpreter's bytes under Node: command line, recording runtime, tests. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Sandbox } from '../../core/replay/sandbox-port.ts';
import { createSandbox } from './engine.ts';

let loading: Promise<Sandbox> | undefined;

/** The same sandbox for every caller of this process; sessions share nothing but compiled code. */
export function loadSandbox(): Promise<Sandbox> {
  loading ??= readFile(createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')).then(
    (bytes) => createSandbox(new Uint8Array(bytes)),
  );
  return loading;
}
