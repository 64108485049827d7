/** Draws the overview on a canvas: lanes, one tick a bin, marks above, the selection through all. Colours come from the tokens. */
import type { Overview, OverviewBin, OverviewMark } from '../../core/projections/trace-reader.ts';
import { type Geometry, bucketToX, marksHeight, placeMarks, tickWidth } from './overview-geometry.ts';

export interface Palette {
  readonly line: string;
  readonly text: string;
  readonly faint: string;
  readonly accent: string;
  readonly danger: string;
  readonly warning: string;
  readonly effect: string;
  readonly brush: string;
  readonly family: (family: string) => string;
}

const groups: ReadonlyMap<string, string> = new Map([
  ['artifact', 'state'],
  ['check', 'governance'],
  ['step', 'run'],
  ['branch', 'run'],
  ['trial', 'run'],
  ['stream', 'run'],
  ['note', 'run'],
  ['unknown', 'run'],
]);

export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    line: token('line'),
    text: token('text'),
    faint: token('text-faint'),
    accent: token('accent'),
    danger: token('danger'),
    warning: token('warning'),
    effect: token('effect-solid'),
    brush: token('accent-tint'),
    family: (family) => token(`family-${groups.get(family) ?? family}-mark`),
  };
}

export interface OverviewScene {
  readonly overview: Overview;
  readonly geometry: Geometry;
  readonly palette: Palette;
  readonly selected: number | undefined;
  readonly hovered: number | undefined;
  /** Being brushed, in buckets. */
  readonly brush: { readonly from: number; readonly to: number } | undefined;
}

export function drawOverview(
  context: CanvasRenderingContext2D,
  scene: OverviewScene,
  width: number,
  height: number,
): void {
  const { overview, geometry, palette, selected, hovered, brush } = scene;
  context.clearRect(0, 0, width, height);
  if (brush !== undefined) {
    const from = bucketToX(geometry, brush.from);
    context.fillStyle = palette.brush;
    context.fillRect(from, 0, bucketToX(geometry, brush.to) - from, height);
  }
  context.save();
  context.beginPath();
  context.rect(geometry.left - 6, 0, geometry.width + 12, height);
  context.clip();
  drawColumn(context, scene, hovered, palette.line, height);
  drawColumn(context, scene, selected, palette.accent, height);
  overview.lanes.forEach((lane, at) => {
    const middle = geometry.top + (at + 0.5) * geometry.laneHeight;
    context.fillStyle = palette.line;
    context.fillRect(geometry.left, Math.round(middle), geometry.width, 1);
    for (const bin of lane.bins) drawBin(context, scene, bin, middle);
  });
  for (const { mark, x } of placeMarks(geometry, overview.marks)) drawMark(context, scene, mark, Math.round(x), height);
  context.restore();
}

function isOutside({ range }: Geometry, bucket: number): boolean {
  return bucket < range.from - 1 || bucket > range.to;
}

function drawColumn(
  context: CanvasRenderingContext2D,
  { geometry }: OverviewScene,
  bucket: number | undefined,
  colour: string,
  height: number,
): void {
  if (bucket === undefined || isOutside(geometry, bucket)) return;
  context.fillStyle = colour;
  context.fillRect(Math.round(bucketToX(geometry, bucket + 0.5)) - 1, 0, 2, height);
}

function drawBin(
  context: CanvasRenderingContext2D,
  { geometry, palette }: OverviewScene,
  bin: OverviewBin,
  middle: number,
): void {
  if (isOutside(geometry, bin.bucket)) return;
  const width = tickWidth(geometry);
  const isEffect = bin.effects > 0;
  const tall = isEffect ? 14 : Math.min(12, 7 + Math.log2(bin.count) * 2);
  const x = bucketToX(geometry, bin.bucket + 0.5) - Math.max(width, isEffect ? 4 : 1) / 2;
  context.fillStyle = isEffect ? palette.effect : bin.errors > 0 ? palette.danger : palette.family(bin.family);
  context.beginPath();
  context.roundRect(x, middle - tall / 2, Math.max(width, isEffect ? 4 : 1), tall, Math.min(2, width / 2));
  context.fill();
}

/** Every kind has its own shape, so that it is told without its colour. */
function drawMark(
  context: CanvasRenderingContext2D,
  { geometry, palette }: OverviewScene,
  mark: OverviewMark,
  x: number,
  height: number,
): void {
  const ruler = Math.round(bucketToX(geometry, mark.bucket + 0.5));
  const y = marksHeight / 2;
  context.lineWidth = 2;
  context.lineCap = 'round';
  context.setLineDash([]);
  context.beginPath();
  switch (mark.kind) {
    case 'kill':
      context.strokeStyle = palette.danger;
      context.moveTo(x - 4, y - 4);
      context.lineTo(x + 4, y + 4);
      context.moveTo(x + 4, y - 4);
      context.lineTo(x - 4, y + 4);
      context.stroke();
      drawRuler(context, ruler, height, palette.danger);
      return;
    case 'restart':
      context.strokeStyle = palette.text;
      context.arc(x, y, 4, 0.6, Math.PI * 1.8);
      context.stroke();
      drawRuler(context, ruler, height, palette.faint);
      return;
    case 'fork':
      context.strokeStyle = palette.accent;
      context.moveTo(x - 4, y + 5);
      context.lineTo(x, y);
      context.lineTo(x, y - 5);
      context.moveTo(x, y);
      context.lineTo(x + 4, y + 5);
      context.stroke();
      return;
    case 'finding':
      context.fillStyle = palette.warning;
      context.moveTo(x, y - 5);
      context.lineTo(x + 5, y + 4);
      context.lineTo(x - 5, y + 4);
      context.closePath();
      context.fill();
      return;
    case 'gap':
      context.strokeStyle = palette.danger;
      context.lineWidth = 1.5;
      context.setLineDash([2, 2.6]);
      context.arc(x, y, 4.5, 0, Math.PI * 2);
      context.stroke();
      context.setLineDash([]);
  }
}

function drawRuler(context: CanvasRenderingContext2D, x: number, height: number, colour: string): void {
  context.beginPath();
  context.lineWidth = 1;
  context.strokeStyle = colour;
  context.setLineDash([2, 3]);
  context.moveTo(x + 0.5, marksHeight);
  context.lineTo(x + 0.5, height);
  context.stroke();
  context.setLineDash([]);
}
