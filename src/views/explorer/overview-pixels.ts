/**
 * Many rectangles of plain colours as pixels: a picture of a million events is thousands of them, and a canvas rasterises each.
 *
 * Invariant: every rectangle shows, a pixel wide and high at least; a later layer covers an earlier one. Called by draw-overview.ts.
 */
export interface Layer {
  /** `#rrggbb`. */
  readonly colour: string;
  /** x, y, width and height of each, in CSS pixels. */
  readonly rectangles: readonly number[];
}

/** From and to in CSS pixels along x. */
export interface Clip {
  readonly from: number;
  readonly to: number;
}

/** False, with nothing drawn, where a colour is written in another way, or where there is nothing to draw on. */
export function fillPixels(context: CanvasRenderingContext2D, layers: readonly Layer[], clip: Clip): boolean {
  const { width, height } = context.canvas;
  const inks = layers.map(({ colour }) => colourToPixel(colour));
  if (width === 0 || height === 0 || inks.includes(undefined)) return false;
  const image = sheetOf(context);
  const ratio = context.getTransform().a;
  const pixels = new Uint32Array(image.data.buffer);
  pixels.fill(0);
  layers.forEach(({ rectangles }, n) =>
    paint({ pixels, width, height }, rectangles, { ink: inks[n] ?? 0, ratio, clip }),
  );
  context.putImageData(image, 0, 0);
  return true;
}

/** Megabytes, for each picture anew while one zooms: so one for each canvas. */
const sheets = new WeakMap<HTMLCanvasElement, ImageData>();

function sheetOf(context: CanvasRenderingContext2D): ImageData {
  const { canvas } = context;
  const known = sheets.get(canvas);
  if (known?.width === canvas.width && known.height === canvas.height) return known;
  const made = context.createImageData(canvas.width, canvas.height);
  sheets.set(canvas, made);
  return made;
}

export interface Sheet {
  /** A row after the other, four bytes a pixel. */
  readonly pixels: Uint32Array;
  readonly width: number;
  readonly height: number;
}

export interface Brush {
  readonly ink: number;
  /** Pixels of the sheet a CSS pixel. */
  readonly ratio: number;
  readonly clip: Clip;
}

export function paint(
  { pixels, width, height }: Sheet,
  rectangles: readonly number[],
  { ink, ratio, clip }: Brush,
): void {
  const [least, most] = [Math.max(0, Math.round(clip.from * ratio)), Math.min(width, Math.round(clip.to * ratio))];
  for (let i = 0; i + 3 < rectangles.length; i += 4) {
    const x = rectangles[i] ?? 0;
    const y = rectangles[i + 1] ?? 0;
    const wide = rectangles[i + 2] ?? 0;
    const tall = rectangles[i + 3] ?? 0;
    const left = Math.round(x * ratio);
    const top = Math.round(y * ratio);
    const from = Math.max(least, left);
    const to = Math.min(most, Math.max(left + 1, Math.round((x + wide) * ratio)));
    const bottom = Math.min(height, Math.max(top + 1, Math.round((y + tall) * ratio)));
    if (to <= from) continue;
    // Most are a pixel or two wide, for which a call to fill takes longer than the pixels.
    for (let row = Math.max(0, top) * width; row < bottom * width; row += width)
      for (let at = row + from; at < row + to; at++) pixels[at] = ink;
  }
}

/** As the bytes of a pixel stand in memory, opaque; undefined for a colour that is not `#rrggbb`. */
export function colourToPixel(colour: string): number | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) return undefined;
  const bytes = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const [pixel] = new Uint32Array(new Uint8Array([...bytes, 255]).buffer);
  return pixel;
}
