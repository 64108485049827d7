/**
 * The one way a worker is started.
 *
 * Invariant: every worker is bound by the content security policy of the page. A worker started straight from its
 * file takes its policy from that file's response headers, and a static host sends none: it could reach any origin.
 * A worker started from a `blob:` address inherits the policy of its creator. So the worker is a blob module of one
 * line that imports the built file.
 *
 * Called by the worker clients with an address from `import url from './x.worker.ts?worker&url'`.
 */

/**
 * Starts a module worker from the address of its built file.
 *
 * The one-line module is let go when the worker says its first word (or fails): it has been read by then. Revoking
 * earlier would be right by the standard, but not every browser reads the address at once.
 */
export function startModuleWorker(builtUrl: string | URL, name: string): Worker {
  const absolute = new URL(builtUrl, import.meta.url).href;
  const source = new Blob([`import ${JSON.stringify(absolute)};\n`], { type: 'text/javascript' });
  const address = URL.createObjectURL(source);
  const worker = new Worker(address, { type: 'module', name });
  const settled = new AbortController();
  const release = (): void => {
    settled.abort();
    URL.revokeObjectURL(address);
  };
  worker.addEventListener('message', release, { signal: settled.signal });
  worker.addEventListener('error', release, { signal: settled.signal });
  return worker;
}
