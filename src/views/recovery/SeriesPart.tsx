/** Series of rates and latencies: of a trial under load, or from a file of the person; each fault with its own numbers and anchors. */
import { useState } from 'react';
import {
  analyseSeries,
  defaultDefinition,
  type RateSeries,
  type SeriesReport,
  seriesToName,
  seriesToWords,
  type Spread,
  textToSeries,
} from '../../core/recovery/index.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Message } from '../../ui/Message.tsx';
import { FileButton } from './FileButton.tsx';
import { SeriesPlot } from './SeriesPlot.tsx';
import { msToText } from './words.ts';
import type { ReactNode } from 'react';
import parts from './Parts.module.css';

/** How an anchor is shown: an event of a trial leads to it, a row of a file is named. */
export type AnchorView = (event: string) => ReactNode;

export function SeriesReports({
  reports,
  anchor,
}: {
  readonly reports: readonly SeriesReport[];
  readonly anchor: AnchorView;
}) {
  return reports.map((report) => <OneSeries key={report.series.name} report={report} anchor={anchor} />);
}

/** A file is read and analysed in the page and kept while it is open. */
export function SeriesFile() {
  const [series, setSeries] = useState<readonly RateSeries[]>([]);
  const [problem, setProblem] = useState<string>();
  const [tolerance, setTolerance] = useState(defaultDefinition.tolerance);
  const [hold, setHold] = useState(defaultDefinition.hold);
  const take = (text: string, name: string): void => {
    const read = textToSeries(name, text);
    setProblem(read.ok ? undefined : read.error);
    if (read.ok) setSeries(read.value);
  };
  return (
    <div className={parts['block']}>
      <h3>A series from a file</h3>
      <p>
        CSV or JSON with a time, one value or several, and a mark where a fault was, as published recovery benchmarks
        give them. Each column of numbers is a series, analysed under the definition below; it belongs to no trial.
      </p>
      <div className={parts['acts']}>
        <FileButton
          id="series-file"
          label="Choose a series"
          accept=".csv,.tsv,.json,text/csv,application/json"
          onText={take}
        />
        {series.length === 0 ? undefined : (
          <>
            <Choice
              label="Short of the baseline by at most"
              value={tolerance}
              options={[0.05, 0.1, 0.2, 0.5]}
              word={(share) => `${Math.round(share * 100)} %`}
              onChange={setTolerance}
            />
            <Choice label="Samples in a row" value={hold} options={[1, 3, 5, 10]} word={String} onChange={setHold} />
            <Button kind="quiet" onPress={() => setSeries([])}>
              Take the series away
            </Button>
          </>
        )}
      </div>
      {problem === undefined ? undefined : (
        <Message title="The series could not be read" tone="problem" icon="warning">
          {problem}
        </Message>
      )}
      {series.map((one) => (
        <OneSeries key={one.column} report={analyseSeries(one, { tolerance, hold })} anchor={(event) => event} />
      ))}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: number;
  readonly options: readonly number[];
  readonly word: (value: number) => string;
  readonly onChange: (value: number) => void;
}

function Choice({ label, value, options, word, onChange }: ChoiceProps) {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={(event) => onChange(Number(event.target.value))}>
        {options.map((option) => (
          <option key={option} value={option}>
            {word(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

function OneSeries({ report, anchor }: { readonly report: SeriesReport; readonly anchor: AnchorView }) {
  const { series, definition, baseline, windows, note } = report;
  const unit = series.unit === undefined ? '' : `${series.unit} `;
  return (
    <div className={parts['block']}>
      <h3>
        {seriesToName(series)} <span className={parts['faint']}>{seriesToWords(series)}</span>
      </h3>
      <p>
        {definition} <span className={parts['faint']}>{series.basis}</span>
      </p>
      <SeriesPlot report={report} />
      <p>{note ?? (baseline === undefined ? 'No fault is marked.' : `Baseline: ${spreadToText(baseline, unit)}.`)}</p>
      {windows.length === 0 ? undefined : (
        <DataTable label={`${seriesToName(series)} by fault`}>
          <thead>
            <tr>
              <th scope="col">Fault</th>
              <th scope="col">Stable again</th>
              <th scope="col">From and to</th>
              <th scope="col">Worst before</th>
              <th scope="col">During</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {windows.map(({ ordinal, mark, stableMs, stableAt, whyNot, worst, during, after }) => (
              <tr key={ordinal}>
                <th scope="row">
                  {ordinal}: {mark.label}
                </th>
                <td>{stableMs === undefined ? `not measured: ${whyNot ?? ''}` : msToText(stableMs)}</td>
                <td className={parts['anchors']}>
                  {anchor(mark.event)} {stableAt === undefined ? undefined : <>to {anchor(stableAt.event)}</>}
                </td>
                <td>
                  {worst === undefined ? (
                    'none'
                  ) : (
                    <>
                      {toNumber(worst.value)} {anchor(worst.event)}
                    </>
                  )}
                </td>
                <td>{spreadToText(during, unit)}</td>
                <td>{spreadToText(after, unit)}</td>
              </tr>
            ))}
          </tbody>
        </DataTable>
      )}
    </div>
  );
}

function spreadToText(spread: Spread | undefined, unit: string): string {
  if (spread === undefined) return 'no sample';
  const { n, median, least, greatest } = spread;
  return `median ${toNumber(median)} ${unit}of ${n}, ${toNumber(least)} to ${toNumber(greatest)}`;
}

function toNumber(value: number): string {
  return String(Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 100) / 100);
}
