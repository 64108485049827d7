/**
 * Every real file against every detector, under a wrong name: the right format knows it, and no other is as sure.
 */
import { describe, expect, it } from 'vitest';
import { detectFormat } from './detect.ts';
import { openSet } from './opened-set.ts';
import { formats } from './registry.ts';
import { readSniff } from './sniff.ts';
import { bytesToSource, listTraces, readTrace, whereFound } from './testing/opening.ts';

/** Which format the files of a folder are, the first pattern that fits; a format that is not there yet is passed over. */
const expected: readonly (readonly [pattern: RegExp, format: string])[] = [
  [/^otel-sdk-dump\/gemini_cli/, 'otel'],
  [/^generated\/dbos/, 'dbos'],
  [/^generated\/langgraph/, 'langgraph'],
  [/^generated\/openai_agents/, 'openai-agents'],
  [/^generated\/otlp/, 'otlp'],
  [/^generated\/restate/, 'restate'],
  [/^openai-agents\/dazzaji_test-traces/, 'otlp'],
  [/^otlp-jsonl?\//, 'otlp'],
  [/^otel-sdk-dump\//, 'otel'],
  [
    /^lab\/[^/]*(?<!-operation_outputs|-workflow_status|-checkpoints|-writes|-sys_journal|-sys_invocation)\.jsonl$/,
    'recovery-lab',
  ],
  [/^([a-z-]+)\//, '$1'],
];

function fileToFormat(name: string): string | undefined {
  const found = expected.find(([pattern]) => pattern.test(name));
  const id = found === undefined ? undefined : name.replace(/^([a-z-]+)\/.*$/s, found[1]);
  return formats.some((format) => format.id === id) ? id : undefined;
}

const files = listTraces('.').map((name) => name.replace(/^\.\//, ''));

describe(`detection crosswise${whereFound(files)}`, () => {
  const samples = files.filter((name) => fileToFormat(name) !== undefined);
  /** Formats that knew a file of theirs, for the last test. */
  const known = new Set<string>();
  it.skipIf(samples.length === 0).each(samples)('R13 %s', { timeout: 60_000 }, async (name) => {
    const source = bytesToSource('holiday.png', readTrace(name));
    const set = await openSet([source], formats, {});
    const found = set.ok ? set.value.groups.map(({ format }) => format.id) : [];
    // A file that is no trace (metadata, a fixture that is broken on purpose) may be known to nobody, never to another.
    expect([[], [fileToFormat(name)]]).toContainEqual(found);
    if (!set.ok) return;
    for (const id of found) known.add(id);
    for (const file of set.value.groups.flatMap((group) => group.files)) {
      const sniff = await readSniff(file);
      const best = detectFormat(sniff, formats);
      if (best === undefined) continue;
      const rivals = formats.filter((format) => format !== best.format && format.detect(sniff) >= best.confidence);
      expect(rivals.map(({ id }) => id)).toEqual([]);
    }
  });

  it.skipIf(files.length === 0)('every format knows at least one real file, where there is one of it', () => {
    const wanted = new Set(files.map(fileToFormat).filter((id) => id !== undefined));
    expect([...wanted].filter((id) => !known.has(id))).toEqual([]);
  });
});
