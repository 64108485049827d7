/** Which boundary of which effect was struck, and what came of it. A cell says everything in words when it has focus or pointer. */
import { useState } from 'react';
import { type CampaignReport, killPoints } from '../../core/recovery/index.ts';
import { Chip } from '../../ui/Chip.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { campaignToGrid, type CellGroup, type GridCell, type Placed } from './grid-model.ts';
import type { Links } from './links.ts';
import { pointLabels, pointWords } from './words.ts';
import styles from './Grid.module.css';

const placedWords: Readonly<Record<Placed, string>> = {
  'on purpose': 'on purpose',
  'several in one run': 'several a run',
  'at random': 'at random',
};

export function Grid({ campaign, links }: { readonly campaign: CampaignReport; readonly links: Links }) {
  const rows = campaignToGrid(campaign);
  const [words, setWords] = useState<string>();
  if (rows.length === 0) return <p>No trial of this campaign asked for an effect: there is no boundary to strike.</p>;
  return (
    <div className={styles['frame']}>
      <h3>Boundaries struck</h3>
      <ScrollRegion label="Coverage by effect and kill point, scrolled sideways">
        <table className={styles['grid']} aria-label="Coverage by effect and kill point">
          <thead>
            <tr>
              <th scope="col">Design, effect</th>
              {killPoints.map((point) => (
                <th key={point} scope="col">
                  <b>{pointLabels[point]}</b>
                  <span>{pointWords[point]}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ strategy, isNegativeControl, effect, cells }) => (
              <tr key={`${strategy} ${effect}`}>
                <th scope="row">
                  <b>{strategy}</b>
                  <code>{effect}</code>
                  {isNegativeControl ? <Chip>must fail</Chip> : undefined}
                </th>
                {cells.map((cell) => (
                  <td key={cell.point}>
                    <Cell cell={cell} links={links} onWords={setWords} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p className={styles['words']} aria-hidden="true" data-empty={words === undefined}>
        {words ?? 'Point at a cell, or reach it with Tab, to read it in words. Pressed, it shows its trial.'}
      </p>
      <ul className={styles['legend']} aria-label="Signs in the grid">
        <li>
          <b>1×</b> commitments of the effect in each trial
        </li>
        <li>
          <b>+2×</b> another effect executed more than once
        </li>
        <li>
          <b>d</b> answered from the key
        </li>
        <li>
          <b>m+1</b> how often a model was asked again
        </li>
        <li>
          <b>X</b> never completed
        </li>
        <li>
          <b>lost</b> told of and not in the ledger
        </li>
      </ul>
    </div>
  );
}

interface CellProps {
  readonly cell: GridCell;
  readonly links: Links;
  readonly onWords: (words: string | undefined) => void;
}

function Cell({ cell, links, onWords }: CellProps) {
  const { groups, words, refused } = cell;
  const [first] = groups;
  const shown = first?.trials[0] ?? refused[0]?.trial;
  return (
    <button
      type="button"
      className={styles['cell']}
      data-tone={toneOf(cell)}
      aria-label={words}
      aria-disabled={shown === undefined}
      onMouseEnter={() => onWords(words)}
      onFocus={() => onWords(words)}
      onMouseLeave={() => onWords(undefined)}
      onBlur={() => onWords(undefined)}
      onClick={() => {
        if (shown !== undefined) links.showTrial(shown);
      }}
    >
      {groups.map(({ placed, text, tone, trials }) => (
        <span key={placed} className={styles['group']} data-tone={tone}>
          <b>{text}</b>
          <span>
            n={trials.length} {placedWords[placed]}
          </span>
          {tone === 'suspect' ? <span className={styles['note']}>passes, and must fail</span> : undefined}
        </span>
      ))}
      {shown === undefined ? <span className={styles['none']}>not run</span> : undefined}
      {refused.map(({ trial, validity, why }) => (
        <span key={trial} className={styles['refused']}>
          <b>{validity}</b> {why}
        </span>
      ))}
    </button>
  );
}

function toneOf({ groups, refused }: GridCell): CellGroup['tone'] | 'refused' | 'none' {
  const tones = groups.map(({ tone }) => tone);
  const [first] = tones;
  if (first === undefined) return refused.length === 0 ? 'none' : 'refused';
  return (['twice', 'suspect'] as const).find((tone) => tones.includes(tone)) ?? first;
}
