/**
 * Kinds of commands as event families, for icons; and what each kind asks for, in words.
 * Maps, because a kind is whatever a file says: also `constructor`.
 */
const families = new Map(
  Object.entries({
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
  }),
);

export function kindToFamily(kind: string): string {
  return families.get(kind) ?? 'unknown';
}

/** Records of a trace without commands are named by their event type, and have no path. */
export function isCommandPathOf({ path }: { readonly path: string }): boolean {
  return path !== '';
}

const words = new Map(
  Object.entries({
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
  }),
);

export function kindToWords(kind: string): string {
  return words.get(kind) ?? kind;
}
