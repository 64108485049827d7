/** Kinds of commands as event families, for icons; and what each kind asks for, in words. */
const families: Readonly<Record<string, string>> = {
  model: 'model',
  read: 'tool',
  write: 'effect',
  state: 'state',
  decide: 'step',
  child: 'handoff',
  timer: 'observation',
  signal: 'observation',
  draw: 'observation',
  marker: 'branch',
  pure: 'check',
};

export function kindToFamily(kind: string): string {
  return families[kind] ?? 'unknown';
}

/** Records of a trace without commands are named by their event type, and have no path. */
export function isCommandPathOf({ path }: { readonly path: string }): boolean {
  return path !== '';
}

const words: Readonly<Record<string, string>> = {
  model: 'model call',
  read: 'read',
  write: 'external effect',
  state: 'state',
  decide: 'decision',
  child: 'sub-agent',
  timer: 'timer',
  signal: 'signal',
  draw: 'draw',
  marker: 'marker',
  pure: 'computation',
};

export function kindToWords(kind: string): string {
  return words[kind] ?? kind;
}
