/**
 * Replays what it is handed, in the interpreter as the page loads it, and answers with the digests; a failure is an answer too.
 */
import { type KeptReplay, replayKept } from '../../src/core/replay/testing/kept-replay.ts';
import { loadSandbox } from '../../src/platform/sandbox/page.ts';

async function replayAll(lines: readonly string[]): Promise<readonly unknown[]> {
  const sandbox = await loadSandbox();
  const digests: unknown[] = [sandbox.engine.digest];
  // Cast: lines of the kept set.
  for (const line of lines) digests.push(await replayKept(JSON.parse(line) as KeptReplay, sandbox));
  return digests;
}

self.addEventListener('message', (event: MessageEvent<readonly string[]>) => {
  replayAll(event.data).then(
    (digests) => self.postMessage({ digests }),
    (error: unknown) => self.postMessage({ failed: String(error) }),
  );
});
