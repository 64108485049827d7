import { existsSync } from 'node:fs';
import { mkdtemp, mkdir, readFile, rm, writeFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseLossless } from '../core/base/lossless.ts';
import { parseEvent } from '../core/model/index.ts';
import { drawTrace } from '../core/model/testing/trace.ts';
import { pathsToSources } from '../platform/files/node-files.ts';
import { runCheck } from './check.ts';
import type { CheckReport } from './check-report.ts';
import { readTrace } from './files.ts';
import { openSources } from './opened.ts';
import { defectToFailure, linesToTerminal, toJson, toTerminal, unusable } from './output.ts';
import { runRedact } from './redact.ts';
import { runReplayCommand } from './replay.ts';
import { runSchema } from './schema.ts';

const samples = join(import.meta.dirname, '../../public/samples');
const settings = { json: true, acceptFuture: false, allowHuge: false };
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-cli-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, content);
  return path;
}

async function check(path: string): Promise<{ readonly code: number; readonly report: CheckReport }> {
  const { code, out = '' } = await runCheck([path], settings);
  // Cast: the report is the documented form that this test reads.
  return { code, report: JSON.parse(out) as CheckReport };
}

describe('what hostile input gets', () => {
  it('a stream written over several lines has no event and is unusable, with the reason', async () => {
    const { lines } = drawTrace('worker:\n  one  step.started  {"name":"first"}');
    const pretty = lines.map((line) => JSON.stringify(JSON.parse(line), undefined, 2)).join('\n');
    const { code, out } = await runCheck([await write('pretty.jsonl', pretty)], settings);
    expect(code).toBe(2);
    expect(out).toContain('nothing-usable');
    expect(out).toContain('Line 1 of pretty.jsonl (byte 0) is not JSON');
  });

  it('a copy that cannot be written is a sentence, not a crash', { timeout: 60_000 }, async () => {
    const out = join(folder, 'no', 'such', 'folder.jsonl');
    const source = join(samples, 'wrong-observation.hindcast.jsonl');
    const outcome = await runRedact(source, { ...settings, json: false, out });
    expect(outcome.code).toBe(2);
    expect(outcome.problem).toContain(`The copy cannot be written to ${out}`);
  });

  it('a device is refused instead of waited for', async () => {
    const outcome = await runCheck(['/dev/null'], { ...settings, json: false });
    expect(outcome).toEqual({ code: 2, problem: '/dev/null is a pipe or device. Save it as a file first.' });
  });

  it('a file that vanishes or that the host cannot read is named with the cause, and is no defect', async () => {
    const path = await write('gone.jsonl', '');
    const sources = await pathsToSources([path]);
    await rm(path);
    const gone = `${path} was removed while it was opened. Nothing was kept.`;
    const opened = await openSources(sources.ok ? sources.value : [], settings);
    expect(opened).toEqual({ ok: false, error: { code: 'not-readable', message: gone } });
    const [source] = sources.ok ? sources.value : [];
    expect(source === undefined ? undefined : await readTrace(source, settings)).toEqual({ ok: false, error: gone });
    // Where there is such a file, its first bytes cannot be read by anyone.
    if (!existsSync('/proc/self/mem')) return;
    const outcome = await runCheck(['/proc/self/mem'], { ...settings, json: false });
    expect([outcome.code, outcome.problem]).toEqual([
      2,
      expect.stringMatching(/^\/proc\/self\/mem cannot be read: its disk or drive answers .* \(EIO\)/),
    ]);
  });

  it('several trials are never judged as one: each numbers its records alike, and is chosen by its key', async () => {
    const paths = ['clean-control', 'ticket-incident'].map((name) => `public/samples/${name}.hindcast.jsonl`);
    const together = await runCheck(paths, { ...settings, json: false });
    expect(together.code).toBe(2);
    expect(together.problem).toMatch(/^These files hold 2 trials .* Choose one with --trace KEY: [0-9a-f]{32} \(/);
    const incident = /([0-9a-f]{32}) \([^)]*incident/.exec(together.problem ?? '')?.[1];
    const { out = '' } = await runCheck(paths, { ...settings, json: true, trace: incident ?? '' });
    expect(JSON.parse(out)).toMatchObject({ effects: { executedTwice: [{}] } });
  });

  it('a folder is read with its hidden folders, and without what programs keep for themselves', async () => {
    const { lines } = drawTrace('worker:\n  one  step.started  {"name":"first"}');
    const text = lines.join('\n');
    const other = lines.join('\n').replace('"one"', '"two"');
    await write('home/.claude/projects/x/a.jsonl', text);
    await write('home/.claude/settings.json', '{"theme":"dark"}');
    for (const path of ['home/.git/b.jsonl', 'home/sub/node_modules/y/c.jsonl', 'home/.cache/d.jsonl', 'home/.e.jsonl'])
      await write(path, other);
    const sources = await pathsToSources([join(folder, 'home')]);
    expect(sources.ok && sources.value.map(({ name }) => name)).toEqual([
      '.claude/projects/x/a.jsonl',
      '.claude/settings.json',
    ]);
    const { code, report } = await check(join(folder, 'home'));
    expect([code, report.counts.events]).toEqual([0, 1]);
    expect(report.notices.map((notice) => notice.code)).toContain('not-a-trace');
  });

  it('a file whose name is no text in UTF-8 is read in its folder, and told by its bytes', async () => {
    const inside = join(folder, 'bytes');
    await mkdir(inside);
    const name = Buffer.concat([Buffer.from(`${inside}/`), Buffer.of(0xff, 0xfe), Buffer.from('.jsonl')]);
    try {
      await writeFile(name, drawTrace('worker:\n  one  step.started  {"name":"first"}').lines.join('\n'));
    } catch {
      // Some file systems take no such name, and then there is nothing to read.
      return;
    }
    const sources = await pathsToSources([inside]);
    expect(sources.ok ? sources.value.map((source) => source.name) : sources.error.message).toEqual([
      '\\xff\\xfe.jsonl',
    ]);
    expect((await check(inside)).report.counts.events).toBeGreaterThan(0);
  });

  it('links to files are those files; a circle, a folder without files and a name of several lines are told', async () => {
    const { lines } = drawTrace('worker:\n  one  step.started  {"name":"first"}');
    await write('elsewhere.jsonl', lines.join('\n'));
    await write('links/.hidden/x', '');
    await symlink('../elsewhere.jsonl', join(folder, 'links/linked.jsonl'));
    await symlink('.', join(folder, 'links/self'));
    await symlink('circle', join(folder, 'links/circle'));
    await symlink('/nowhere', join(folder, 'links/dangling.jsonl'));
    expect((await check(join(folder, 'links'))).report.counts.events).toBe(1);
    const text = { ...settings, json: false };
    const circle = join(folder, 'links/circle');
    expect(await runCheck([circle], text)).toEqual({
      code: 2,
      problem: `${circle} is a link that leads in a circle. Name the file itself.`,
    });
    await rm(join(folder, 'links/linked.jsonl'));
    await rm(join(folder, 'links/.hidden'), { recursive: true });
    const { problem } = await runCheck([join(folder, 'links')], text);
    expect(problem).toContain('links is a folder with no file to open: it is empty, or holds only hidden files');
    const named = await runCheck([await write('a\nb\u202e.jsonl', 'garbage')], text);
    expect(named.problem).toMatch(/^a b\\u202e\.jsonl is text that is not JSON\./);
  });

  it('an edit file may begin with a byte order mark', { timeout: 60_000 }, async () => {
    const edit = await write('bom.edit.json', '\uFEFF{"edits":[]}');
    const source = join(samples, 'wrong-observation.hindcast.jsonl');
    expect((await runReplayCommand(source, { ...settings, edit })).code).toBe(0);
  });

  it(
    'an edit of what is no answer to the program names what can be edited in its place',
    { timeout: 60_000 },
    async () => {
      const incident = join(samples, 'ticket-incident.hindcast.jsonl');
      const refusal = async (event: string): Promise<string> => {
        const edit = await write('refused.json', JSON.stringify({ edits: [{ target: { event }, value: 1 }] }));
        const { code, problem = '' } = await runReplayCommand(incident, { ...settings, json: false, edit });
        expect(code).toBe(2);
        return problem;
      };
      expect(await refusal('worker-1:1')).toContain('Its input can: {"target": {"input": true}}.');
      expect(await refusal('policy-service-1:1')).toContain(
        'What control code was told of it can: edit worker-1:66 instead.',
      );
      expect(await refusal('approval-desk-1:0')).toContain('edit worker-1:85 instead.');
      expect(await refusal('harness-1:1')).toMatch(/it cannot be edited\.$/);
    },
  );

  it('control characters of a trace do not reach the terminal, and JSON keeps its meaning', () => {
    const hostile = '\u001b[2J\u009b1m\u202e\u200f\u061ctab\tline\n';
    expect(toTerminal(hostile)).toBe('\\u001b[2J\\u009b1m\\u202e\\u200f\\u061ctab\tline\n');
    expect(JSON.parse(toTerminal(toJson({ hostile })))).toEqual({ hostile });
    const lines = linesToTerminal(`- /write:${'Ω'.repeat(1_000_000)}#0\n\u202e`).split('\n');
    expect(lines[0]).toMatch(/^- \/write:Ω+…Ω+#0$/);
    expect(lines[0]?.length).toBeLessThan(5000);
    expect(lines[1]).toBe('\\u202e');
  });

  it('a defect is a sentence and unusable, and the option that helps is named', () => {
    expect(unusable(defectToFailure(new Error('no\n  at x')), false)).toEqual({
      code: 2,
      problem:
        'The command could not be finished, by a defect of Hindcast and not of the input: no. Nothing was written.',
    });
    expect(unusable({ code: 'archive-too-large', message: 'Large.' }, false).problem).toContain('--allow-huge');
    expect(unusable({ code: 'unknown-format', message: 'What?' }, false).problem).toMatch(/README.*hindcast survey/);
    expect(unusable({ code: 'future-version', message: 'New.' }, true).out).toContain('--accept-future');
  });
});

describe('check', () => {
  it(
    'R23 tells in the incident that the ticket was executed twice, in the stable form',
    { timeout: 60_000 },
    async () => {
      const { code, report } = await check(join(samples, 'ticket-incident.hindcast.jsonl'));
      expect(code).toBe(1);
      expect(report.format).toBe('hindcast');
      expect(report.counts.input).toBe(report.counts.mapped + report.counts.merged + report.counts.problems);
      expect(report.effects.executedTwice).toHaveLength(1);
      const [item] = report.effects.executedTwice;
      expect(item?.command).toMatch(/ticket/);
      expect(item?.events.length).toBeGreaterThan(1);
      expect(report.gaps.length).toBeGreaterThan(0);
      for (const gap of report.gaps)
        expect(Object.keys(gap)).toEqual(expect.arrayContaining(['command', 'interval', 'known', 'unknown', 'events']));
      expect(report.replayGrade).toBe('full');
    },
  );

  it('R12 two runs that number alike are judged in either order as each is alone', { timeout: 60_000 }, async () => {
    const files = ['wrong-observation', 'ticket-incident'].map((name) => join(samples, `${name}.hindcast.jsonl`));
    const judged = async (paths: readonly string[]): Promise<string[]> => {
      const { out = '' } = await runCheck(paths, settings);
      // Cast: the report is the documented form that this test reads.
      const { gaps, violations, problems, notices, effects } = JSON.parse(out) as CheckReport;
      const ofRuns = notices.filter(({ about }) => about === 'run');
      return [...gaps, ...violations, ...problems, ...effects.executedTwice, ...ofRuns].map((one) =>
        JSON.stringify([
          'title' in one ? one.title : '',
          'text' in one ? one.text : '',
          'message' in one ? one.message : '',
        ])
          .replaceAll(/~\d/g, '')
          .replace('log of their run is', 'log is'),
      );
    };
    // The counts of both runs stand in one sentence.
    const isCount = (text: string): boolean => /outside effects? without/.test(text);
    const alone = (await Promise.all(files.map((file) => judged([file])))).flat().filter((text) => !isCount(text));
    for (const paths of [files, files.toReversed()]) {
      const together = (await judged(paths)).filter((text) => !isCount(text));
      expect(together.sort()).toEqual(alone.sort());
    }
  });

  it('exits 0 for the clean control, with notices', { timeout: 60_000 }, async () => {
    const { code, report } = await check(join(samples, 'clean-control.hindcast.jsonl'));
    expect(code).toBe(0);
    expect(report.notices.length).toBeGreaterThan(0);
    expect([report.effects.executedTwice, report.effects.uncertain, report.effects.missing, report.gaps]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  it('opens a folder as one trace, packed files too, and exits 1 for a problem', async () => {
    const { lines } = drawTrace(`
      worker:
        one  step.started
        two  step.completed  <- one
    `);
    await write('run/a.jsonl', `${lines[1] ?? ''}\n`);
    await write('run/deep/b.gz', gzipSync(new TextEncoder().encode(`${lines[0] ?? ''}\n`)));
    await write('run/.hidden', 'not read');
    const whole = await check(join(folder, 'run'));
    expect([whole.code, whole.report.counts]).toEqual([0, { input: 2, mapped: 2, merged: 0, problems: 0, events: 2 }]);
    await write('run/a.jsonl', `${lines[1] ?? ''}\ngarbage\n`);
    await write('run/c.txt', 'a note\n');
    const damaged = await check(join(folder, 'run'));
    expect(damaged.code).toBe(1);
    expect(damaged.report.problems).toMatchObject([
      { code: 'damaged-line', file: 'a.jsonl', line: 2, raw: 'Z2FyYmFnZQ==' },
      { code: 'not-a-trace', file: 'c.txt' },
    ]);
  });

  it('reports dangling causes, cycles and conflicting ids as problems', async () => {
    const { lines } = drawTrace(`
      worker:
        one  step.started
        two  step.completed  <- one
    `);
    const dangling = lines[1]?.replaceAll('"one"', '"lost"') ?? '';
    const self = lines[0]?.replace('"one"', '"me"').replace(/\}$/, ',"causes":["me"]}') ?? '';
    const { report } = await check(await write('bad.jsonl', [...lines, dangling, self].join('\n')));
    expect(report.problems.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['conflicting-id', 'dangling-cause', 'cause-cycle']),
    );
  });

  it('exits 2 with a sentence for what cannot be used', async () => {
    const empty = await runCheck([await write('empty.jsonl', '')], settings);
    expect([empty.code, JSON.parse(empty.out ?? '')]).toEqual([
      2,
      { error: { code: 'empty', message: 'empty.jsonl is empty: there is nothing to read.' } },
    ]);
    const gone = await runCheck([join(folder, 'nowhere')], { ...settings, json: false });
    expect([gone.code, gone.out, gone.problem]).toEqual([
      2,
      undefined,
      `There is no file or folder at ${join(folder, 'nowhere')}.`,
    ]);
  });
});

describe('replay', () => {
  const sample = join(samples, 'wrong-observation.hindcast.jsonl');

  /** The control program that stands in the sample. */
  async function sampleProgram(): Promise<string> {
    for (const line of (await readFile(sample, 'utf8')).split('\n')) {
      const json = parseLossless(line);
      const event = json.ok ? parseEvent(json.value) : undefined;
      const found =
        event?.ok === true && event.value.type === 'run.started' ? event.value.data.program?.source : undefined;
      if (typeof found === 'string') return found;
    }
    return '';
  }

  it('says identical for an unedited sample', { timeout: 60_000 }, async () => {
    const { code, out = '' } = await runReplayCommand(sample, settings);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ result: 'identical', divergences: [], pending: [], orphanEffects: [] });
  });

  it(
    'says of a changed program that diverges what happened, and nothing that might have',
    { timeout: 60_000 },
    async () => {
      const source = await sampleProgram();
      const end = 'ticket: ticket.ticket };';
      const said = async (program: string): Promise<string> => {
        const path = await write('changed.js', program);
        const { code, out = '' } = await runReplayCommand(sample, { ...settings, json: false, program: path });
        expect(code).toBe(1);
        return /^Verdict .*$/m.exec(out)?.[0] ?? out;
      };
      const changed = [
        source.replace(end, 'ticket: 1 };'),
        source.replace(`return { case: input.case, resolution: decision.chosen, ${end}`, "throw new Error('boom');"),
        source.replace(
          `return { case: input.case, resolution: decision.chosen, ${end}`,
          'return new Promise(() => {});',
        ),
      ];
      expect(changed.every((program) => program !== source)).toBe(true);
      expect([await said(changed[0] ?? ''), await said(changed[1] ?? ''), await said(changed[2] ?? '')]).toEqual([
        'Verdict   diverges: It completes, and not as the recorded run ended.',
        'Verdict   diverges: It fails, and not as the recorded run ended.',
        'Verdict   diverges: It stops for good: it waits for a promise that nothing settles.',
      ]);
    },
  );

  it('says of a program that does not load the one thing that is wrong', { timeout: 60_000 }, async () => {
    const program = await write('broken.js', 'async function main(ctx) { return 1');
    const { code, out = '' } = await runReplayCommand(sample, { ...settings, json: false, program });
    expect(code).toBe(1);
    expect(out).toMatch(/^error: The text is not a control program: /);
    expect(out).toContain('The program did not run, so nothing was compared with the record.');
    expect(out).not.toMatch(/Cause|not reached|Not reached|Verdict|the world has/);
    const { out: json = '' } = await runReplayCommand(sample, { ...settings, program });
    expect(JSON.parse(json)).toMatchObject({ result: 'error', cause: null });
  });

  it('exits 1 and names the first difference for another program', { timeout: 60_000 }, async () => {
    const program = await write('other.js', "async function main(ctx) { return await ctx.model('other', {}); }");
    const { code, out = '' } = await runReplayCommand(sample, { ...settings, program });
    expect(code).toBe(1);
    const report = JSON.parse(out) as {
      result: string;
      pending: { path: string; reasons: unknown }[];
      removed: unknown[];
    };
    expect(report.result).not.toBe('identical');
    expect(report.pending[0]?.path).toBe('/model:other#0');
    expect(report.removed.length).toBeGreaterThan(0);
  });

  it(
    'exits 0 for an edited replay that completes, whatever differs, and 1 where its run fails otherwise than recorded',
    { timeout: 60_000 },
    async () => {
      const edited = await runReplayCommand(sample, {
        ...settings,
        edit: join(samples, 'wrong-observation.edit.json'),
      });
      const report = JSON.parse(edited.out ?? '') as { result: string; divergences: unknown[] };
      expect([edited.code, report.result, report.divergences.length > 0]).toEqual([0, 'complete', true]);
      const minimal = join(samples, '../../fixtures/versions/v1/minimal.hindcast.jsonl');
      const edit = await write('null.edit.json', '{"edits":[{"target":{"input":true},"value":null}]}');
      const failed = await runReplayCommand(minimal, { ...settings, edit });
      expect([failed.code, JSON.parse(failed.out ?? '')]).toMatchObject([
        1,
        { result: 'complete', outcome: { status: 'failed' } },
      ]);
    },
  );

  it('I8 lists what waits or was left open once, as often as the sentence counts it', { timeout: 60_000 }, async () => {
    const read = '/par:account/child:account#0/read:customers.lookup#0';
    const tell = async (asked: object): Promise<string> => {
      const edit = await write('told.edit.json', JSON.stringify(asked));
      return (await runReplayCommand(sample, { ...settings, json: false, edit })).out ?? '';
    };
    // Cast: the file has the documented form; what it supplies is left out.
    const { edits } = JSON.parse(await readFile(join(samples, 'wrong-observation.edit.json'), 'utf8')) as {
      edits: unknown;
    };
    const waits = await tell({ edits });
    const pending = /(\d+) pending\./.exec(waits)?.[1] ?? '';
    expect(waits).toContain(`\nPending: a value is missing (${pending})`);
    expect(waits).not.toContain('\nUnknown');
    const error = { name: 'Timeout', message: 'no answer' };
    const failed = await tell({ edits: [{ target: { path: read }, error }] });
    expect(failed).toMatch(/, 2 open\.\n[^]*\nOpen: asked for, and not answered before the run ended \(2\)\n/);
    expect(failed).not.toMatch(/\n(Pending|Unknown)|undeclared/);
  });

  it('prints the beginning of a very long outcome, and all of it as JSON', { timeout: 60_000 }, async () => {
    const program = await write('long.js', "async function main() { return 'x'.repeat(100000); }");
    const { out = '' } = await runReplayCommand(sample, { ...settings, json: false, program });
    expect(out).toContain('x… (100000 characters; --json has all)');
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThan(3_000);
    const { out: json = '' } = await runReplayCommand(sample, { ...settings, program });
    expect(json).toContain('x'.repeat(100_000));
  });

  it('refuses an edit file that is none', async () => {
    const edit = await write('edit.json', '{"edits":[{"target":{}}]}');
    const { code, out = '' } = await runReplayCommand(sample, { ...settings, edit });
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'bad-edit' } });
  });
});

describe('schema', () => {
  it('prints the schema of every known type and of unknown ones', () => {
    const schema = JSON.parse(runSchema().out ?? '') as { anyOf: unknown[] };
    expect(schema.anyOf.length).toBeGreaterThan(80);
  });
});

describe('redact', () => {
  const incident = join(samples, 'ticket-incident.hindcast.jsonl');

  it('R74 R75 R76 writes a copy with the same findings and none of the texts', { timeout: 60_000 }, async () => {
    const out = join(folder, 'copy.hindcast.jsonl');
    const { code, out: printed = '' } = await runRedact(incident, { ...settings, out });
    expect(code).toBe(0);
    const report = JSON.parse(printed) as { holes: number; events: number; replays: string };
    expect(report.holes).toBeGreaterThan(100);
    expect(report.replays).toBe('viewing only');
    const copy = await readFile(out, 'utf8');
    const texts = ['"8421"', 'tickets.create', 'lena.fischer', 'Aurora', '"support"'];
    expect(texts.filter((text) => copy.includes(text))).toEqual([]);
    const [original, redacted] = [await check(incident), await check(out)];
    expect(redacted.code).toBe(original.code);
    expect(redacted.report.edges).toEqual(original.report.edges);
    expect(redacted.report.effects.executedTwice).toHaveLength(original.report.effects.executedTwice.length);
    expect(redacted.report.gaps.length).toBe(original.report.gaps.length);
  });

  it(
    'its copy is told in the words of the page, and what is not in it is told as that',
    { timeout: 60_000 },
    async () => {
      const out = join(folder, 'told.hindcast.jsonl');
      const { out: printed = '' } = await runRedact(incident, { ...settings, json: false, out });
      expect(printed).toMatch(/^ {2}agents +\d+ replaced by pseudonyms \(Agent names\)$/m);
      expect(printed).toMatch(/^ {2}attributes +\d+ withheld \(Everything else\)$/m);
      const { out: checked = '' } = await runCheck([out], { ...settings, json: false });
      expect(checked).toContain('Records   190 read: 190 mapped');
      expect(checked).toContain('Events    189; one more record says what this redacted copy withholds\n');
      const replayed = await runReplayCommand(out, { ...settings, json: false });
      expect(replayed.code).toBe(2);
      expect(replayed.out).toContain('The program did not run, so nothing was compared with the record.');
      expect(replayed.out).not.toMatch(/as recorded|Reused/);
      const { out: json = '' } = await runReplayCommand(out, settings);
      expect(JSON.parse(json)).toMatchObject({ result: 'not-replayable', outcome: { equalsRecorded: false } });
    },
  );

  it('of a trace without the branch "main" nothing is written, and redact and replay name the branch there is', async () => {
    const minimal = await readFile(join(samples, '../../fixtures/versions/v1/minimal.hindcast.jsonl'), 'utf8');
    const trunk = await write('trunk.hindcast.jsonl', minimal.replaceAll('"branch":"main"', '"branch":"trunk"'));
    const out = join(folder, 'trunk.copy.jsonl');
    const refused = await runRedact(trunk, { ...settings, json: false, out });
    expect(refused.code).toBe(2);
    expect(refused.problem).toContain('no event of the branch "main"; branches that have events: "trunk"');
    await expect(readFile(out)).rejects.toThrow();
    const replayed = await runReplayCommand(trunk, { ...settings, json: false });
    expect(replayed.code).toBe(2);
    expect(`${replayed.out ?? ''}${replayed.problem ?? ''}`).toContain('run.started is on "trunk"');
  });

  it('keeps the classes it is told to keep, and no others', { timeout: 60_000 }, async () => {
    const out = join(folder, 'kept.hindcast.jsonl');
    await runRedact(incident, { ...settings, out, keep: 'effects' });
    const copy = await readFile(out, 'utf8');
    expect(copy.includes('"8421"')).toBe(true);
    expect(copy.includes('tickets.create')).toBe(false);
  });

  it(
    'writes nothing over an existing file, under an unknown class or a damaged policy',
    { timeout: 60_000 },
    async () => {
      const taken = await write('taken.jsonl', 'mine');
      expect((await runRedact(incident, { ...settings, out: taken })).code).toBe(2);
      expect(await readFile(taken, 'utf8')).toBe('mine');
      const policy = await write('policy.json', '{"v":1}');
      for (const more of [{ keep: 'nonsense' }, { policy }, { policy: join(folder, 'absent.json') }]) {
        const out = join(folder, 'never.jsonl');
        const outcome = await runRedact(incident, { ...settings, out, ...more });
        expect(outcome.code).toBe(2);
        await expect(readFile(out)).rejects.toThrow();
      }
    },
  );
});
