/** The reference programs for the kind of loop that a trace records, to be taken into the editor, where their source is shown. */
import { Button } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import type { Reference } from './use-references.ts';

export interface ReferenceChoiceProps {
  /** The one whose loop fits first. */
  readonly choices: readonly Reference[];
  readonly onProgram: (source: string) => void;
}

export function ReferenceChoice({ choices, onProgram }: ReferenceChoiceProps) {
  if (choices.length === 0) return undefined;
  const entries = choices.map(({ id, title, source, fits }) => ({
    id,
    label: id,
    detail: fits ? `${title} · fits what this run asked for` : title,
    run: () => onProgram(source),
  }));
  return (
    <Menu label="Reference programs" trigger={<Button icon="info">Reference program</Button>} groups={[{ entries }]} />
  );
}
