/**
 * Starts one worker as the product does and shows what it answered. With `?replays` it starts another one instead, which replays the
 * streams it is handed and answers with their digests.
 */
import { startModuleWorker } from '../../src/platform/workers/start-worker.ts';
import workerUrl from './probe.worker.ts?worker&url';
import replaysUrl from './replays.worker.ts?worker&url';

function show(text: string): void {
  const output = document.querySelector('output');
  if (output !== null) output.textContent = text;
}

const query = new URLSearchParams(location.search);
if (query.has('replays')) {
  const worker = startModuleWorker(replaysUrl, 'replays');
  worker.addEventListener('message', (event: MessageEvent<unknown>) => {
    document.dispatchEvent(new CustomEvent('replayed', { detail: event.data }));
  });
  document.addEventListener('replay', (event) => {
    if (event instanceof CustomEvent) worker.postMessage(event.detail);
  });
} else startProbe();

function startProbe(): void {
  // The direct way is the one the product avoids; it is here to show why.
  const worker = query.has('direct')
    ? new Worker(new URL(workerUrl, import.meta.url), { type: 'module' })
    : startModuleWorker(workerUrl, 'probe');
  worker.addEventListener('message', (event: MessageEvent<unknown>) => show(JSON.stringify(event.data)));
  worker.addEventListener('error', () => show('the worker did not start'));
  worker.postMessage({ foreign: query.get('foreign') });
}
