/** A series as a line over time with a rule for each fault and for the baseline; the table below it says the same in numbers. */
import type { SeriesReport } from '../../core/recovery/index.ts';
import { useWidth } from '../../ui/use-width.ts';
import { msToText } from './words.ts';
import styles from './Times.module.css';

/** Until its place was measured. */
const firstWidth = 640;
const size = { height: 180, left: 52, right: 8, top: 8, bottom: 24 };

export function SeriesPlot({ report }: { readonly report: SeriesReport }) {
  const { series, baseline } = report;
  const [place, width] = useWidth(firstWidth);
  const times = [...series.points, ...series.marks].map(({ at }) => at);
  const from = times.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const to = times.reduce((most, at) => Math.max(most, at), from);
  const top = series.points.reduce((most, { value }) => Math.max(most, value), 0) || 1;
  if (series.points.length === 0) return undefined;
  const toX = (at: number): number => size.left + ((at - from) / (to - from || 1)) * (width - size.left - size.right);
  const toY = (value: number): number =>
    size.height - size.bottom - (value / top) * (size.height - size.top - size.bottom);
  const line = series.points.map(({ at, value }) => `${toX(at).toFixed(1)},${toY(value).toFixed(1)}`).join(' ');
  return (
    <div ref={place} className={styles['series']}>
      <svg width={width} height={size.height} aria-hidden="true" focusable="false">
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line className={styles['rule']} x1={toX(from)} x2={toX(to)} y1={toY(top * share)} y2={toY(top * share)} />
            <text className={styles['tick']} x={size.left - 6} y={toY(top * share) + 4} textAnchor="end">
              {Math.round(top * share * 10) / 10}
            </text>
          </g>
        ))}
        {baseline === undefined ? undefined : (
          <line
            className={styles['median']}
            x1={toX(from)}
            x2={toX(to)}
            y1={toY(baseline.median)}
            y2={toY(baseline.median)}
          />
        )}
        <polyline className={styles['line']} points={line} />
        {series.marks.map(({ at, label, event }) => (
          <g key={event}>
            <line className={styles['mark']} x1={toX(at)} x2={toX(at)} y1={toY(top)} y2={toY(0)} />
            <text className={styles['tick']} x={toX(at) + 4} y={size.top + 10}>
              {label}
            </text>
          </g>
        ))}
        <text className={styles['tick']} x={toX(to)} y={size.height - 6} textAnchor="end">
          {msToText(to - from)}
        </text>
      </svg>
    </div>
  );
}
