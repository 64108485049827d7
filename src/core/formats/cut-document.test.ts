/** Documents that end in the middle: each is told as such, with the place and what to do, and what is whole in it is used. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bytesToSource, listTraces, openFiles, textToSource, tracesFolder } from './testing/opening.ts';

async function sentencesOf(name: string, bytes: Uint8Array): Promise<readonly string[]> {
  const { error, problems } = await openFiles([bytesToSource(name, bytes)]);
  return error === undefined
    ? problems.filter((one) => one.severity === 'problem').map((one) => one.message)
    : [error.message];
}

const cutOff = /ends in the middle|ends inside|is cut off|was cut/;

describe('a document that ends in the middle', () => {
  it('of no known kind says where it ends, what there is of it, and what to do', async () => {
    const { error } = await openFiles([textToSource('a.json', '{"context":{"id":1},\n"subject":{"ty')]);
    expect(error?.message).toBe(
      'a.json ends in the middle: its JSON document is not closed at byte 35 (line 2). What there is of it does not tell its kind (keys so far: context, subject); fetch or copy the whole file again.',
    );
    const other = await openFiles([textToSource('a.json', '{"a":1,"b":bad,"c":[1')]);
    expect(other.error?.message).toContain('is not closed at byte 21 (line 1), and before that it is not JSON: ');
  });

  it('of a known kind is read as far as it goes', async () => {
    const spans = ['a', 'b'].map((id) => {
      return {
        traceId: '1'.repeat(32),
        id: id.repeat(16),
        name: id,
        timestamp: 1_700_000_000_000_000,
        duration: 5,
        localEndpoint: { serviceName: 's' },
      };
    });
    const whole = JSON.stringify(spans);
    const { problems, counts } = await openFiles([textToSource('z.json', whole.slice(0, -4))]);
    expect(counts).toMatchObject({ mapped: 1, problems: 1 });
    expect(problems.some(({ message }) => cutOff.test(message))).toBe(true);
    const unclosed = await openFiles([textToSource('z.json', whole.slice(0, -1))]);
    expect(unclosed.counts).toMatchObject({ mapped: 2, problems: 0 });
    const told = unclosed.problems.filter(({ code }) => code === 'document-cut-off');
    expect(told.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^z\.json (ends in the middle: its JSON document is not closed|ends inside its document)/),
    ]);
    expect((await openFiles([textToSource('z.json', whole)])).problems.filter((p) => p.severity === 'problem')).toEqual(
      [],
    );
  });

  it('before its first whole record names the format and the place', async () => {
    const text = '{"trajectory_format":"mini-swe-agent-1.1","info":{"exit_status":"Submi';
    const { error } = await openFiles([textToSource('m.json', text)]);
    expect(error?.message).toBe(
      `m.json was read as mini-swe-agent trajectory, and ends in the middle, at byte ${text.length} (line 1), before its first whole record. Fetch or copy the whole file again.`,
    );
  });

  const names = listTraces('.').filter((name) => /\.(?:json|traj)$/.test(name));
  it.skipIf(names.length === 0)(
    'of every real file of one document, cut in half (skipped without ../shared/traces)',
    async () => {
      const silent: string[] = [];
      let tried = 0;
      for (const name of names) {
        const bytes = readFileSync(join(tracesFolder, name));
        // The long ones show nothing that the short ones do not.
        if (bytes.length > 20_000) continue;
        const half = new Uint8Array(bytes.subarray(0, bytes.length >> 1));
        // Lines of records lose their last one, which other tests hold.
        if (!isJson(bytes.toString())) continue;
        tried++;
        const sentences = await sentencesOf(name, half);
        if (!sentences.some((sentence) => cutOff.test(sentence))) silent.push(`${name}: ${sentences[0] ?? 'nothing'}`);
      }
      expect(tried).toBeGreaterThan(30);
      expect(silent).toEqual([]);
    },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
