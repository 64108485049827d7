/** Loads the interpreter's bytes in a page's worker, from the site itself, when the first replay asks for it. */
import wasmUrl from '@jitl/quickjs-wasmfile-release-sync/wasm?url';
import type { Sandbox } from '../../core/replay/sandbox-port.ts';
import { createSandbox } from './engine.ts';

let loading: Promise<Sandbox> | undefined;

export function loadSandbox(): Promise<Sandbox> {
  loading ??= fetch(wasmUrl)
    .then((response) => {
      if (!response.ok) throw new Error(`The sandbox could not be loaded (HTTP ${String(response.status)}).`);
      return response.arrayBuffer();
    })
    .then((buffer) => createSandbox(new Uint8Array(buffer)))
    .catch((error: unknown) => {
      // A failed load must not be remembered: the next replay tries again.
      loading = undefined;
      throw error;
    });
  return loading;
}
