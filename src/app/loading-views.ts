/**
 * Views whose code is on its way, and the keys pressed until it is there.
 *
 * Invariant: a key is kept only while a view is on its way, each once, and never past a change of the address: it was meant for what
 * was being opened. Told by `LoadingView`, read by the keyboard and the flag for tests.
 */
type Listener = () => void;

const listeners = new Set<Listener>();
let count = 0;
let kept: readonly string[] = [];

function set(next: number): void {
  count = next;
  for (const listener of listeners) listener();
}

/** Counts one that is on its way; the result says that it is there. */
export function beginLoading(): () => void {
  set(count + 1);
  return () => set(count - 1);
}

export function isViewLoading(): boolean {
  return count > 0;
}

export function subscribeToLoading(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps a key that has no command yet; false where nothing is on its way. Who presses it again because nothing happened means it once. */
export function keepKey(key: string): boolean {
  if (count === 0) return false;
  if (!kept.includes(key)) kept = [...kept, key];
  return true;
}

/** Runs what was kept, in its order; what `run` refuses waits on for the view that is still on its way. */
export function runKeptKeys(run: (key: string) => boolean): void {
  const tried = kept;
  kept = [];
  const left = tried.filter((key) => !run(key));
  if (count > 0) kept = [...left, ...kept];
}

export function forgetKeys(): void {
  kept = [];
}
