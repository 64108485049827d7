/**
 * Starts one worker as the product does and shows what it answered.
 */
import { startModuleWorker } from '../../src/platform/workers/start-worker.ts';
import workerUrl from './probe.worker.ts?worker&url';

function show(text: string): void {
  const output = document.querySelector('output');
  if (output !== null) output.textContent = text;
}

const query = new URLSearchParams(location.search);
// The direct way is the one the product avoids; it is here to show why.
const worker = query.has('direct')
  ? new Worker(new URL(workerUrl, import.meta.url), { type: 'module' })
  : startModuleWorker(workerUrl, 'probe');
worker.addEventListener('message', (event: MessageEvent<unknown>) => show(JSON.stringify(event.data)));
worker.addEventListener('error', () => show('the worker did not start'));
worker.postMessage({ foreign: query.get('foreign') });
