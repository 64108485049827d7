import { expect, it } from 'vitest';
import { textToPiece } from './piece.ts';

const letter = "Dear Ines, your machine's heater has failed, and a repair with a new part is ";
const [free, paid] = [`${letter}free of charge under your warranty.`, `${letter}offered at 120 EUR, to be paid.`];

it('a piece of a text shows where it begins to differ from the other, and is no longer than asked for', () => {
  const pieces = [textToPiece(free, paid, 40), textToPiece(paid, free, 40)];
  expect(pieces[0]).toMatch(/^… new part is free of charge.*…$/);
  expect(pieces[1]).toMatch(/^… new part is offered at 120.*…$/);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(40);
  // What fits stands whole; what differs early, what equals the other and what goes on behind it is cut at one end.
  expect(textToPiece('short', free, 40)).toBe('short');
  expect(textToPiece(free, 'else', 40)).toBe(`${free.slice(0, 39)}…`);
  expect(textToPiece(free, free, 40)).toBe(`${free.slice(0, 39)}…`);
  expect(textToPiece(`${letter}x`, letter, 40)).toBe(`…${`${letter}x`.slice(-38)}`);
});

it('cuts no character in half', () => {
  const faces = '😀'.repeat(60);
  for (let most = 10; most < 20; most++)
    for (let shared = 0; shared < 100; shared++)
      expect(textToPiece(faces, `${faces.slice(0, shared)}!`, most).isWellFormed()).toBe(true);
});
