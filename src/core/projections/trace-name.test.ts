import { describe, expect, it } from 'vitest';
import { drawTrace } from '../model/testing/trace.ts';
import { createTraceNaming } from './trace-name.ts';

const file = 'rollout-2026-01-02T03-04-05-5c0375b4-57a5-4f26-b12d-d022ee4e51b7';

function nameOf(drawing: string, given = file): string {
  const naming = createTraceNaming();
  for (const event of drawTrace(`w:\n${drawing}`).events) naming.note(event);
  return naming.nameOf(given);
}

const asked =
  'i input.received {"name":"prompt","value":"<command-name>/init</command-name><command-args>the\\nshop</command-args>"}';

describe('the name of a trace', () => {
  it('is what a person asked where the file is called by an id', () => {
    expect(nameOf(asked)).toBe('/init the shop (5c0375b4)');
    expect(nameOf(asked, '0af7651916cd43dd8448eb211c80319c')).toBe('/init the shop (0af76519)');
    expect(nameOf(asked, '50a7220d-7250-46f3-b38e-b716ce25032e and 1 more')).toBe('/init the shop (50a7220d)');
    const named = ['my-session and 1 more', 'my-session', 'refund case 5c0375b4-57a5-4f26-b12d-d022ee4e51b7'];
    expect(named.map((given) => nameOf(asked, given))).toEqual(named);
  });

  it('is a recorded title before that, and a summary or the program behind it', () => {
    expect(nameOf(`${asked}\nt claude_code.custom-title {"customTitle":"Set up the shop"}`)).toBe(
      'Set up the shop (5c0375b4)',
    );
    const rest = 'r run.started {"program":{"name":"helm"}}\ns claude_code.summary {"summary":"An empty shop"}';
    expect(nameOf(`${rest}\n${asked}`)).toBe('/init the shop (5c0375b4)');
    expect(nameOf(rest)).toBe('An empty shop (5c0375b4)');
    expect(nameOf('r run.started {"program":{"name":"helm"}}')).toBe('helm (5c0375b4)');
    expect(nameOf('r run.started {}')).toBe(file);
  });

  it('leaves out what a program put before the words of a person', () => {
    const parts = (...texts: readonly string[]): string =>
      `m message.sent {"role":"user","content":${JSON.stringify(texts.map((text) => ({ type: 'text', text })))}}`;
    expect(nameOf(parts('<system-reminder>\nKnow this.\n</system-reminder>', '## Mend the **door**\nplease'))).toBe(
      'Mend the **door** (5c0375b4)',
    );
    expect(nameOf(`${parts('Caveat: The messages below were made by a tool')}\n${asked}`)).toBe(
      '/init the shop (5c0375b4)',
    );
    expect(nameOf(`${parts('This session is being continued from another')}\n${asked}`)).toBe(
      '/init the shop (5c0375b4)',
    );
  });
});
