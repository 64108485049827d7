/**
 * The headline: the few facts that findings establish, each linked to its evidence, and what was checked.
 *
 * Facts only. Where nothing was found it says what was looked for, because “nothing found” means nothing without it.
 */
import { useState } from 'react';
import { DialogTrigger, Button as AriaButton, Popover } from 'react-aria-components';
import type { BranchId } from '../../core/model/index.ts';
import type { Headline as HeadlineAnswer } from '../../core/projections/trace-reader.ts';
import { useFindings, useHeadline, useRows, useSummary } from '../../data/index.ts';
import { setFolded, usePreferences } from '../../state/preferences.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { InlineButton } from '../../ui/InlineButton.tsx';
import { ownName } from '../../ui/own-name.ts';
import { Explained } from '../../ui/Term.tsx';
import { Checks } from './Checks.tsx';
import { checkedToWords } from './checks.ts';
import { type Explorer, noFilter } from './explorer.ts';
import { computeRecordsNotes } from './headline-records.ts';
import styles from './Headline.module.css';

const signs = {
  waiting: 'info',
  violation: 'warning',
  gap: 'warning',
  failed: 'close',
  notice: 'info',
  clear: 'check',
} as const;

export interface HeadlineProps {
  readonly explorer: Explorer;
  readonly onProblems: () => void;
  readonly onBranch: (branch: BranchId) => void;
}

export function Headline({ explorer, onProblems, onBranch }: HeadlineProps) {
  const { trace, branch } = explorer;
  const headline = useHeadline(trace, branch);
  const { data } = headline;
  const summary = useSummary(trace);
  const held = useRows(trace, branch, noFilter, 0, 1).data?.total;
  const notes = summary.data === undefined ? [] : computeRecordsNotes(summary.data, branch, held);
  const tone = headlineToTone(data, notes.length > 0 || data?.leftOut !== undefined);
  const isFolded = usePreferences(({ folded }) => folded['headline'] === true);
  return (
    <section className={styles['headline']} aria-label="Headline" data-folded={isFolded} data-tone={tone}>
      <span className={styles['mark']}>
        <Icon name={signs[tone]} size={20} />
      </span>
      <div className={styles['facts']}>
        {notes.map(({ leadsTo, link, rest }) => (
          <p key={leadsTo}>
            <InlineButton onPress={() => (leadsTo === 'problems' ? onProblems() : onBranch(leadsTo))}>
              {link}
            </InlineButton>
            {rest}
          </p>
        ))}
        {held === 0 && notes.length > 0 ? undefined : data === undefined ? (
          <p className={styles['waiting']}>
            <Awaited of={headline} label="Reading the findings" isInline />
          </p>
        ) : data.facts.length === 0 ? (
          <p>
            Nothing found by the {countOf(data.checked.length, 'check')} that ran. A fault that left no record cannot be
            found.
          </p>
        ) : (
          <Facts data={data} explorer={explorer} most={Math.max(0, (isFolded ? 1 : 4) - notes.length)} />
        )}
      </div>
      {data === undefined ? undefined : <Counts data={data} explorer={explorer} />}
      <IconButton
        icon={isFolded ? 'chevron-down' : 'chevron-up'}
        label={isFolded ? 'Unfold the headline' : 'Fold the headline'}
        aria-expanded={!isFolded}
        onPress={() => setFolded('headline', !isFolded)}
      />
    </section>
  );
}

/** Records that could not be read, or were left out of a copy, are a gap, whatever the checks found in the rest. */
function headlineToTone(data: HeadlineAnswer | undefined, isIncomplete: boolean): keyof typeof signs {
  if (data === undefined) return 'waiting';
  if (data.violations > 0) return 'violation';
  if (data.gaps > 0 || isIncomplete) return 'gap';
  if (data.failedRuns > 0) return 'failed';
  return data.notices > 0 ? 'notice' : 'clear';
}

function Facts({
  data,
  explorer,
  most,
}: {
  readonly data: HeadlineAnswer;
  readonly explorer: Explorer;
  readonly most: number;
}) {
  return (
    <>
      {data.facts.slice(0, most).map((fact, at) => (
        <p key={at}>
          {fact.map((span, part) => {
            const { event, finding, text } = span;
            if (event === undefined && finding === undefined)
              return (
                <span key={part}>
                  <Explained text={text} />
                </span>
              );
            return (
              <InlineButton
                key={part}
                onPress={() => {
                  if (finding !== undefined && event === undefined) explorer.showFinding(finding);
                  if (event !== undefined) explorer.select(event);
                }}
              >
                {text}
              </InlineButton>
            );
          })}
        </p>
      ))}
    </>
  );
}

function Counts({ data, explorer }: { readonly data: HeadlineAnswer; readonly explorer: Explorer }) {
  const [isOpen, setOpen] = useState(false);
  const findings = useFindings(explorer.trace, explorer.branch);
  const counts = [
    data.violations > 0 ? countOf(data.violations, 'violation') : undefined,
    data.gaps > 0 ? countOf(data.gaps, 'gap') : undefined,
    data.notices > 0 ? countOf(data.notices, 'notice') : undefined,
  ].filter((count) => count !== undefined);
  return (
    <div className={styles['side']}>
      <button type="button" className={styles['count']} onClick={() => explorer.showPanel('findings')}>
        {counts.length > 0
          ? `Found: ${counts.join(' · ')}`
          : data.leftOut === undefined
            ? 'No findings'
            : 'Not decidable in this copy'}
      </button>
      <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
        <AriaButton className={styles['checked'] ?? ''}>{checkedToWords(data.checked)}</AriaButton>
        <Popover className={styles['popover'] ?? ''} placement="bottom end" aria-label="What was checked" {...ownName}>
          <div className={styles['dialog'] ?? ''}>
            <h2>What was checked</h2>
            <Checks
              checked={data.checked}
              findings={findings.data ?? []}
              explorer={explorer}
              onShow={() => setOpen(false)}
            />
          </div>
        </Popover>
      </DialogTrigger>
    </div>
  );
}
