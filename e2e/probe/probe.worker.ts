/**
 * Tries, from inside a worker, what the policy must refuse and what it must allow.
 */
import wasmUrl from '@jitl/quickjs-wasmfile-release-sync/wasm?url';

interface Attempt {
  readonly foreign: string;
}

/** The smallest valid module: a header and nothing else. */
const emptyWasm = new Uint8Array([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);

async function outcome(action: () => unknown): Promise<string> {
  try {
    await action();
    return 'allowed';
  } catch (error) {
    return error instanceof Error ? `refused: ${error.name}` : 'refused';
  }
}

function evaluate(text: string): unknown {
  return Reflect.construct(Function, [text]);
}

async function attempt({ foreign }: Attempt): Promise<Readonly<Record<string, string>>> {
  return {
    started: self.location.protocol,
    foreignFetch: await outcome(() => fetch(foreign)),
    foreignImport: await outcome(() => import(/* @vite-ignore */ `${foreign}/x.js`)),
    eval: await outcome(() => evaluate('return 1')),
    ownFetch: await outcome(() => fetch(new URL(/* @vite-ignore */ '../index.html', import.meta.url))),
    ownChunk: await outcome(() => import('./probe-chunk.ts')),
    ownAsset: await outcome(() => WebAssembly.compileStreaming(fetch(new URL(wasmUrl, import.meta.url)))),
    wasm: await outcome(() => WebAssembly.compile(emptyWasm)),
  };
}

self.addEventListener('message', (event: MessageEvent<Attempt>) => {
  attempt(event.data).then(
    (outcomes) => self.postMessage(outcomes),
    (error: unknown) => self.postMessage({ failed: String(error) }),
  );
});
