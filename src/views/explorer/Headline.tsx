/**
 * The headline: the few facts that findings establish, each linked to its evidence, and what was checked.
 *
 * Facts only. Where nothing was found it says what was looked for, because “nothing found” means nothing without it.
 */
import { Fragment, type ReactNode, useState } from 'react';
import { DialogTrigger, Button as AriaButton, Popover } from 'react-aria-components';
import type { BranchId } from '../../core/model/index.ts';
import type { Headline as HeadlineAnswer } from '../../core/projections/trace-reader.ts';
import { useFindings, useHeadline, useRows, useSummary } from '../../data/index.ts';
import { setFolded, usePreferences } from '../../state/preferences.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { ClampedLines } from '../../ui/ClampedLines.tsx';
import { countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { InlineButton } from '../../ui/InlineButton.tsx';
import { ownName } from '../../ui/own-name.ts';
import { Explained } from '../../ui/Term.tsx';
import { useMedia } from '../../ui/use-media.ts';
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

/** The others are told in the findings. */
const mostFacts = 4;

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
  const lines = useLines();
  const told = notes.map(({ leadsTo, link, rest }) => (
    <Fragment key={leadsTo}>
      <InlineButton onPress={() => (leadsTo === 'problems' ? onProblems() : onBranch(leadsTo))}>{link}</InlineButton>
      {rest}
    </Fragment>
  ));
  const isAllLeftOut = held === 0 && notes.length > 0;
  const facts = isAllLeftOut ? [] : headlineToParagraphs(headline, explorer, (isFolded ? 1 : mostFacts) - notes.length);
  return (
    <section className={styles['headline']} aria-label="Headline" data-folded={isFolded} data-tone={tone}>
      <span className={styles['mark']}>
        <Icon name={signs[tone]} size={20} />
      </span>
      <div className={styles['facts']}>
        {/* By what it is of: what was opened of one branch is not opened of the next. */}
        <ClampedLines key={`${trace} ${branch}`} paragraphs={[...told, ...facts]} most={lines} />
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

/** Lines of the facts together: the panes below are what one works in. One column is scrolled as a whole. */
function useLines(): number {
  const isNarrow = useMedia('(width < 900px)');
  const isLow = useMedia('(height < 760px)');
  return isNarrow ? 8 : isLow ? 5 : 6;
}

function headlineToParagraphs(
  headline: ReturnType<typeof useHeadline>,
  explorer: Explorer,
  most: number,
): readonly ReactNode[] {
  const { data } = headline;
  if (data === undefined)
    return [
      <span key="waiting" className={styles['waiting']}>
        <Awaited of={headline} label="Reading the findings" isInline />
      </span>,
    ];
  if (data.facts.length === 0)
    return [
      `Nothing found by the ${countOf(data.checked.length, 'check')} that ran. A fault that left no record cannot be found.`,
    ];
  return data.facts.slice(0, Math.max(0, most)).map((fact, at) => <Fact key={at} fact={fact} explorer={explorer} />);
}

function Fact({ fact, explorer }: { readonly fact: HeadlineAnswer['facts'][number]; readonly explorer: Explorer }) {
  return fact.map(({ event, finding, text }, part) =>
    event === undefined && finding === undefined ? (
      <span key={part}>
        <Explained text={text} />
      </span>
    ) : (
      <InlineButton
        key={part}
        onPress={() => {
          if (finding !== undefined && event === undefined) explorer.showFinding(finding);
          if (event !== undefined) explorer.select(event);
        }}
      >
        {text}
      </InlineButton>
    ),
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
