/**
 * Draws the overview on a canvas: lanes, one tick a bin, marks above, the selection through all. Colours come from the tokens.
 *
 * A bin with a failure shows it in the colour of failures whatever else is in it: no number of other events covers one.
 */
import type { Overview, OverviewBin, OverviewMark } from '../../core/projections/trace-reader.ts';
import {
  type Geometry,
  type Overlap,
  type OverviewPart,
  binsToOverlaps,
  bucketToX,
  marksHeight,
  placeMarks,
  tickWidth,
} from './overview-geometry.ts';
import { type Layer, fillPixels } from './overview-pixels.ts';

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
  const families = new Map<string, string>();
  return {
    line: token('line'),
    text: token('text'),
    faint: token('text-faint'),
    accent: token('accent'),
    danger: token('danger'),
    warning: token('warning'),
    effect: token('effect-solid'),
    brush: token('accent-tint'),
    // Asked once a tick, and slow to ask of a style.
    family: (family) => {
      const known = families.get(family) ?? token(`family-${groups.get(family) ?? family}-mark`);
      families.set(family, known);
      return known;
    },
  };
}

/** What changes with the run, the part shown and the theme, and not with the pointer. */
export interface OverviewPicture {
  readonly overview: Overview;
  /** The part that is known in more detail, if any. */
  readonly part: OverviewPart | undefined;
  readonly geometry: Geometry;
  readonly palette: Palette;
}

export interface OverviewScene extends Pick<OverviewPicture, 'overview' | 'geometry' | 'palette'> {
  /** Places in buckets and parts of one. */
  readonly selected: number | undefined;
  readonly hovered: number | undefined;
  /** Being brushed, in buckets. */
  readonly brush: { readonly from: number; readonly to: number } | undefined;
  /** The picture as it was drawn. */
  readonly picture: CanvasImageSource;
}

/** Columns and brush under the picture, marks above: so little that the pointer never waits. */
export function drawOverview(
  context: CanvasRenderingContext2D,
  scene: OverviewScene,
  width: number,
  height: number,
): void {
  const { overview, geometry, palette, selected, hovered, brush, picture } = scene;
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
  context.drawImage(picture, 0, 0, width, height);
  for (const { mark, x } of placeMarks(geometry, overview.marks)) drawMark(context, scene, mark, Math.round(x), height);
  if (geometry.range.to - geometry.range.from < overview.buckets) drawMinimap(context, scene);
  context.restore();
}

/** Lanes and ticks. Where they are many they are written as pixels: a canvas takes a hundred times as long for as many rectangles. */
export function drawPicture(
  context: CanvasRenderingContext2D,
  picture: OverviewPicture,
  width: number,
  height: number,
): void {
  context.clearRect(0, 0, width, height);
  const layers = pictureToLayers(picture);
  const { left, width: inner } = picture.geometry;
  const clip = { from: left - 6, to: left + inner + 6 };
  const count = layers.reduce((sum, { rectangles }) => sum + rectangles.length / 4, 0);
  if (count > mostDrawn && fillPixels(context, layers, clip)) return;
  context.save();
  context.beginPath();
  context.rect(clip.from, 0, clip.to - clip.from, height);
  context.clip();
  for (const layer of layers) fillLayer(context, layer);
  context.restore();
}

/** Rectangles that are drawn with rounded corners, where these can be seen. */
const mostDrawn = 1_500;

/** Lines of lanes, calls at once, ticks a colour, and failures last, so that nothing is drawn over them. */
export function pictureToLayers({ overview, part, geometry, palette }: OverviewPicture): readonly Layer[] {
  const inks = new Map<string, Ink>();
  const lines: number[] = [];
  const overlaps: number[] = [];
  overview.lanes.forEach((lane, at) => {
    const middle = geometry.top + (at + 0.5) * geometry.laneHeight;
    lines.push(geometry.left, Math.round(middle), geometry.width, 1);
    const detail = part?.overview.lanes[at];
    for (const bin of lane.bins) {
      if (part !== undefined && bin.bucket >= part.from - 0.5 && bin.bucket < part.to - 0.5) continue;
      takeBin(inks, geometry, palette, bin, middle, 1);
    }
    for (const bin of detail?.bins ?? []) takeBin(inks, geometry, palette, bin, middle, part?.width ?? 1);
    for (const one of binsToOverlaps(lane.bins))
      if (part === undefined || one.to <= part.from || one.from >= part.to)
        takeOverlap(overlaps, geometry, one, middle);
    for (const one of binsToOverlaps(detail?.bins ?? [], part?.width)) takeOverlap(overlaps, geometry, one, middle);
  });
  const failures = inks.get(palette.danger);
  inks.delete(palette.danger);
  return [
    { colour: palette.line, rectangles: lines },
    { colour: palette.faint, rectangles: overlaps },
    ...[...inks].map(([colour, { rectangles }]) => ({ colour, rectangles })),
    ...(failures === undefined ? [] : [{ colour: palette.danger, rectangles: failures.rectangles }]),
  ];
}

/** Offsets of the lines, one a call that was open: under the ticks first, then over them. */
const overlapLines = [5, 7, -6, -8] as const;

/** Several calls at once: as many lines beside the ticks, up to four. */
function takeOverlap(into: number[], geometry: Geometry, { from, to, atOnce }: Overlap, middle: number): void {
  const x = bucketToX(geometry, from);
  const width = bucketToX(geometry, to) - x;
  for (const offset of overlapLines.slice(0, atOnce)) into.push(x, Math.round(middle + offset), width, 1);
}

/** Rounded where there is room to see it. */
function fillLayer(context: CanvasRenderingContext2D, { colour, rectangles }: Layer): void {
  context.fillStyle = colour;
  context.beginPath();
  for (let i = 0; i < rectangles.length; i += 4) {
    const [x = 0, y = 0, width = 0, height = 0] = rectangles.slice(i, i + 4);
    if (width < 3 || height < 3) context.fillRect(x, y, width, height);
    else context.roundRect(x, y, width, height, Math.min(2, width / 2));
  }
  context.fill();
}

interface Ink {
  /** x, y, width and height of each. */
  readonly rectangles: number[];
}

function takeBin(
  inks: Map<string, Ink>,
  geometry: Geometry,
  palette: Palette,
  bin: OverviewBin,
  middle: number,
  bucket: number,
): void {
  if (isOutside(geometry, bin.bucket)) return;
  const isEffect = bin.effects > 0;
  const wide = Math.max(tickWidth(geometry, bucket), isEffect ? 4 : 1);
  const tall = isEffect ? 14 : Math.min(12, 7 + Math.log2(bin.count) * 2);
  const x = bucketToX(geometry, bin.bucket + bucket / 2) - wide / 2;
  const top = middle - tall / 2;
  const isAllFailed = bin.errors === bin.count && !isEffect;
  if (!isAllFailed) take(inks, isEffect ? palette.effect : palette.family(bin.family), x, top, wide, tall);
  if (isAllFailed) take(inks, palette.danger, x, top, wide, tall);
  else if (bin.errors > 0) take(inks, palette.danger, x, isEffect ? top : middle - 3, wide, isEffect ? 4 : 6);
}

function take(inks: Map<string, Ink>, colour: string, x: number, y: number, width: number, height: number): void {
  const ink = inks.get(colour) ?? { rectangles: [] };
  inks.set(colour, ink);
  ink.rectangles.push(x, y, width, height);
}

/** The whole run as a line above, with the part shown on it. */
function drawMinimap(context: CanvasRenderingContext2D, { overview, geometry, palette }: OverviewScene): void {
  const { left, width, range } = geometry;
  const scale = width / Math.max(1, overview.buckets);
  context.fillStyle = palette.line;
  context.fillRect(left, 1, width, 2);
  context.fillStyle = palette.accent;
  context.fillRect(left + range.from * scale, 0, Math.max(3, (range.to - range.from) * scale), 4);
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
  context.fillRect(Math.round(bucketToX(geometry, bucket)) - 1, 0, 2, height);
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
