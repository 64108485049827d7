import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const families = ['model', 'tool', 'effect', 'state', 'observation', 'governance', 'handoff', 'fault', 'run'];

/** The custom properties of every block whose selector mentions the theme. */
function readTheme(theme: 'light' | 'dark'): ReadonlyMap<string, string> {
  const tokens = new Map<string, string>();
  for (const [, selector = '', body = ''] of css.matchAll(/([^{}]*)\{([^}]*)\}/g)) {
    if (!selector.includes(`data-theme='${theme}'`)) continue;
    for (const [, name = '', value = ''] of body.matchAll(/--([\w-]+):\s*([^;]+);/g)) tokens.set(name, value.trim());
  }
  return tokens;
}

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ['canvas', 'surface', 'raised', 'sunken', 'hover'];
const inks = ['text', 'text-soft', 'text-faint', 'accent', 'ok', 'warning', 'danger'];

/** Foreground, background, smallest contrast. 4.5 for text, 3 for marks that carry meaning. */
const pairs: readonly (readonly [string, string, number])[] = [
  ...grounds.flatMap((ground) => inks.map((ink) => [ink, ground, 4.5] as const)),
  ...['text', 'text-soft', 'text-faint', 'accent'].map((ink) => [ink, 'accent-tint', 4.5] as const),
  ...['ok', 'warning', 'danger'].map((name) => [name, `${name}-tint`, 4.5] as const),
  ...['ok', 'warning', 'danger'].map((name) => ['text', `${name}-tint`, 4.5] as const),
  ['on-ink', 'ink', 4.5],
  ['on-ink', 'ink-hover', 4.5],
  ['on-danger', 'danger', 4.5],
  ['on-effect', 'effect-solid', 4.5],
  ['effect-solid', 'surface', 3],
  ['control-line', 'surface', 3],
  ['control-line', 'canvas', 3],
  ['focus', 'canvas', 3],
  ['edge-recorded', 'surface', 3],
  ['edge-inferred', 'surface', 3],
  ...families.flatMap((family) => [
    ...['surface', 'raised', 'hover', 'canvas', 'accent-tint'].map((on) => [`family-${family}`, on, 4.5] as const),
    [`family-${family}`, `family-${family}-tint`, 4.5] as const,
    ['text', `family-${family}-tint`, 4.5] as const,
    [`family-${family}-mark`, 'surface', 3] as const,
  ]),
];

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  const tokens = readTheme(theme);

  it.each(pairs)('shows %s on %s with a contrast of at least %s', (front, back, least) => {
    const [a, b] = [tokens.get(front) ?? '', tokens.get(back) ?? ''];
    expect([a, b]).toEqual([expect.stringMatching(/^#[0-9a-f]{6}$/), expect.stringMatching(/^#[0-9a-f]{6}$/)]);
    expect(contrast(a, b)).toBeGreaterThanOrEqual(least);
  });
});

it('names the same colours in both themes', () => {
  expect([...readTheme('dark').keys()].sort()).toEqual([...readTheme('light').keys()].sort());
});

it('computes contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});
