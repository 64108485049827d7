import { expect, test } from 'vitest';
import { durationToMillis, millisToText } from './duration.ts';

test.each([
  ['PT24H', 86_400_000],
  ['P7D', 604_800_000],
  ['P1W', 604_800_000],
  ['P1DT2H3M4.5S', 93_784_500],
  ['PT0S', 0],
])('R78 %s is read', (text, millis) => {
  expect(durationToMillis(text)).toBe(millis);
});

test.each(['', 'P', 'PT', 'P1M', 'P1Y', '24 h', 'PT24', 'P1W1D', '-PT1H'])('R78 "%s" is no length of time', (text) => {
  expect(durationToMillis(text)).toBeUndefined();
});

test.each([
  [86_400_000, '1 day'],
  [93_600_000, '1 day 2 hours'],
  [86_460_000, '1 day'],
  [61_000, '1 minute 1 second'],
  [1, '1 second'],
  [0, '0 seconds'],
])('R78 %d ms are told as %s', (millis, text) => {
  expect(millisToText(millis)).toBe(text);
});
