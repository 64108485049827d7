/**
 * The whole run on one canvas: lanes by agent and producer, kills, restarts, forks, findings and gaps above.
 *
 * Press an event to select it, drag to look closer, wheel with Ctrl to zoom. With keys: arrows step, + and - zoom, 0 shows
 * the whole run. Beside the canvas stands the same as a list, for who cannot see it.
 */
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Overview as OverviewAnswer } from '../../core/projections/trace-reader.ts';
import { useOverview, useOverviewPart, useRowOf } from '../../data/index.ts';
import { setFolded, usePreferences } from '../../state/preferences.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { runCommand } from '../../ui/commands.ts';
import { countOf } from '../../ui/format.ts';
import { type Palette, drawOverview, drawPicture, readPalette } from './draw-overview.ts';
import { type Explorer, noFilter } from './explorer.ts';
import { OverviewList } from './OverviewList.tsx';
import {
  type Geometry,
  type OverviewPart,
  type Range,
  binsInOrder,
  clampRange,
  eventsPerBucket,
  laneHeight,
  markAt,
  marksHeight,
  nearestBin,
  overviewToNothing,
  placeMarks,
  placePart,
  rangeToRows,
  wholeRange,
  xToBucket,
  yToLane,
  zoomRange,
} from './overview-geometry.ts';
import styles from './Overview.module.css';

/** Of the whole run, and of the part that is looked at closer: about a canvas width in pixels. */
const buckets = 800;
/** Free for the button that folds: a mark at the end of the run stands beside it, not under it. */
const right = 40;

export function Overview({ explorer }: { readonly explorer: Explorer }) {
  const overview = useOverview(explorer.trace, explorer.branch, explorer.filter, buckets);
  const { data } = overview;
  // The scale is that of the whole run, whatever the filter hides.
  const row = useRowOf(explorer.trace, explorer.branch, noFilter, explorer.event);
  const isFolded = usePreferences(({ folded }) => folded['overview'] === true);
  if (isFolded)
    return (
      <section className={styles['folded']} aria-label="Overview">
        <span>Overview</span>
        {data === undefined ? undefined : (
          <span>
            {countOf(data.length, 'event')} in {countOf(data.lanes.length, 'lane')}
          </span>
        )}
        <FoldOverview isFolded />
      </section>
    );
  if (data === undefined)
    return (
      <div className={styles['empty']}>
        <Awaited of={overview} label="Reading the overview" isInline />
      </div>
    );
  const nothing = overviewToNothing(data);
  if (nothing !== undefined) return <div className={styles['empty']}>{nothing}</div>;
  const place = row.data === undefined || row.data < 0 ? undefined : (row.data / data.length) * data.buckets;
  return <Canvas key={`${data.length}-${data.buckets}`} overview={data} place={place} explorer={explorer} />;
}

interface CanvasProps {
  readonly overview: OverviewAnswer;
  /** Of the selected event, in buckets and parts of one. */
  readonly place: number | undefined;
  readonly explorer: Explorer;
}

interface Pointed {
  readonly bucket: number;
  readonly text: string;
  readonly x: number;
}

function Canvas({ overview, place, explorer }: CanvasProps) {
  const selected = place === undefined ? undefined : Math.floor(place);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [range, setRange] = useState<Range>(() => wholeRange(overview));
  const [width, setWidth] = useState(0);
  const [brush, setBrush] = useState<Range>();
  const [pointed, setPointed] = useState<Pointed>();
  const palette = usePalette();
  const turn = useFrameTurns(setRange);
  const perBucket = eventsPerBucket(overview);
  const settled = useSettled(range);
  const rows = useMemo(() => rangeToRows(settled, overview), [settled, overview]);
  const closer = useOverviewPart(explorer.trace, explorer.branch, explorer.filter, buckets, rows);
  const part = useMemo(
    () => (closer.data === undefined || rows === undefined ? undefined : placePart(closer.data, rows, overview)),
    [closer.data, rows, overview],
  );
  const geometry = useMemo<Geometry>(
    () => ({ left: 8, width: Math.max(1, width - 8 - right), top: marksHeight, laneHeight, range }),
    [width, range],
  );
  const height = marksHeight + overview.lanes.length * laneHeight + 4;

  // Syncs with the size of the element.
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // Syncs with the wheel, which React hears too late to keep the page from zooming.
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const onWheel = (event: WheelEvent): void => {
      const isZoom = event.ctrlKey || event.metaKey;
      const along = event.deltaX === 0 && event.shiftKey ? event.deltaY : event.deltaX;
      if (!isZoom && along === 0) return;
      event.preventDefault();
      const around = xToBucket(geometry, event.clientX - element.getBoundingClientRect().left);
      const factor = event.deltaY < 0 ? 0.8 : 1.25;
      turn((before) => {
        if (isZoom) return zoomRange(before, around, factor, overview.buckets, perBucket);
        const move = (along / geometry.width) * (before.to - before.from);
        return clampRange({ from: before.from + move, to: before.to + move }, overview.buckets, perBucket);
      });
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [geometry, overview.buckets, perBucket, turn]);

  // The picture is drawn apart, when it changes; the pointer only moves columns over it.
  const picture = useMemo(() => {
    if (width === 0) return undefined;
    const ratio = window.devicePixelRatio;
    const drawn = document.createElement('canvas');
    drawn.width = Math.round(width * ratio);
    drawn.height = Math.round(height * ratio);
    return { drawn, ratio };
  }, [width, height]);

  // Draws: the canvas is outside React.
  useEffect(() => {
    const element = canvas.current;
    const context = picture?.drawn.getContext('2d');
    if (element === null || picture === undefined || context === null || context === undefined) return;
    context.setTransform(picture.ratio, 0, 0, picture.ratio, 0, 0);
    drawPicture(context, { overview, part, geometry, palette }, width, height);
  }, [overview, part, geometry, width, height, palette, picture]);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (element === null || context === null || context === undefined || picture === undefined) return;
    if (element.width !== picture.drawn.width) element.width = picture.drawn.width;
    if (element.height !== picture.drawn.height) element.height = picture.drawn.height;
    context.setTransform(picture.ratio, 0, 0, picture.ratio, 0, 0);
    // Where a bucket is many events, the column stands at the event and not in the middle of its bucket.
    const column = place === undefined || perBucket > 1 ? place : Math.floor(place) + 0.5;
    const scene = {
      overview,
      geometry,
      palette,
      selected: column,
      hovered: pointed?.bucket,
      brush,
    };
    drawOverview(context, { ...scene, picture: picture.drawn }, width, height);
  }, [overview, part, geometry, place, perBucket, pointed, brush, width, height, palette, picture]);

  const reach = (8 / geometry.width) * (range.to - range.from);
  const at = (
    event: PointerEvent<HTMLCanvasElement>,
  ): { readonly bucket: number; readonly hit: ReturnType<typeof hitTest>; readonly x: number } => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left;
    const bucket = xToBucket(geometry, x);
    return {
      bucket,
      hit: hitTest(overview, part, geometry, x, event.clientY - box.top, Math.max(0.6 * (part?.width ?? 1), reach)),
      x,
    };
  };
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>): void => {
    const { bucket, hit, x } = at(event);
    if (brush !== undefined && event.buttons > 0) setBrush({ ...brush, to: bucket });
    setPointed(hit === undefined ? undefined : { bucket: hit.bucket + hit.width / 2, text: hit.text, x });
  };
  const onPointerUp = (event: PointerEvent<HTMLCanvasElement>): void => {
    const { bucket, hit } = at(event);
    const from = brush?.from ?? bucket;
    setBrush(undefined);
    if (Math.abs(bucket - from) > reach)
      setRange(clampRange({ from: Math.min(from, bucket), to: Math.max(from, bucket) }, overview.buckets, perBucket));
    else if (hit !== undefined) explorer.select(hit.event);
  };
  const steps = useMemo(() => binsInOrder(overview), [overview]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const now = selected ?? 0;
    const step = stepOf(event.key, steps, now);
    if (step !== undefined) explorer.select(step.first);
    else if (event.key === '+' || event.key === '=') setRange(zoomRange(range, now, 0.6, overview.buckets, perBucket));
    else if (event.key === '-') setRange(zoomRange(range, now, 1.7, overview.buckets, perBucket));
    else if (event.key === '0') setRange(wholeRange(overview));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isZoomed = range.to - range.from < overview.buckets;
  const here = steps.find(({ bucket }) => bucket === selected);
  // Neither changes while the pointer moves or the wheel turns.
  const names = useMemo(() => <LaneNames overview={overview} />, [overview]);
  const beside = useMemo(
    () => (
      <>
        <OverviewList overview={overview} explorer={explorer} />
        <FoldOverview isFolded={false} />
      </>
    ),
    [overview, explorer],
  );
  return (
    <section className={styles['overview']} aria-label="Overview">
      {names}
      <div className={styles['stage']}>
        <canvas
          ref={canvas}
          style={{ height }}
          tabIndex={0}
          role="slider"
          aria-label="Position in the run, in causal order"
          aria-valuemin={1}
          aria-valuemax={overview.buckets}
          aria-valuenow={(selected ?? 0) + 1}
          aria-valuetext={
            here === undefined
              ? selected === undefined
                ? 'nothing selected'
                : 'the selected event, hidden by the filter'
              : `${here.lane}, ${countOf(here.count, 'event')}, mostly ${here.family}`
          }
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            const { bucket } = at(event);
            setBrush({ from: bucket, to: bucket });
          }}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerLeave={() => setPointed(undefined)}
          onKeyDown={onKeyDown}
        />
        {pointed === undefined ? undefined : (
          <p
            className={styles['pointed']}
            style={{ left: Math.min(Math.max(0, pointed.x - 60), Math.max(0, width - 320)) }}
          >
            {pointed.text}
          </p>
        )}
        {isZoomed ? (
          <div className={styles['zoom']}>
            <IconButton icon="minus" label="Show the whole run" onPress={() => setRange(wholeRange(overview))} />
          </div>
        ) : undefined}
      </div>
      {beside}
    </section>
  );
}

function LaneNames({ overview }: { readonly overview: OverviewAnswer }) {
  return (
    <ol className={styles['lanes']} style={{ paddingTop: marksHeight }}>
      {overview.lanes.map((lane) => (
        <li key={lane.id} style={{ height: laneHeight }} title={`${lane.kind}: ${lane.label}`} data-kind={lane.kind}>
          {lane.label}
        </li>
      ))}
    </ol>
  );
}

function FoldOverview({ isFolded }: { readonly isFolded: boolean }) {
  return (
    <span className={styles['fold']}>
      {isFolded ? undefined : (
        <IconButton icon="info" label="What the marks mean" shortcut="l" onPress={() => runCommand('app.legend')} />
      )}
      <IconButton
        icon={isFolded ? 'chevron-down' : 'chevron-up'}
        label={isFolded ? 'Unfold the overview' : 'Fold the overview'}
        aria-expanded={!isFolded}
        onPress={() => setFolded('overview', !isFolded)}
      />
    </span>
  );
}

/** What is under the pointer: a mark in the row above, an event in a lane. */
function hitTest(
  overview: OverviewAnswer,
  part: OverviewPart | undefined,
  geometry: Geometry,
  x: number,
  y: number,
  reach: number,
) {
  if (y < marksHeight) {
    const mark = markAt(placeMarks(geometry, overview.marks), x);
    return mark === undefined ? undefined : { bucket: mark.bucket, width: 1, event: mark.event, text: mark.label };
  }
  const bucket = xToBucket(geometry, x);
  const isInPart = part !== undefined && bucket >= part.from && bucket < part.to;
  const known = isInPart ? part.overview : overview;
  const lane = known.lanes[yToLane(geometry, y, known.lanes.length)];
  const bin = lane === undefined ? undefined : nearestBin(lane.bins, bucket, reach, isInPart ? part.width : 1);
  if (lane === undefined || bin === undefined) return undefined;
  const effects = bin.effects > 0 ? `, ${countOf(bin.effects, 'external effect')}` : '';
  const open = bin.atOnce === undefined ? '' : `, ${countOf(bin.atOnce, 'call')} open at once`;
  const errors = bin.errors > 0 ? `, ${countOf(bin.errors, 'failure')}` : '';
  return {
    bucket: bin.bucket,
    width: isInPart ? part.width : 1,
    event: bin.first,
    text: `${lane.label}: ${countOf(bin.count, 'event')}, ${bin.family}${effects}${open}${errors}`,
  };
}

function stepOf(
  key: string,
  steps: ReturnType<typeof binsInOrder>,
  now: number,
): { readonly first: Explorer['event'] & string } | undefined {
  switch (key) {
    case 'ArrowRight':
      return steps.find(({ bucket }) => bucket > now);
    case 'ArrowLeft':
      return steps.findLast(({ bucket }) => bucket < now);
    case 'Home':
      return steps[0];
    case 'End':
      return steps.at(-1);
    default:
      return undefined;
  }
}

/** What a value is once it stays the same for a moment: a zoom passes through many ranges. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  // Syncs with time.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), 90);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Redraws when the theme of the root element changes: a canvas does not follow the tokens by itself. */
type Turn = (before: Range) => Range;

/** Takes all turns of the wheel that come within a frame at once: each alone would draw the whole picture. */
function useFrameTurns(apply: (turn: Turn) => void): (turn: Turn) => void {
  const waiting = useRef<Turn[]>([]);
  return useCallback(
    (turn) => {
      if (waiting.current.push(turn) > 1) return;
      requestAnimationFrame(() => {
        const turns = waiting.current;
        waiting.current = [];
        apply((before) => turns.reduce((range, one) => one(range), before));
      });
    },
    [apply],
  );
}

/** The colours of the theme in use, read once for each: a style is slow to ask. */
function usePalette(): Palette {
  const [palette, setPalette] = useState(() => readPalette(document.documentElement));
  useEffect(() => {
    const observer = new MutationObserver(() => setPalette(readPalette(document.documentElement)));
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, []);
  return palette;
}
