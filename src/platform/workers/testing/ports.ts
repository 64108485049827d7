/**
 * Two ends of a port in one thread: messages are cloned and arrive later, as between a page and its worker.
 */
import type { Port, WorkerPort } from '../protocol.ts';

export interface PortPair {
  readonly page: WorkerPort;
  readonly worker: Port;
  /** The worker stops without a word; what it is sent afterwards is lost. */
  readonly die: (message: string) => void;
  readonly terminated: () => boolean;
}

export function createPortPair(): PortPair {
  const page = new EventTarget();
  const worker = new EventTarget();
  let alive = true;

  function post(target: EventTarget, message: unknown): void {
    const data: unknown = structuredClone(message);
    queueMicrotask(() => {
      if (alive) target.dispatchEvent(new MessageEvent('message', { data }));
    });
  }

  // Casts: an EventTarget takes any listener, and only message and error events are dispatched on these.
  return {
    page: {
      postMessage: (message) => post(worker, message),
      addEventListener: (type: string, listener: (event: never) => void) =>
        page.addEventListener(type, listener as EventListener),
      terminate: () => (alive = false),
    },
    worker: {
      postMessage: (message) => post(page, message),
      addEventListener: (type, listener) => worker.addEventListener(type, listener as EventListener),
    },
    die: (message) => {
      page.dispatchEvent(Object.assign(new Event('error'), { message }));
      alive = false;
    },
    terminated: () => !alive,
  };
}
