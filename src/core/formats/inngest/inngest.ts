/**
 * Inngest runs: rows of the run history, and the trace of a run as the current API gives it.
 */
import type { Format, Sniff } from '../format.ts';
import { type GroupedFormat, listGrouped, readGrouped } from '../grouped.ts';
import { collect, wanted } from './collect.ts';

const grouped: GroupedFormat = {
  id: 'inngest',
  wanted,
  collect,
  summary: {
    replayGrade: 'none',
    missingForReplay: [
      'the function (its code)',
      'the input of the run and of its steps',
      'what the steps returned (rows and spans name outputs by id at most)',
    ],
  },
};

export const inngest: Format = {
  id: 'inngest',
  label: 'Inngest run history or trace',
  detect,
  list: (files) => listGrouped(grouped, files),
  read: (files, options) => readGrouped(grouped, files, options),
};

const rowType =
  /"type"\s*:\s*"(?:Function(?:Scheduled|Started|Completed|Failed|Cancelled)|Step(?:Scheduled|Started|Completed|Errored|Failed|Sleeping|Waiting|Invoking))"/i;

function detect({ text }: Sniff): number {
  if (!/^\s*[[{]/.test(text)) return 0;
  if (rowType.test(text) && /"group_?id"\s*:/i.test(text)) return 0.9;
  const isTree = /"childrenSpans"\s*:\s*\[/.test(text) && /"spanID"\s*:\s*"/.test(text);
  return isTree && /"step(?:Op|Info|ID)"\s*:/.test(text) ? 0.9 : 0;
}
