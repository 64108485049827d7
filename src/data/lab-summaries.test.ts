/** Summaries of labs among opened files: kept for the page of recovery, and not opened as traces. */
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { Blob as NodeBlob } from 'node:buffer';
import { createElement, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mayHoldSummary, sortFiles, useKeepSummaries, useLabSummaries } from './lab-summaries.ts';
import { createQueryClient } from './query-client.ts';

// The host of this test has blobs that cannot be read.
beforeEach(() => void vi.stubGlobal('Blob', NodeBlob));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const entry = { file: 'a.jsonl', committed: {}, completed: true };

function file(path: string, text: string) {
  return { path, blob: new Blob([text]) };
}

function summary(path: string, ...more: readonly object[]) {
  return file(path, JSON.stringify({ trials: [entry, ...more] }));
}

describe('files that were opened', () => {
  it('R100 are parted into summaries of a lab and what is to be opened, by what they hold', async () => {
    const given = [
      file('sweep/a.jsonl', '{"type":"trial.started"}'),
      summary('sweep/summary.json'),
      summary('sweep/renamed.JSON'),
      file('sweep/other.json', '{"trials":[{"file":"a"}]}'),
      file('sweep/trace.json', '{"spans":[]}'),
    ];
    const { summaries, others } = await sortFiles(given);
    expect(summaries.map((one) => [one.file, one.entries.length])).toEqual([
      ['sweep/summary.json', 1],
      ['sweep/renamed.JSON', 1],
    ]);
    expect(others.map(({ path }) => path)).toEqual(['sweep/a.jsonl', 'sweep/other.json', 'sweep/trace.json']);
  });

  it('are not looked into where none can be one', () => {
    expect(mayHoldSummary([file('a.jsonl', ''), file('summary.json.gz', '')])).toBe(false);
    expect(mayHoldSummary([file('a.jsonl', ''), file('summary.json', '')])).toBe(true);
  });
});

it('R100 summaries are kept, and one of the same name takes the place of the other', async () => {
  const client = createQueryClient();
  const wrapper = ({ children }: { readonly children: ReactNode }) =>
    createElement(QueryClientProvider, { client }, children);
  const { result } = renderHook(() => ({ keep: useKeepSummaries(), kept: useLabSummaries() }), { wrapper });
  const { summaries } = await sortFiles([summary('a.json'), summary('b.json'), summary('a.json', entry)]);
  const [first, other, later] = summaries;
  act(() => {
    result.current.keep(summaries.slice(0, 1));
    result.current.keep(summaries.slice(1, 2));
    result.current.keep(summaries.slice(2));
  });
  expect(first?.file).toBe(later?.file);
  await waitFor(() => expect(result.current.kept).toEqual([other, later]));
});
