/** Kinds of commands as nouns of a sentence. Used by the sentences of a replay and of its differences. */
import { createTable } from '../base/table.ts';

const kindTexts: Readonly<Record<string, string>> = createTable({
  model: 'model call',
  write: 'external effect',
  child: 'sub-agent',
  decide: 'decision',
  pure: 'computation',
});

export function kindToText(kind: string): string {
  return kindTexts[kind] ?? kind;
}
