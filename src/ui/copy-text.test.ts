import { afterEach, describe, expect, it, vi } from 'vitest';
import { copyText } from './copy-text.ts';
import { notify } from './notices.ts';

vi.mock('./notices.ts', () => ({ notify: vi.fn() }));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.mocked(notify).mockClear();
});

describe('copyText', () => {
  it('says that the text is there', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    copyText('a line', 'The line was copied.');
    await vi.waitFor(() => expect(notify).toHaveBeenCalledWith('The line was copied.'));
    expect(writeText).toHaveBeenCalledWith('a line');
  });

  it('says so where the browser has no clipboard for this page, and does not throw', async () => {
    vi.stubGlobal('navigator', {});
    copyText('a line', 'The line was copied.');
    await vi.waitFor(() =>
      expect(notify).toHaveBeenCalledWith(expect.stringContaining('by hand'), { tone: 'problem' }),
    );
  });
});
