/** What every mark on screen means, by the place where it is met. All of them stand in legend-marks.ts. */
import type { ReactNode } from 'react';
import { StatusBadge, StatusSign, branchStatuses } from './Chip.tsx';
import { Dialog } from './Dialog.tsx';
import { FamilyIcon, familyLegend } from './FamilyIcon.tsx';
import { type DrawnMarkId, LegendSign } from './LegendSign.tsx';
import {
  basisMarks,
  branchMarks,
  edgeMarks,
  findingMarks,
  graphMarks,
  overviewMarks,
  previewMarks,
  timelineMarks,
  transcriptMarks,
} from './legend-marks.ts';
import styles from './Legend.module.css';

export function EdgeSample({ grade }: { readonly grade: 'recorded' | 'inferred' | 'clock-only' }) {
  return (
    <svg className={styles['edge']} data-grade={grade} viewBox="0 0 36 10" aria-hidden="true" focusable="false">
      <path d="M1 5h28" />
      <path d="m29 1.5 5 3.5-5 3.5" />
    </svg>
  );
}

/** The ids of all marks the legend shows, for the test that holds it to what is drawn. */
export const legendIds: ReadonlySet<string> = new Set([
  ...familyLegend.map(({ family }) => `family:${family}`),
  ...[
    edgeMarks,
    overviewMarks,
    graphMarks,
    timelineMarks,
    transcriptMarks,
    previewMarks,
    branchMarks,
    findingMarks,
    basisMarks,
  ].flatMap((marks) => marks.map(({ id }) => id)),
]);

export function Legend({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Dialog title="Legend" isOpen={isOpen} onClose={onClose} size="large">
      <div className={styles['columns']}>
        <Group title="Events">
          {familyLegend.map(({ family, name, meaning }) => (
            <Row key={family} sign={<FamilyIcon family={family} />} name={name} meaning={meaning} />
          ))}
        </Group>
        <Group title="Edges, by what supports them">
          {edgeMarks.map(({ id, grade, name, meaning }) => (
            <Row key={id} sign={<EdgeSample grade={grade} />} name={name} meaning={meaning} />
          ))}
        </Group>
        <Drawn title="Overview of the run" marks={overviewMarks} />
        <Drawn title="Graph" marks={graphMarks} />
        <Drawn title="Timeline" marks={timelineMarks} />
        <Drawn title="Transcript" marks={transcriptMarks} />
        <Drawn title="Findings" marks={findingMarks} />
        <Drawn title="What is there, and what is not" marks={basisMarks} />
        <Drawn title="What an edit would do" marks={previewMarks} />
        <Group title="Records on a branch">
          {branchMarks.map(({ id, name, meaning }) => {
            const status = branchStatuses.find((one) => one === name);
            return status === undefined ? (
              <Row key={id} sign={<Tick />} name={name} meaning={meaning} />
            ) : (
              <Row key={id} sign={<StatusBadge status={status} />} name="" meaning={meaning} />
            );
          })}
        </Group>
      </div>
    </Dialog>
  );
}

function Tick() {
  return (
    <span className={styles['sign']} data-mark="branch:inherited">
      <StatusSign status="reused" />
    </span>
  );
}

function Drawn({
  title,
  marks,
}: {
  readonly title: string;
  readonly marks: readonly { readonly id: DrawnMarkId; readonly name: string; readonly meaning: string }[];
}) {
  return (
    <Group title={title}>
      {marks.map(({ id, name, meaning }) => (
        <Row key={id} sign={<LegendSign id={id} />} name={name} meaning={meaning} />
      ))}
    </Group>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul>{children}</ul>
    </section>
  );
}

function Row({ sign, name, meaning }: { readonly sign: ReactNode; readonly name: string; readonly meaning: string }) {
  return (
    <li>
      {sign}
      <span>
        {name === '' ? undefined : <b>{name}</b>} {meaning}
      </span>
    </li>
  );
}
