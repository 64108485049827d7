/**
 * The marks of the legend as pictures: the same shapes and colours as where they are met, drawn small.
 *
 * Called by the legend alone; decorative, because the words stand beside.
 */
import type { ReactNode } from 'react';
import { type BranchStatus, DoesNotApply, NotRecorded, StatusSign, Withheld } from './Chip.tsx';
import { Icon, type IconName } from './Icons.tsx';
import type {
  BasisMarkId,
  FindingMarkId,
  GraphMarkId,
  OverviewMarkId,
  PreviewMarkId,
  TimelineMarkId,
  TranscriptMarkId,
} from './legend-marks.ts';
import styles from './Legend.module.css';

/** A line through the middle, which ticks and dots stand on. */
const lane = <path className={styles['faintLine']} d="M0 9h36" />;

const overview: Readonly<Record<OverviewMarkId, ReactNode>> = {
  'overview:lane': (
    <>
      {lane}
      <path d="M0 9h36" className={styles['faintLine']} />
    </>
  ),
  'overview:tick': (
    <>
      {lane}
      <rect x="9" y="5.5" width="5" height="7" rx="2" className={styles['model']} />
      <rect x="16" y="5.5" width="5" height="7" rx="2" className={styles['state']} />
      <rect x="23" y="3.5" width="5" height="11" rx="2" className={styles['tool']} />
    </>
  ),
  'overview:at-once': (
    <>
      {lane}
      <rect x="9" y="5.5" width="5" height="7" rx="2" className={styles['tool']} />
      <rect x="16" y="5.5" width="5" height="7" rx="2" className={styles['tool']} />
      <rect x="23" y="5.5" width="5" height="7" rx="2" className={styles['tool']} />
      <path d="M8 14h21M8 16h21" className={styles['plain']} strokeWidth="1" />
    </>
  ),
  'overview:effect': (
    <>
      {lane}
      <rect x="15.5" y="2" width="5" height="14" rx="2" className={styles['effect']} />
    </>
  ),
  'overview:failure': (
    <>
      {lane}
      <rect x="15.5" y="5.5" width="5" height="7" rx="2" className={styles['dangerFill']} />
    </>
  ),
  'overview:kill': <path className={styles['danger']} d="m14 5 8 8m0-8-8 8" />,
  'overview:restart': <path className={styles['plain']} d="M21.3 11.3a4 4 0 1 1-.1-4.7" />,
  'overview:fork': <path className={styles['accent']} d="m14 14 4-5V4m0 5 4 5" />,
  'overview:finding': <path className={styles['warningFill']} d="m18 4 5 9H13Z" />,
  'overview:gap': <circle className={styles['dashed']} cx="18" cy="9" r="4.5" />,
  'overview:selection': <path className={styles['accent']} d="M18 0v18" />,
};

const graph: Readonly<Record<GraphMarkId, ReactNode>> = {
  'graph:effect': <rect className={styles['effectNode']} x="2" y="3" width="32" height="12" rx="3" />,
  'graph:insertion-point': <rect className={styles['insertion']} x="2" y="3" width="32" height="12" rx="3" />,
  'graph:gap': <rect className={styles['dashed']} x="2" y="3" width="32" height="12" rx="3" />,
  'graph:findings': <SmallText icon="warning" text="2" tone="danger" />,
  'graph:rim': <SmallText text="↑ 3" tone="rim" />,
  'graph:lane': (
    <>
      <rect className={styles['band']} x="4" y="0" width="28" height="18" />
      <path className={styles['faintLine']} d="M4 0v18" />
    </>
  ),
};

const timeline: Readonly<Record<TimelineMarkId, ReactNode>> = {
  'timeline:dot': (
    <>
      <path className={styles['faintLine']} d="M12 0v18M24 0v18" />
      <circle className={styles['model']} cx="12" cy="9" r="3.5" />
    </>
  ),
  'timeline:effect': (
    <>
      <path className={styles['faintLine']} d="M12 0v18M24 0v18" />
      <circle className={styles['effect']} cx="24" cy="9" r="5" />
    </>
  ),
};

const icons: Readonly<Record<Exclude<TranscriptMarkId, 'transcript:under'> | FindingMarkId, IconName>> = {
  'transcript:executed-twice': 'warning',
  'transcript:recorded-twice': 'copy',
  'transcript:problem': 'warning',
  'transcript:cannot-answer': 'help',
  'transcript:folded': 'menu',
  'finding:violation': 'warning',
  'finding:gap': 'close',
  'finding:notice': 'info',
};

const previewSigns: Readonly<Record<Exclude<PreviewMarkId, 'preview:frontier'>, BranchStatus>> = {
  'preview:edited': 'superseded',
  'preview:falls': 'removed',
  'preview:may-fall': 'suspect',
  'preview:unknown': 'unknown',
  'preview:holds': 'changed',
  'preview:stands': 'reused',
};

export type DrawnMarkId =
  OverviewMarkId | GraphMarkId | TranscriptMarkId | TimelineMarkId | PreviewMarkId | FindingMarkId | BasisMarkId;

export function LegendSign({ id }: { readonly id: DrawnMarkId }) {
  if (isKeyOf(overview, id)) return <Picture>{overview[id]}</Picture>;
  if (isKeyOf(timeline, id)) return <Picture>{timeline[id]}</Picture>;
  if (id === 'graph:findings' || id === 'graph:rim') return <span className={styles['sign']}>{graph[id]}</span>;
  if (isKeyOf(graph, id)) return <Picture>{graph[id]}</Picture>;
  if (id === 'preview:frontier')
    return (
      <Picture>
        <path className={styles['frontier']} d="M0 9h36" />
      </Picture>
    );
  if (isKeyOf(previewSigns, id))
    return (
      <span className={styles['sign']} data-mark={id}>
        <StatusSign status={previewSigns[id]} />
      </span>
    );
  if (id === 'transcript:under') return <span className={styles['sign']}>↳</span>;
  if (isKeyOf(icons, id))
    return (
      <span className={styles['sign']} data-mark={id}>
        <Icon name={icons[id]} />
      </span>
    );
  return <Basis id={id} />;
}

function Basis({ id }: { readonly id: BasisMarkId }) {
  switch (id) {
    case 'basis:not recorded':
      return <NotRecorded />;
    case 'basis:withheld':
      return <Withheld />;
    case 'basis:does not apply':
      return (
        <span className={styles['sign']}>
          <DoesNotApply />
        </span>
      );
    case 'basis:derived':
      return <span className={styles['derived']}>derived</span>;
  }
}

function isKeyOf<K extends string>(table: Readonly<Record<K, unknown>>, id: string): id is K {
  return Object.hasOwn(table, id);
}

function Picture({ children }: { readonly children: ReactNode }) {
  return (
    <svg className={styles['picture']} viewBox="0 0 36 18" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

function SmallText({
  icon,
  text,
  tone,
}: {
  readonly icon?: IconName;
  readonly text: string;
  readonly tone: 'danger' | 'rim';
}) {
  return (
    <span className={styles['small']} data-tone={tone} aria-hidden="true">
      {icon === undefined ? undefined : <Icon name={icon} size={12} />}
      {text}
    </span>
  );
}
