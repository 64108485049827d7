import { expect, it } from 'vitest';
import { matchToPlace } from './match-words.ts';

const text = { before: '', text: '8421', after: '' };

it('R76 a match says its field, its record and the row of the redaction it falls under', () => {
  const at = (type: string, ...path: readonly string[]): string =>
    matchToPlace({ ...text, record: { id: 'e-7', type }, path });
  expect(at('tool_call.completed', 'data', 'result', 'ticket')).toBe(
    'data.result.ticket of e-7 (tool_call.completed) · Tool results',
  );
  expect(at('tool_call.completed', 'mono')).toBe('mono of e-7 (tool_call.completed) · Times');
  expect(at('effect.committed', 'data', 'effect', 'id')).toContain('Effect ids and keys');
  expect(at('annotation.made', 'data', 'annotator', 'id')).toContain('People and authorities');
  expect(at('annotation.made', 'data', 'mine')).toContain('Everything else');
  expect(at('x.y', 'id')).toContain('structure of the record');
  expect(matchToPlace({ ...text, record: { id: 'e', type: 't' }, path: ['a'], isName: true })).toMatch(
    /^the name of a of/,
  );
  expect(matchToPlace({ ...text, record: { id: 'e', type: 't' } })).toBe('over several fields of e (t)');
  expect(matchToPlace({ ...text, path: [] })).toBe('title, note or first view');
});
