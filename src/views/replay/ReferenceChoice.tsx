/** The reference programs for the kind of loop that a trace records, to be taken into the editor, where their source is shown. */
import { type TraceId, useReferencePrograms } from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { notify } from '../../ui/notices.ts';

export interface ReferenceChoiceProps {
  readonly trace: TraceId;
  readonly onProgram: (source: string) => void;
}

export function ReferenceChoice({ trace, onProgram }: ReferenceChoiceProps) {
  const { fitting, read } = useReferencePrograms(trace);
  if (fitting.length === 0) return undefined;
  const entries = fitting.map((program) => ({
    id: program.id,
    label: program.id,
    detail: program.title,
    run: () => {
      read(program).then(onProgram, () => {
        notify('The reference program could not be read.', { tone: 'problem' });
      });
    },
  }));
  return (
    <Menu label="Reference programs" trigger={<Button icon="info">Reference program</Button>} groups={[{ entries }]} />
  );
}
