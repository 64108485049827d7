/**
 * Event families: an icon and a hue together, never a hue alone.
 *
 * The icon is one per family of the stream, the hue is one per group of families (families.css). What left the system
 * is the only one drawn solid: it cannot be taken back.
 */
import type { ReactNode } from 'react';
import styles from './FamilyIcon.module.css';

const shapes: ReadonlyMap<string, ReactNode> = new Map<string, ReactNode>([
  ['model', <path key="" d="M8 2c.5 3.4 2.6 5.5 6 6-3.4.5-5.5 2.6-6 6-.5-3.4-2.6-5.5-6-6 3.4-.5 5.5-2.6 6-6Z" />],
  ['tool', <path key="" d="m3 4.5 3.5 3.5L3 11.5M8.5 12H13" />],
  ['effect', <path key="" d="M7 3.5H3.5v9h9V9M9.5 3H13v3.5M12.8 3.2 7.5 8.5" />],
  [
    'state',
    <g key="">
      <ellipse cx="8" cy="4" rx="4.7" ry="1.9" />
      <path d="M3.3 4v8c0 1 2.1 1.9 4.7 1.9s4.7-.9 4.7-1.9V4M3.3 8c0 1 2.1 1.9 4.7 1.9s4.7-.9 4.7-1.9" />
    </g>,
  ],
  ['artifact', <path key="" d="M4 2.5h5l3 3v8H4v-11Zm5 0v3h3M6 8.5h4M6 11h4" />],
  [
    'observation',
    <g key="">
      <path d="M1.8 8S4.2 3.8 8 3.8 14.2 8 14.2 8 11.8 12.2 8 12.2 1.8 8 1.8 8Z" />
      <circle cx="8" cy="8" r="1.7" />
    </g>,
  ],
  ['governance', <path key="" d="M8 2 3 4v3.8c0 3 2.2 5 5 6.2 2.8-1.2 5-3.2 5-6.2V4L8 2Zm-2.2 6 1.6 1.6 2.9-3" />],
  ['check', <path key="" d="M3.5 3.5h9v9h-9v-9ZM5.7 8l1.7 1.7 3-3.3" />],
  [
    'handoff',
    <g key="">
      <circle cx="3.6" cy="8" r="1.7" />
      <circle cx="12.4" cy="8" r="1.7" />
      <path d="M5.8 8h4M8.2 6l1.8 2-1.8 2" />
    </g>,
  ],
  ['fault', <path key="" d="M9 1.8 3.5 9H8l-1 5.2L12.5 7H8l1-5.2Z" />],
  ['run', <path key="" d="M4.5 2.8v10.4L13 8 4.5 2.8Z" />],
  ['step', <path key="" d="m8 2.2 5.8 5.8L8 13.8 2.2 8 8 2.2Z" />],
  [
    'branch',
    <g key="">
      <circle cx="4.5" cy="3.5" r="1.5" />
      <circle cx="4.5" cy="12.5" r="1.5" />
      <circle cx="11.5" cy="5.5" r="1.5" />
      <path d="M4.5 5v6M11.5 7c0 2.5-3 2-5.5 3" />
    </g>,
  ],
  ['trial', <path key="" d="M6.3 2.3h3.4M7 2.3V7l-3.7 6h9.4L9 7V2.3M5.2 10.3h5.6" />],
  ['stream', <path key="" d="M2.5 4.5h11M2.5 8h7.5m-7.5 3.5H12" />],
  ['share', <path key="" d="M8 10V2.5M5 5.2 8 2.3l3 2.9M4.5 8H3v5.5h10V8h-1.5" />],
  ['note', <path key="" d="M3 3h10v7.5L9.8 13H3V3Zm2.5 3h5M5.5 8.5h3" />],
]);

const unknownShape = (
  <>
    <circle cx="8" cy="8" r="5.8" />
    <path d="M6.3 6.5a1.7 1.7 0 1 1 2.5 1.5c-.6.3-.8.6-.8 1.2M8 11v.2" />
  </>
);

export interface FamilyIconProps {
  readonly family: string;
  /** Left the system: drawn solid whatever the family. */
  readonly effect?: boolean;
  readonly failed?: boolean;
  readonly size?: 'small' | 'normal';
}

export function FamilyIcon({ family, effect = false, failed = false, size = 'normal' }: FamilyIconProps) {
  const shown = failed && !effect ? 'fault' : family;
  const solid = effect || family === 'effect';
  return (
    <span className={styles['icon']} data-family={solid ? 'effect' : shown} data-solid={solid} data-size={size}>
      <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        {shapes.get(family) ?? unknownShape}
      </svg>
    </span>
  );
}

/** The families in the order of the legend, with what each stands for. */
export const familyLegend: readonly { readonly family: string; readonly name: string; readonly meaning: string }[] = [
  { family: 'effect', name: 'Effect', meaning: 'left the system; cannot be taken back' },
  { family: 'fault', name: 'Fault', meaning: 'kill, restart, recovery' },
  { family: 'model', name: 'Model', meaning: 'a call to a model' },
  { family: 'tool', name: 'Tool', meaning: 'dispatch, acknowledgement, result' },
  { family: 'observation', name: 'Observation', meaning: 'clock, input, signal, timer' },
  { family: 'state', name: 'State', meaning: 'a durable version made' },
  { family: 'artifact', name: 'Artifact', meaning: 'a file or value made or used' },
  { family: 'governance', name: 'Governance', meaning: 'policy, approval, privileged access' },
  { family: 'check', name: 'Check', meaning: 'an invariant checked' },
  { family: 'handoff', name: 'Hand-off', meaning: 'between agents' },
  { family: 'step', name: 'Step', meaning: 'a step or a decision' },
  { family: 'run', name: 'Run', meaning: 'start and end of a run' },
  { family: 'branch', name: 'Branch', meaning: 'made by a replay' },
  { family: 'trial', name: 'Trial', meaning: 'one run of a recovery campaign' },
  { family: 'stream', name: 'Stream', meaning: 'who wrote what, and how safely' },
  { family: 'share', name: 'Share', meaning: 'what a redacted copy says of itself' },
  { family: 'note', name: 'Note', meaning: 'an annotation' },
  { family: 'unknown', name: 'Unknown', meaning: 'kept as it was recorded' },
];
