/** What a wrong command line, a file that is none, and damaged or many-run input get from the commands: a sentence, and nothing hidden. */
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isJsonObject } from '../core/base/json.ts';
import { err, ok } from '../core/base/result.ts';
import { runCheck } from './check.ts';
import type { CheckReport } from './check-report.ts';
import { readFailure, writeFailure } from './failures.ts';
import { runExport } from './export.ts';
import { readJsonFile } from './option-files.ts';
import type { Outcome } from './output.ts';
import { runRecovery } from './recovery.ts';
import { runRedact } from './redact.ts';
import { runReplayCommand } from './replay.ts';
import { runReplaySet } from './replay-set.ts';
import { runSurvey } from './survey.ts';
import { ignoredOptions, misuse } from './usage.ts';

const settings = { json: false, acceptFuture: false, allowHuge: false };
let folder = '';
let minimal = '';
let twoRuns = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-hostile-'));
  minimal = await readFile(join(import.meta.dirname, '../../fixtures/versions/v1/minimal.hindcast.jsonl'), 'utf8');
  const run = /"run":"([^"]+)"/.exec(minimal)?.[1] ?? '';
  const ids = [...minimal.matchAll(/"id":"([^"]+)"/g)].map(([, id = '']) => id);
  const other = ids.reduce(
    (text, id) => text.replaceAll(`"${id}"`, `"other-${id}"`),
    minimal.replaceAll(run, 'f'.repeat(run.length)),
  );
  twoRuns = join(folder, 'two.jsonl');
  await writeFile(twoRuns, minimal + other);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe('several runs', () => {
  it('replay names the run it took, how many there are and how to take another', async () => {
    const first = await runReplayCommand(twoRuns, settings);
    expect(first.out).toMatch(/Run {7}\S+ \(the first of 2 runs; --run RUN takes another: f+\)/);
    const second = await runReplayCommand(twoRuns, { ...settings, run: 'f'.repeat(32) });
    expect(second.out).toMatch(/Run {7}f+ \(one of 2 runs; /);
    const { out = '' } = await runReplayCommand(twoRuns, { ...settings, json: true });
    expect(JSON.parse(out)).toMatchObject({ runs: [expect.any(String), 'f'.repeat(32)] });
    const { problem } = await runReplayCommand(twoRuns, { ...settings, run: 'nobody' });
    expect(problem).toContain('The stream has no run nobody; it has ');
    const unnamed = await runReplayCommand(twoRuns, { ...settings, run: '' });
    expect(unnamed.problem).toContain('The stream has no run with an empty name; it has ');
    const branch = { to: 'hindcast', out: join(folder, 'branch.jsonl'), branch: 'b-0' };
    const unknown = await runExport([twoRuns], { ...settings, ...branch });
    expect(unknown.problem).toContain('The stream has no branch b-0; it has main.');
  });
});

describe('damaged records', () => {
  it('redact and export say how many are left out, and where they stand', async () => {
    const path = join(folder, 'damaged.jsonl');
    const lines = minimal.trimEnd().split('\n');
    await writeFile(path, [lines[0], 'garbage', ...lines.slice(1), '{"v":1,"half'].join('\n'));
    const sentence = `2 damaged records of the input are left out: damaged.jsonl, line 2, byte ${(lines[0]?.length ?? 0) + 1} (damaged-line); damaged.jsonl, line ${lines.length + 2}`;
    const redacted = await runRedact(path, { ...settings, out: join(folder, 'copy.jsonl') });
    expect(redacted.out).toContain(sentence);
    const exported = await runExport([path], { ...settings, to: 'hindcast', out: join(folder, 'export.jsonl') });
    expect(exported.out).toContain(sentence);
    const asJson = { ...settings, json: true };
    const { out = '' } = await runExport([path], { ...asJson, to: 'otlp', out: join(folder, 'export.otlp') });
    expect(JSON.parse(out)).toMatchObject({
      leftOut: { records: 2, places: [{ line: 2 }, { code: 'truncated-last-line' }] },
    });
    const copied = await runRedact(path, { ...asJson, out: join(folder, 'copy2.jsonl') });
    expect(JSON.parse(copied.out ?? '')).toMatchObject({ leftOut: { records: 2 }, events: lines.length });
  });
});

describe('check', () => {
  it('R74 says first that a file was cut, in an archive or plain, for its end may tell otherwise', async () => {
    const text = await readFile(join(import.meta.dirname, '../../public/samples/ticket-incident.hindcast.jsonl'));
    const beforeSecond = text.lastIndexOf('"type":"effect.committed"');
    const plain = join(folder, 'stops.jsonl');
    const packed = join(folder, 'stops.jsonl.gz');
    await writeFile(plain, text.subarray(0, beforeSecond));
    await writeFile(packed, gzipSync(text).subarray(0, 20_000));
    const end =
      'what stands below as absent, open or done once holds for the part that was read; its end may tell otherwise.';
    for (const path of [plain, packed]) {
      const { out = '' } = await runCheck([path], settings);
      expect(out.split('\n')[0]).toBe(`${basename(path)} could not be read to its end: ${end}`);
    }
    const both = join(folder, 'stops2.jsonl');
    await writeFile(both, Buffer.concat([Buffer.from('garbage\n'), text.subarray(0, beforeSecond)]));
    expect((await runCheck([both], settings)).out).toMatch(
      /^stops2\.jsonl could not be read to its end, and 1 record could not be read elsewhere: /,
    );
    expect((await runCheck([plain, packed], settings)).out).toMatch(/^2 files could not be read to their ends: /);
  });

  it('R17 reads runs that nothing joins as one where nobody chose, says how many they are, and reads the chosen one alone', async () => {
    const paths = ['ticket-incident', 'wrong-observation'].map((name) =>
      join(import.meta.dirname, `../../public/samples/${name}.hindcast.jsonl`),
    );
    const { out = '', code } = await runCheck(paths, settings);
    expect([code, /^Traces .*$/m.exec(out)?.[0]]).toEqual([
      1,
      'Traces    2, checked as one; --trace KEY checks one of them',
    ]);
    const [, second = ''] = paths;
    const run = /"run":"([^"]+)"/.exec(await readFile(second, 'utf8'))?.[1];
    const alone = await runCheck([second], { ...settings, json: true });
    const chosen = await runCheck(paths, { ...settings, json: true, trace: run });
    expect(JSON.parse(chosen.out ?? '')).toMatchObject({
      counts: (JSON.parse(alone.out ?? '') as CheckReport).counts,
    });
  });

  it('counts as the page does: records not read first, findings as notices, the rest as remarks about the records', async () => {
    const path = join(folder, 'checked.jsonl');
    const lines = minimal.trimEnd().split('\n');
    await writeFile(path, [...lines, 'garbage'].join('\n'));
    const { out = '' } = await runCheck([path], settings);
    expect(out).toMatch(/^1 record could not be read, and nothing that follows takes account of it\.\n/);
    expect(out).toMatch(/^Records {3}\d+ read: \d+ mapped, \d+ merged, 1 could not be read$/m);
    const found =
      /^Found {5}\d+ violations?, \d+ gaps?, (\d+) notices?, (\d+) problems? and (\d+) remarks? about/m.exec(out);
    const listed = ['Notices', 'Problems', 'Remarks about the records'].map(
      (title) => new RegExp(`^${title} \\((\\d+)\\)$`, 'm').exec(out)?.[1],
    );
    expect(found?.slice(1)).toEqual(listed);
    const { notices } = JSON.parse((await runCheck([path], { ...settings, json: true })).out ?? '') as CheckReport;
    expect(notices.filter(({ about }) => about === 'records').map(({ code }) => code)).toEqual(['clock-contradiction']);
  });
});

describe('damaged files', () => {
  it('every command says what of a file it could not use, in its text and as leftOut', async () => {
    const lines = minimal.trimEnd().split('\n');
    const packed = gzipSync(minimal);
    const cut = join(folder, 'cut.jsonl.gz');
    await writeFile(cut, packed.subarray(0, packed.length - 400));
    const wrong = join(folder, 'wrong.jsonl.gz');
    await writeFile(wrong, Buffer.concat([packed.subarray(0, -8), Buffer.alloc(8)]));
    const followed = join(folder, 'followed.jsonl.gz');
    await writeFile(followed, Buffer.concat([packed, Buffer.from('and so on and so on')]));
    const program = join(folder, 'program.js');
    await writeFile(program, 'async function main() { return 1; }');
    let n = 0;
    const acts: readonly ((path: string, json: boolean) => Promise<Outcome>)[] = [
      (path, json) => runRedact(path, { ...settings, json, out: join(folder, `d${++n}`) }),
      (path, json) => runExport([path], { ...settings, json, to: 'hindcast', out: join(folder, `d${++n}`) }),
      (path, json) => runReplayCommand(path, { ...settings, json }),
      (path, json) => runReplaySet([path], { ...settings, json, program }),
      (path, json) => runRecovery([path], { ...settings, json }),
      (path, json) => runSurvey(path, { ...settings, json, markdown: false }),
    ];
    for (const act of acts) {
      const text = async (path: string): Promise<string> => (await act(path, false)).out ?? '';
      expect(await text(wrong)).toContain(
        'wrong.jsonl.gz: the gzip archive is damaged: the checksum at its end does not',
      );
      expect(await text(followed)).toContain(
        `after the end of the gzip archive 19 bytes follow that are no part of it, from byte ${packed.length} on; they are not read`,
      );
      // One record was cut, and it has one place; that the archive is cut is no second one.
      const { out = '' } = await act(cut, true);
      expect(JSON.parse(out)).toMatchObject({
        leftOut: {
          records: 1,
          places: [{ file: 'cut.jsonl.gz', code: 'truncated-last-line' }],
          damage: [
            {
              file: 'cut.jsonl.gz',
              code: 'archive-truncated',
              message: expect.stringContaining('is cut off') as string,
            },
          ],
        },
      });
      expect(await text(cut)).toMatch(
        /^One damaged record of the input is left out: cut\.jsonl\.gz, line \d+, byte \d+ \(/m,
      );
    }
    const whole = join(folder, 'whole.jsonl');
    await writeFile(whole, lines.join('\n'));
    expect((await runReplayCommand(whole, settings)).out).not.toContain('left out');
  });
});

describe('files of options', () => {
  it('are read by their byte order mark, and told with path, place and remedy', async () => {
    const path = join(folder, 'opt.json');
    const read = async (content: string | Uint8Array): Promise<unknown> => {
      await writeFile(path, content);
      const result = await readJsonFile('The edit file', path, (value) =>
        isJsonObject(value) ? ok(value['a']) : err('The edit file cannot be used: it must be an object.'),
      );
      return result.ok ? result.value : result.error.replaceAll(path, 'P');
    };
    const text = '{"a":"é"}';
    const little = Buffer.from(`\ufeff${text}`, 'utf16le');
    expect(await read(little)).toBe('é');
    expect(await read(Buffer.from(text, 'utf16le'))).toBe('é');
    expect(await read(Buffer.from(little).swap16())).toBe('é');
    expect(await read(`\ufeff${text}`)).toBe('é');
    expect(await read(Buffer.from(text, 'latin1'))).toBe(
      'P: The edit file is not UTF-8 text: one byte of it is no character, at line 1, character 7. Save it as UTF-8.',
    );
    expect(await read(gzipSync(text))).toBe('P: The edit file must be text. It is a gzip archive. Unpack it first.');
    expect(await read(' \n')).toBe('P: The edit file is empty. It must hold one JSON object.');
    expect(await read('{\n "a": }')).toMatch(
      /^P: The edit file is not JSON: .*, at line 2, character 7\. Mend it there\.$/,
    );
    expect(await read('[]')).toBe('P: The edit file cannot be used: it must be an object.');
    const device = await readJsonFile('The claim', '/dev/null', ok);
    expect(device).toEqual({
      ok: false,
      error: '/dev/null: The claim cannot be read: this is a pipe or device. Save it as a file first.',
    });
  });

  it('of every command are told alike', async () => {
    const run = join(folder, 'run.jsonl');
    await writeFile(run, minimal);
    const file = join(folder, 'any.json');
    const out = join(folder, 'never');
    const acts: readonly (readonly [string, () => Promise<Outcome>])[] = [
      ['The edit file', () => runReplayCommand(run, { ...settings, edit: file })],
      ['The redaction policy', () => runRedact(run, { ...settings, out, policy: file })],
      ['The claim', () => runRecovery([run], { ...settings, claim: file })],
      ['The envelope', () => runRecovery([run], { ...settings, envelope: file })],
    ];
    for (const [what, act] of acts) {
      for (const content of ['', 'null', '[]', '{}', '"x"', '{"a":1', '\u0000', '{"a":1}']) {
        if (what === 'The envelope' && content.endsWith('}') && content.startsWith('{')) continue;
        await writeFile(file, content);
        const { code, problem = '' } = await act();
        expect([code, problem]).toEqual([
          2,
          expect.stringMatching(new RegExp(`^${file}: ${what} (is|cannot be|must be) .*\\.$`, 's')),
        ]);
      }
    }
  });

  it('say what is wrong with them, not what the host calls it', async () => {
    const path = join(folder, 'run.jsonl');
    await writeFile(path, minimal);
    const absent = join(folder, 'absent.json');
    const edit = await runReplayCommand(path, { ...settings, edit: absent });
    expect(edit.problem).toMatch(/^The edit file is not there: there is no file at .*absent\.json\./);
    const program = await runReplayCommand(path, { ...settings, program: folder });
    expect(program.problem).toBe(`The program cannot be read: ${folder} is a folder. Name a file in it.`);
    const text = join(folder, 'program.json');
    for (const data of [minimal, '{\n  "a": [1]\n}\n', '[1, 2]']) {
      await writeFile(text, data);
      for (const given of [
        await runReplayCommand(path, { ...settings, program: text }),
        await runReplaySet([path], { ...settings, program: text }),
      ])
        expect([given.code, given.problem]).toEqual([
          2,
          `${text}: The program is JSON, as traces and edit files are, and no control program. Give a JavaScript file with a function named main.`,
        ]);
    }
    await writeFile(text, `[1].map(String);\n{ let a; }\n${declaredProgram(minimal)}`);
    expect((await runReplayCommand(path, { ...settings, program: text })).code).toBe(0);
    await mkdir(join(folder, 'out'));
    const copy = await runExport([path], { ...settings, to: 'hindcast', out: join(folder, 'no', 'x') });
    expect(copy.problem).toContain('the folder it would stand in does not exist');
    for (const code of ['ENOENT', 'EISDIR', 'ENOTDIR', 'EACCES', 'EEXIST', 'ENOSPC']) {
      const error = Object.assign(new Error(`${code}: no such thing, open 'x'`), { code });
      expect(writeFailure('The copy', 'x', error)).not.toContain(`${code}:`);
      if (code !== 'EEXIST' && code !== 'ENOSPC')
        expect(readFailure('The program', 'x', error)).not.toContain(`${code}:`);
    }
  });
});

function declaredProgram(text: string): string {
  const start: unknown = JSON.parse(text.split('\n').find((line) => line.includes('"run.started"')) ?? '{}');
  const data = isJsonObject(start) ? start['data'] : undefined;
  const program = isJsonObject(data) ? data['program'] : undefined;
  const source = isJsonObject(program) ? program['source'] : undefined;
  return typeof source === 'string' ? source : '';
}

describe('a wrong command line', () => {
  it('shows the usage of the command, and last what is wrong', () => {
    const { code, problem = '' } = misuse('redact needs a name for the copy: -o OUT.', 'redact', false);
    const lines = problem.split('\n');
    expect(code).toBe(2);
    expect(lines.at(-1)).toBe('redact needs a name for the copy: -o OUT.');
    expect(lines.filter((line) => line.startsWith('  hindcast '))).toEqual([
      '  hindcast redact FILE -o OUT [--policy POLICY.json] [--keep CLASS,…] [--json]',
    ]);
    expect(misuse('There is no command "x".', 'x', false).problem?.split('\n').length).toBeGreaterThan(10);
    expect(misuse('No command was given.', undefined, true).out).toContain('"message": "No command was given."');
  });

  it('export refuses a run without a branch, for it would write every run', async () => {
    const outcome = await runExport([twoRuns], { ...settings, to: 'hindcast', out: join(folder, 'x'), run: 'nobody' });
    expect([outcome.code, outcome.problem]).toEqual([2, expect.stringContaining('--run says whose branch is written')]);
  });

  it('refuses options that the command would ignore', () => {
    expect(ignoredOptions('check', ['json', 'edit', 'program'])).toBe(
      'check does not take --edit, --program. Leave them out.',
    );
    expect(ignoredOptions('replay', ['edit', 'json', 'accept-future'])).toBeUndefined();
    expect(ignoredOptions('nothing', ['edit'])).toBeUndefined();
  });
});

describe('files of which no event can be made', () => {
  const files: readonly (readonly [string, string, string])[] = [
    ['a format of others, without a run', '{"result":{"resourceSpans":[{"resource":{}}]}}', 'there is no event'],
    ['a format of others, cut in its first record', '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0a', ''],
    [
      'our own, with a wrong record alone',
      '{"v":1,"id":"a","type":"run.started","run":"0af7651916cd43dd8448eb211c80319c","branch":"main"}\n',
      'not one of its records can be used',
    ],
  ];

  it.each(files)('R67 are unusable for every command, and nothing is written: %s', async (name, content, sentence) => {
    const path = join(folder, `none ${name.replaceAll(/\W/g, '-')}.json`);
    await writeFile(path, content);
    const out = join(folder, 'none.out');
    const asJson = { ...settings, json: true };
    const outcomes = [
      await runCheck([path], asJson),
      await runExport([path], { ...asJson, to: 'hindcast', out }),
      await runRedact(path, { ...asJson, out }),
    ];
    for (const { code, out: told = '' } of outcomes) {
      expect([code, JSON.parse(told)]).toMatchObject([2, { error: { code: 'nothing-usable' } }]);
      expect(told).toContain(sentence);
    }
    await expect(readFile(out)).rejects.toThrow();
  });
});
