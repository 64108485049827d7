/**
 * Single observations as points; each is a button that shows its two records. The table beside it holds the same for readers.
 */
import { Button as AriaButton, DialogTrigger, Popover } from 'react-aria-components';
import { ownName } from '../../ui/own-name.ts';
import { useWidth } from '../../ui/use-width.ts';
import { EventRef, TrialRef } from './EventRef.tsx';
import type { Links } from './links.ts';
import type { PlotPanel, PlotPoint } from './times-model.ts';
import { msToText, rowToWords } from './words.ts';
import styles from './Times.module.css';

const size = { height: 186, left: 60, right: 8, top: 8, bottom: 42 };
/** Until its place was measured. */
const firstWidth = 440;

function createToX(width: number): (x: number) => number {
  return (x) => size.left + x * (width - size.left - size.right);
}

function toY(y: number): number {
  return size.height - size.bottom - y * (size.height - size.top - size.bottom);
}

export function Plot({ panel, links }: { readonly panel: PlotPanel; readonly links: Links }) {
  const { columns, points, ticks, axis } = panel;
  const [place, width] = useWidth(firstWidth);
  const toX = createToX(width);
  const half = columns.length === 0 ? 0 : 0.42 / columns.length;
  return (
    <div ref={place} className={styles['plot']} style={{ height: size.height }}>
      <svg width={width} height={size.height} aria-hidden="true" focusable="false">
        {ticks.map(({ ms, y }) => (
          <g key={y}>
            <line className={styles['rule']} x1={toX(0)} x2={toX(1)} y1={toY(y)} y2={toY(y)} />
            <text className={styles['tick']} x={size.left - 6} y={toY(y) + 4} textAnchor="end">
              {ms === 0 ? '0' : msToText(ms)}
            </text>
          </g>
        ))}
        {columns.map(({ label, x, median }) => (
          <g key={label}>
            {median === undefined ? undefined : (
              <line
                className={styles['median']}
                x1={toX(x - half)}
                x2={toX(x + half)}
                y1={toY(median)}
                y2={toY(median)}
              />
            )}
            <text className={styles['tick']} x={toX(x)} y={size.height - size.bottom + 16} textAnchor="middle">
              {label}
            </text>
          </g>
        ))}
        <text className={styles['tick']} x={toX(0.5)} y={size.height - 9} textAnchor="middle">
          {axis}
        </text>
      </svg>
      {points.map((point) => (
        <Point key={point.key} point={point} left={toX(point.x)} links={links} />
      ))}
    </div>
  );
}

interface PointProps {
  readonly point: PlotPoint;
  readonly left: number;
  readonly links: Links;
}

function Point({ point: { observation, row, y }, left, links }: PointProps) {
  const { ms, start, end, trial } = observation;
  const words = `${msToText(ms)} from ${start.type} to ${end.type}, ${rowToWords(row)}, trial ${links.nameOf(trial)}`;
  return (
    <DialogTrigger>
      <AriaButton
        className={styles['point'] ?? ''}
        aria-label={words}
        style={{ left, top: toY(y) }}
        data-kind={row.design}
      />
      <Popover className={styles['popover'] ?? ''} placement="top" offset={6} aria-label="Observation" {...ownName}>
        <div className={styles['dialog'] ?? ''}>
          <b>{msToText(ms)}</b>
          <span>{rowToWords(row)}</span>
          <span>
            from <EventRef links={links} trial={trial} event={start.event} label={start.type} />
          </span>
          <span>
            to <EventRef links={links} trial={trial} event={end.event} label={end.type} />
          </span>
          <span>
            trial <TrialRef links={links} trial={trial} />
          </span>
        </div>
      </Popover>
    </DialogTrigger>
  );
}
