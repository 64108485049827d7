/** The control program as text: the recorded one, changed; or, where none is recorded, one that a person brings. */
import { Button } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { CodeEditor } from '../../ui/CodeEditor.tsx';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { Waiting } from '../../ui/Progress.tsx';
import { WhyNotReplayable } from './WhyNotReplayable.tsx';
import type { ReplaySession } from './session.ts';
import styles from './Changes.module.css';

export function ProgramEditor({ session }: { readonly session: ReplaySession }) {
  const { facts, draft, change, isUnverified } = session;
  const { name, version, source } = facts.program;
  if (facts.isLoading) return <Waiting label="Reading the program" />;
  const recorded = source ?? '';
  const set = (next: string): void => {
    change((now) => ({ ...now, program: next === recorded ? undefined : next }));
  };
  return (
    <div className={styles['editor']} data-fills="true">
      <header className={styles['title']}>
        <FamilyIcon family="run" />
        <div>
          <h2>{source === undefined ? 'A control program you bring' : name}</h2>
          <p>
            {source === undefined
              ? 'none is in this trace'
              : `version ${version ?? 'not recorded'}${draft.program === undefined ? ', as it ran' : ', changed by you'}`}
          </p>
        </div>
        {isUnverified ? <Chip tone="warning">unverified program</Chip> : undefined}
        {draft.program === undefined ? undefined : <Button onPress={() => set(recorded)}>Reset</Button>}
      </header>
      {source === undefined ? <WhyNotReplayable session={session} /> : undefined}
      <CodeEditor label="Control program" text={draft.program ?? recorded} onText={set} language="javascript" fills />
      <p className={styles['hint']}>
        <code>async function main(ctx, input)</code> in JavaScript or TypeScript (types are stripped line by line) runs
        in a sandbox without clock, chance, network or page. An endless loop ends at a limit, and Cancel stops it at
        once.
      </p>
    </div>
  );
}
