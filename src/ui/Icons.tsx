/**
 * The general icons of the interface, drawn on a 16-unit grid with one stroke. Decorative always: the control that holds
 * one has its own name. Icons of event families are in FamilyIcon.tsx.
 */
import type { ReactNode } from 'react';

const shapes = {
  search: (
    <>
      <circle cx="7" cy="7" r="4.25" />
      <path d="m10.2 10.2 3.3 3.3" />
    </>
  ),
  close: <path d="m4 4 8 8m0-8-8 8" />,
  check: <path d="m3 8.5 3.2 3.2L13 4.8" />,
  plus: <path d="M8 3v10M3 8h10" />,
  minus: <path d="M3 8h10" />,
  'chevron-down': <path d="m4 6 4 4 4-4" />,
  'chevron-right': <path d="m6 4 4 4-4 4" />,
  'chevron-left': <path d="m10 4-4 4 4 4" />,
  'chevron-up': <path d="m4 10 4-4 4 4" />,
  sun: (
    <>
      <circle cx="8" cy="8" r="2.75" />
      <path d="M8 1.5V3m0 10v1.5M1.5 8H3m10 0h1.5M3.4 3.4l1 1m7.2 7.2 1 1m0-9.2-1 1m-7.2 7.2-1 1" />
    </>
  ),
  moon: <path d="M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8Z" />,
  contrast: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 2.5a5.5 5.5 0 0 1 0 11Z" fill="currentColor" />
    </>
  ),
  help: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M6.2 6.4a1.8 1.8 0 1 1 2.7 1.6c-.6.3-.9.7-.9 1.3" />
      <path d="M8 11.4v.2" />
    </>
  ),
  menu: <path d="M3 4.5h10M3 8h10m-10 3.5h10" />,
  more: (
    <g fill="currentColor" stroke="none">
      <circle cx="3.5" cy="8" r="1.2" />
      <circle cx="8" cy="8" r="1.2" />
      <circle cx="12.5" cy="8" r="1.2" />
    </g>
  ),
  trash: <path d="M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 8.5h6l.5-8.5M6.8 7v3.8m2.4-3.8v3.8" />,
  pencil: <path d="m3 13 .6-2.8 7.3-7.3 2.2 2.2-7.3 7.3L3 13Zm6.6-8.8 2.2 2.2" />,
  copy: (
    <>
      <rect x="5.5" y="5.5" width="7.5" height="7.5" rx="1.5" />
      <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
    </>
  ),
  file: <path d="M4 2.5h5l3 3v8H4v-11Zm5 0v3h3" />,
  folder: <path d="M2.5 4h4l1.5 1.5h5.5v7h-11V4Z" />,
  clipboard: <path d="M5.5 3.5H4v10h8v-10h-1.5m-5-1h5v2h-5v-2Z" />,
  link: <path d="m6.8 9.2 2.4-2.4M5.6 8 4 9.6a2.1 2.1 0 0 0 3 3l1.6-1.6M10.4 8 12 6.4a2.1 2.1 0 0 0-3-3L7.4 5" />,
  share: <path d="M8 9.5V2.5m0 0L5.4 5M8 2.5 10.6 5M4 8v5h8V8" />,
  drill: <path d="M2 11.5h3l2-7 2.5 9 1.6-4.5H14" />,
  replay: <path d="M4 3v3.5h3.5M4.2 6.3A5 5 0 1 1 3 9.2" />,
  download: <path d="M8 2.5v7m0 0L5.4 7M8 9.5 10.6 7M3 12.5h10" />,
  drop: <path d="M8 2.5v7m0 0L5.2 6.7M8 9.5l2.8-2.8M2.5 10v3.5h11V10" />,
  keyboard: (
    <>
      <rect x="1.5" y="4" width="13" height="8" rx="1.5" />
      <path d="M4 6.5h.2m2.5 0h.2m2.4 0h.2m2.3 0h.2M5 9.5h6" />
    </>
  ),
  warning: <path d="M8 2.5 14 13H2L8 2.5Zm0 4v3m0 1.6v.2" />,
  info: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 7.3v3.8M8 4.9v.2" />
    </>
  ),
  'side-left': <path d="M2.5 3.5h11v9h-11v-9Zm4 0v9" />,
  'side-right': <path d="M2.5 3.5h11v9h-11v-9Zm7 0v9" />,
  target: (
    <>
      <circle cx="8" cy="8" r="4" />
      <path d="M8 1.5v3m0 7v3M1.5 8h3m7 0h3" />
    </>
  ),
  lock: <path d="M4 7.5h8v6H4v-6Zm1.5 0V5a2.5 2.5 0 0 1 5 0v2.5" />,
  branch: (
    <>
      <circle cx="4.5" cy="3.5" r="1.5" />
      <circle cx="4.5" cy="12.5" r="1.5" />
      <circle cx="11.5" cy="5.5" r="1.5" />
      <path d="M4.5 5v6M11.5 7c0 2.5-3 2-5.5 3" />
    </>
  ),
  cause: <path d="M13 8H3m0 0 3.5-3.5M3 8l3.5 3.5" />,
  effect: <path d="M3 8h10m0 0L9.5 4.5M13 8l-3.5 3.5" />,
  eye: (
    <>
      <path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8Z" />
      <circle cx="8" cy="8" r="1.8" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof shapes;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {shapes[name]}
    </svg>
  );
}

/** The mark of the product: a line of records, and what was recomputed from it. */
export function Logo({ size = 20 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" fill="none" aria-hidden="true" focusable="false">
      <path d="M3 5.5h11" stroke="var(--text-faint)" strokeWidth="1.6" strokeLinecap="round" />
      <path
        d="M16 5.5c0 4.2-3.5 4.4-6 4.4S4 10.8 4 15"
        stroke="var(--accent)"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
      <path d="M8.5 15H17" stroke="var(--text-faint)" strokeWidth="1.6" strokeLinecap="round" strokeDasharray="0.1 3" />
      <circle cx="3.5" cy="5.5" r="1.9" fill="var(--text-faint)" />
      <circle cx="9.5" cy="5.5" r="1.9" fill="var(--text-faint)" />
      <circle cx="16" cy="5.5" r="2.5" fill="var(--effect-solid)" />
      <circle cx="4" cy="15.5" r="1.9" fill="var(--accent)" />
    </svg>
  );
}
