/** What a program made of a set of recorded runs: one verdict a run, and the digests by which it can be repeated elsewhere. */
import { Fragment, useId, useState } from 'react';
import { passageToShown, lineToShown } from '../../core/base/shown-text.ts';
import { verdictMeanings, verdictOrder, verdictToWords } from '../../core/replay/change-words.ts';
import { protectionPointer, protectionWords } from '../../core/replay/protection.ts';
import type { RunSetAnswer } from '../../data/index.ts';
import { traceLocation, useNavigation } from '../../state/location.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { countOf, countToText } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { JsonView } from '../../ui/JsonView.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { More } from '../../ui/More.tsx';
import { pricesToText, shareToText, verdictTones } from './set-words.ts';
import styles from './Sheet.module.css';

export interface RunSetResultProps {
  readonly answer: RunSetAnswer;
  /** The program on the left is not the one that was run. */
  readonly isOld: boolean;
}

type Row = RunSetAnswer['rows'][number];

export function RunSetResult({ answer, isOld }: RunSetResultProps) {
  const { rows, counts, set, programDigest, price, givenAgain, notRead, places } = answer;
  const calls = rows.reduce((sum, row) => sum + row.extraModelCalls, 0);
  return (
    <section aria-label="Verdicts">
      <div className={styles['part']}>
        <h3>{answerToSentence(answer)}</h3>
        {isOld ? (
          <p className={styles['warning']}>
            <Icon name="info" size={14} /> The program on the left is not the one that was run here. Replay the set
            again to see what it does.
          </p>
        ) : undefined}
        <ul className={styles['counts']} aria-label="Runs by verdict">
          {verdictOrder
            .filter((word) => counts[word] > 0)
            .map((word) => (
              <li key={word} title={verdictMeanings[word]}>
                <Chip tone={verdictTones[word]}>{verdictToWords(word)}</Chip> <b>{countToText(counts[word])}</b>
              </li>
            ))}
        </ul>
        <dl className={styles['facts']}>
          <dt>Set</dt>
          <dd>
            <code>{set}</code>
          </dd>
          <dt>Program</dt>
          <dd>
            <code>{programDigest}</code>
          </dd>
          <dt>Further model calls</dt>
          <dd>{pricesToText(calls, price)}</dd>
        </dl>
        {givenAgain.length === 0 ? undefined : (
          <p className={styles['soft']}>Given more than once, replayed once: {lineToShown(givenAgain.join(', '))}.</p>
        )}
        {notRead.length === 0 ? undefined : (
          <ul className={styles['list']} aria-label="Traces that were not read">
            {notRead.map(({ trace, name, message }) => (
              <li key={trace} className={styles['danger']}>
                {lineToShown(`${name}: ${message}`)}
              </li>
            ))}
          </ul>
        )}
        <div className={styles['bar']}>
          <Button icon="download" onPress={() => saveFile(answerToFile(answer), 'run-set.json')}>
            Save the verdicts
          </Button>
          <span>The same table in a build: hindcast replay --set</span>
        </div>
      </div>
      <More items={rows} noun="run">
        {(part) => (
          <DataTable label="Verdict of each run" place="flush" className={styles['table']}>
            <thead>
              <tr>
                <th scope="col">Verdict</th>
                <th scope="col">Run</th>
                <th scope="col" data-number="true">
                  Reused
                </th>
                <th scope="col">First difference</th>
                <th scope="col" data-number="true">
                  Would be sent
                </th>
                <th scope="col" data-number="true">
                  Orphaned
                </th>
                <th scope="col" data-number="true">
                  Model calls
                </th>
              </tr>
            </thead>
            <tbody>
              {part.map((row) => (
                <Verdict key={row.digest} row={row} trace={places[row.digest]} />
              ))}
            </tbody>
          </DataTable>
        )}
      </More>
    </section>
  );
}

function answerToSentence({ rows, counts, passes }: RunSetAnswer): string {
  const good = counts.identical + counts.compatible;
  if (passes)
    return rows.length === 1 ? 'The run stays as recorded.' : `All ${countOf(rows.length, 'run')} stay as recorded.`;
  return `${countToText(good)} of ${countOf(rows.length, 'run')} ${good === 1 ? 'stays' : 'stay'} as recorded.`;
}

function answerToFile({ places: _places, ...answer }: RunSetAnswer): Blob {
  return new Blob([`${JSON.stringify(answer, undefined, 2)}\n`], { type: 'application/json' });
}

function Verdict({ row, trace }: { readonly row: Row; readonly trace: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { verdict, name, reuse, firstDifference, protections, newEffects, orphanEffects, extraModelCalls } = row;
  return (
    <Fragment>
      <tr>
        <td>
          <Chip tone={verdictTones[verdict]}>{verdictToWords(verdict)}</Chip>
        </td>
        <th scope="row">
          <button
            type="button"
            className={styles['opener']}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
            <span>{name}</span>
          </button>
        </th>
        <td data-number="true">{shareToText(reuse)}</td>
        <td>
          {/* Where the verdict is identical, what differs is no difference of the run: a draw, or an order. */}
          {(verdict === 'identical' || firstDifference === undefined ? undefined : passageToShown(firstDifference)) ??
            (protections.length > 0 ? undefined : <span className={styles['faint']}>none</span>)}
          {protections.map(({ path, change }) => (
            <p key={path}>
              <code>{lineToShown(path)}</code> {protectionWords[change]}
            </p>
          ))}
        </td>
        <td data-number="true">{countToText(newEffects.length)}</td>
        <td data-number="true">{countToText(orphanEffects.length)}</td>
        <td data-number="true">{countToText(extraModelCalls)}</td>
      </tr>
      {isOpen ? (
        <tr id={id} className={styles['detail']}>
          <td colSpan={7}>
            <Detail row={row} trace={trace} />
          </td>
        </tr>
      ) : undefined}
    </Fragment>
  );
}

function Detail({ row, trace }: { readonly row: Row; readonly trace: string | undefined }) {
  const { ended, verdict, sentence, run, programs, protections, newEffects, orphanEffects, extraModelCalls, price } =
    row;
  const { hrefOf } = useNavigation();
  return (
    <div className={styles['full']}>
      <p>
        {/* The word stands for several ends; the sentence says which it was. */}
        {verdict === 'diverges' ? undefined : `${verdictMeanings[verdict]} `}
        {passageToShown(sentence)}
      </p>
      {programs === undefined ? undefined : (
        <p className={styles['soft']}>
          Run <code>{run}</code>, recorded with {lineToShown(programs.before)}, tried with {lineToShown(programs.after)}
          .
        </p>
      )}
      {protections.length === 0 ? undefined : <p className={styles['soft']}>{protectionPointer}</p>}
      {newEffects.length === 0 ? undefined : (
        <div>
          <h4>Effects it would send</h4>
          <ul className={styles['list']}>
            {newEffects.map(({ path, args }) => (
              <li key={path}>
                <code>{lineToShown(path)}</code>
                {args === undefined ? undefined : (
                  <JsonView label={`Arguments of ${lineToShown(path)}`} value={args} depth={1} />
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {orphanEffects.length === 0 ? undefined : (
        <p>
          The world has, and this program {ended ? 'does not ask for' : 'did not reach'}:{' '}
          <code>{lineToShown(orphanEffects.join(', '))}</code>
        </p>
      )}
      {extraModelCalls === 0 ? undefined : <p>Further model calls: {pricesToText(extraModelCalls, price)}</p>}
      {trace === undefined ? undefined : (
        <p>
          <a href={hrefOf({ ...traceLocation(trace), view: 'replay' })}>Open this run in the replay</a>
        </p>
      )}
    </div>
  );
}
