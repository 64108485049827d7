import { expect, it } from 'vitest';
import { payloadToReadable } from './readable.ts';

it('texts inside JSON and texts of several lines stand as texts; what the tree shows as well does not', () => {
  const output = '{"output":"a\\n\\tb","metadata":{"exit_code":0}}';
  expect(payloadToReadable({ tool: 'shell', args: { command: ['sh', '-c', 'ls\npwd'] }, result: output })).toEqual([
    { title: 'Arguments', text: 'ls\npwd' },
    { title: 'Answer', text: 'a\n\tb' },
  ]);
  expect(payloadToReadable({ result: '{"output":"one line"}' })).toEqual([{ title: 'Answer', text: 'one line' }]);
  expect(payloadToReadable({ content: [{ type: 'text', text: 'a\nb' }] })).toEqual([
    { title: 'Message', text: 'a\nb' },
  ]);
  expect(payloadToReadable({ args: { q: 'x' }, result: 'one line', value: { n: 1 } })).toEqual([]);
  expect(payloadToReadable({ result: ' \n ' })).toEqual([]);
});
