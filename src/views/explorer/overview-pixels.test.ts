import { describe, expect, it } from 'vitest';
import { type Sheet, colourToPixel, paint } from './overview-pixels.ts';

function sheet(width: number, height: number): Sheet {
  return { pixels: new Uint32Array(width * height), width, height };
}

/** A row a line, a digit a pixel. */
function show({ pixels, width, height }: Sheet): readonly string[] {
  return Array.from({ length: height }, (_, row) => pixels.slice(row * width, (row + 1) * width).join(''));
}

describe('rectangles as pixels', () => {
  const clip = { from: 0, to: 100 };

  it('fills what a rectangle covers, and the later over the earlier', () => {
    const drawn = sheet(6, 3);
    paint(drawn, [0, 1, 4, 2], { ink: 1, ratio: 1, clip });
    paint(drawn, [3, 0, 2, 2], { ink: 2, ratio: 1, clip });
    expect(show(drawn)).toEqual(['000220', '111220', '111100']);
  });

  it('shows every rectangle, however thin: an event is never averaged away', () => {
    const drawn = sheet(6, 2);
    paint(drawn, [1.2, 0, 0.1, 0.2, 4.4, 0.9, 0.01, 1], { ink: 1, ratio: 1, clip });
    expect(show(drawn)).toEqual(['010000', '000010']);
  });

  it('keeps to the sheet and to the part that is shown', () => {
    const drawn = sheet(4, 2);
    paint(drawn, [-5, -1, 20, 9], { ink: 1, ratio: 1, clip: { from: 1, to: 3 } });
    paint(drawn, [-9, 0, 2, 1, 50, 0, 2, 1, 0, 7, 4, 1], { ink: 2, ratio: 1, clip: { from: 0, to: 4 } });
    expect(show(drawn)).toEqual(['0110', '0110']);
  });

  it('is as sharp as the screen', () => {
    const drawn = sheet(4, 2);
    paint(drawn, [0.5, 0, 1, 1], { ink: 1, ratio: 2, clip });
    expect(show(drawn)).toEqual(['0110', '0110']);
  });

  it('knows colours of six digits alone, so that no other is drawn wrongly', () => {
    const [pixel = 0] = [colourToPixel('#0a14ff')];
    expect([...new Uint8Array(new Uint32Array([pixel]).buffer)]).toEqual([10, 20, 255, 255]);
    for (const other of ['#fff', 'red', 'rgb(0 0 0)', '#12345678', '']) expect(colourToPixel(other)).toBeUndefined();
  });
});
