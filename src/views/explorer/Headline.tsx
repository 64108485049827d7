/**
 * The headline: the few facts that findings establish, each linked to its evidence, and what was checked.
 *
 * Facts only. Where nothing was found it says what was looked for, because “nothing found” means nothing without it.
 */
import { DialogTrigger, Button as AriaButton, Dialog, Popover } from 'react-aria-components';
import type { Headline as HeadlineAnswer } from '../../core/projections/trace-reader.ts';
import { useHeadline } from '../../data/index.ts';
import { setFolded, usePreferences } from '../../state/preferences.ts';
import { IconButton } from '../../ui/Button.tsx';
import { countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { Explained } from '../../ui/Term.tsx';
import type { Explorer } from './explorer.ts';
import styles from './Headline.module.css';

const signs = { waiting: 'info', violation: 'warning', gap: 'warning', notice: 'info', clear: 'check' } as const;

export function Headline({ explorer }: { readonly explorer: Explorer }) {
  const { data } = useHeadline(explorer.trace, explorer.branch);
  const isFolded = usePreferences(({ folded }) => folded['headline'] === true);
  return (
    <section
      className={styles['headline']}
      aria-label="Headline"
      data-folded={isFolded}
      data-tone={headlineToTone(data)}
    >
      <span className={styles['mark']}>
        <Icon name={signs[headlineToTone(data)]} size={20} />
      </span>
      <div className={styles['facts']}>
        {data === undefined ? (
          <p className={styles['waiting']}>Reading the findings</p>
        ) : data.facts.length === 0 ? (
          <p>
            Nothing found by the {countOf(data.checked.length, 'check')} that ran. A fault that left no record cannot be
            found.
          </p>
        ) : (
          <Facts data={data} explorer={explorer} most={isFolded ? 1 : 4} />
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

function headlineToTone(data: HeadlineAnswer | undefined): 'waiting' | 'violation' | 'gap' | 'notice' | 'clear' {
  if (data === undefined) return 'waiting';
  if (data.violations > 0) return 'violation';
  if (data.gaps > 0) return 'gap';
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
              <button
                key={part}
                type="button"
                className={styles['evidence']}
                onClick={() => {
                  if (finding !== undefined && event === undefined) explorer.showFinding(finding);
                  if (event !== undefined) explorer.select(event);
                }}
              >
                {text}
              </button>
            );
          })}
        </p>
      ))}
    </>
  );
}

function Counts({ data, explorer }: { readonly data: HeadlineAnswer; readonly explorer: Explorer }) {
  const counts = [
    data.violations > 0 ? countOf(data.violations, 'violation') : undefined,
    data.gaps > 0 ? countOf(data.gaps, 'gap') : undefined,
    data.notices > 0 ? countOf(data.notices, 'notice') : undefined,
  ].filter((count) => count !== undefined);
  return (
    <div className={styles['side']}>
      <button type="button" className={styles['count']} onClick={() => explorer.showPanel('findings')}>
        {counts.length === 0 ? 'No findings' : `Found: ${counts.join(' · ')}`}
      </button>
      <DialogTrigger>
        <AriaButton className={styles['checked'] ?? ''}>{countOf(data.checked.length, 'check')} ran</AriaButton>
        <Popover className={styles['popover'] ?? ''} placement="bottom end">
          <Dialog aria-label="What was checked" className={styles['dialog'] ?? ''}>
            <h2>What was checked</h2>
            <ul>
              {data.checked.map((title) => (
                <li key={title}>{title}</li>
              ))}
            </ul>
          </Dialog>
        </Popover>
      </DialogTrigger>
    </div>
  );
}
