/** The control program as text: the recorded one, changed; or, where none is recorded, one that a person brings. */
import { useId, useMemo, useRef, useState } from 'react';
import { lineToShown } from '../../core/base/shown-text.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { Button } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { CodeEditor, type SyntaxDoubt } from '../../ui/CodeEditor.tsx';
import { useFileDrop } from '../../ui/drops.ts';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { Icon } from '../../ui/Icons.tsx';
import { notify } from '../../ui/notices.ts';
import { countToText } from '../../ui/format.ts';
import { FileChoice } from './FileChoice.tsx';
import { ProgramApi } from './ProgramApi.tsx';
import { ReferenceChoice } from './ReferenceChoice.tsx';
import { useReferences } from './use-references.ts';
import { WhyNotReplayable } from './WhyNotReplayable.tsx';
import type { ReplaySession } from './session.ts';
import styles from './Changes.module.css';

export interface ProgramEditorProps {
  readonly session: ReplaySession;
  /** A line to go to, until one types. */
  readonly place?: ProgramPlace | undefined;
}

export interface ProgramPlace {
  readonly line: number;
}

export function ProgramEditor({ session, place }: ProgramEditorProps) {
  const { isLoading, problem } = session.facts;
  if (isLoading || problem !== null) return <Awaited of={{ error: problem }} label="Reading the program" />;
  return <Editor session={session} place={place} />;
}

function Editor({ session, place }: ProgramEditorProps) {
  const { facts, draft, change, isUnverified } = session;
  const { name, version, source, isOfBranch } = facts.program;
  const recorded = source ?? '';
  const reference = useReferences(session);
  const [left, setLeft] = useState<ProgramPlace>();
  const [doubt, setDoubt] = useState<SyntaxDoubt>();
  const doubtId = useId();
  const lines = useMemo(
    () => (place === undefined || place === left ? undefined : [{ line: place.line, tone: 'current' as const }]),
    [place, left],
  );
  const set = (next: string): void => {
    setLeft(place);
    change((now) => ({ ...now, program: next === recorded ? undefined : next }));
  };
  const frame = useRef<HTMLDivElement>(null);
  const take = (file: File | undefined): void => {
    file?.text().then(
      (text) => set(text.replace(/^\uFEFF/, '')),
      () => notify('The file could not be read.', { tone: 'problem' }),
    );
  };
  useFileDrop(frame, take);
  return (
    <div className={styles['editor']} data-fills="true" ref={frame}>
      <header className={styles['title']}>
        <FamilyIcon family="run" />
        <div>
          <h2>{source !== undefined ? lineToShown(name) : (reference.chosen?.id ?? 'A control program you bring')}</h2>
          <p>
            {source === undefined
              ? (reference.chosen?.title ?? 'none is in this trace')
              : programToState({ version, isOfBranch }, draft.program !== undefined)}
          </p>
        </div>
        {isUnverified ? <Chip tone="warning">unverified program</Chip> : undefined}
        {source === undefined ? <ReferenceChoice choices={reference.choices} onProgram={set} /> : undefined}
        <FileChoice label="Open a file" accept=".js,.mjs,.ts,.mts,text/javascript" onFiles={([file]) => take(file)} />
        {draft.program === undefined ? undefined : <Button onPress={() => set(recorded)}>Reset</Button>}
      </header>
      {source !== undefined ? undefined : draft.program === undefined || isUnverified ? (
        <WhyNotReplayable session={session} />
      ) : (
        <p className={styles['hint']}>
          This program was verified here: its replay without a change repeats the record.
        </p>
      )}
      {reference.problem === undefined ? undefined : (
        <p className={styles['hint']} role="alert">
          {reference.problem}
        </p>
      )}
      <CodeEditor
        label="Control program"
        text={draft.program ?? recorded}
        onText={set}
        language="javascript"
        lines={lines}
        doubt={doubt}
        onSyntax={setDoubt}
        describedBy={doubtId}
        fills
      />
      <div id={doubtId} role="status">
        {doubt === undefined ? undefined : (
          <p className={styles['doubt']}>
            <Icon name="warning" size={12} /> Line {countToText(doubt.line)}: this cannot be read as a program, as far
            as the editor can tell. A replay says it for certain.
          </p>
        )}
      </div>
      <ProgramApi />
      <p className={styles['hint']}>
        <code>async function main(ctx, input)</code> in JavaScript or TypeScript (types are stripped line by line),
        typed, pasted or dropped here, runs in a sandbox without clock, chance, network or page. An endless loop ends at
        a limit, and Cancel stops it at once. <code>idempotencyKey</code> in the options of a write lets the service
        answer a second request instead of acting again; <code>key</code> only names a command.
      </p>
    </div>
  );
}

function programToState(
  { version, isOfBranch }: Pick<ReplaySession['facts']['program'], 'version' | 'isOfBranch'>,
  isChanged: boolean,
): string {
  // A changed program has no version of its own, and ran in a replay alone.
  if (isOfBranch) return isChanged ? 'changed for this branch, and again by you' : 'changed for this branch';
  return `version ${lineToShown(version ?? 'not recorded')}${isChanged ? ', changed by you' : ', as it ran'}`;
}
