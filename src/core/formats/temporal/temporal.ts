/**
 * Temporal workflow histories: JSON of the command line, of the Web UI and of the SDKs, one or several executions or pages.
 */
import type { Format, Sniff } from '../format.ts';
import { type GroupedFormat, listGrouped, readGrouped } from '../grouped.ts';
import { collect, wanted } from './collect.ts';
import type { Grade } from './grade.ts';

export const temporal: Format = {
  id: 'temporal',
  label: 'Temporal workflow histories',
  detect,
  list: (files) => listGrouped(createReading(), files),
  read: (files, options) => readGrouped(createReading(), files, options),
};

/** The grade depends on what the histories hold, so each reading has its own. */
function createReading(): GroupedFormat {
  let grade: Grade = { replayGrade: 'none', missingForReplay: [] };
  return {
    id: 'temporal',
    wanted,
    collect: (pieces) => {
      const collected = collect(pieces);
      ({ grade } = collected);
      return collected;
    },
    get summary() {
      return grade;
    },
  };
}

function detect({ text }: Sniff): number {
  if (!/^\s*[[{]/.test(text)) return 0;
  const numbered = /"event(?:Id|_id)"\s*:\s*"?\d/.test(text);
  const typed = /"event(?:Type|_type)"\s*:\s*(?:"[A-Za-z_]+"|\d)/.test(text);
  const attributed = /"\w+(?:EventAttributes|_event_attributes)"\s*:\s*\{/.test(text);
  return numbered && typed && attributed ? 0.95 : 0;
}
