import fc from 'fast-check';
import { gzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../base/hash.ts';
import { canonHoisted } from '../../model/index.ts';
import { drawTrace } from '../../model/testing/trace.ts';
import { bytesToSource, openFiles, textToSource } from '../testing/opening.ts';

const seed = 20_260_103;

const drawn = drawTrace(`
  worker/w1/1 agent=planner step=17:
    start  run.started  noseq
    plan   decision.made  path=/decide:act#0 issued=0 delivered=0  <- start  {"chosen":"open"}
    ask    tool_call.dispatched  path=/write:ticket#0 attempt=1 issued=1  <- plan:selected_by  {"tool":"create_ticket","effect":"external"}
  tickets:
    made   effect.committed  <- ask:result_of  {"effect":{"kind":"ticket","id":"8421"}}
`);
const { lines } = drawn;
const text = `${lines.join('\n')}\n`;

function idsOf(events: readonly { readonly event: { readonly id: string } }[]): readonly string[] {
  return events.map(({ event }) => event.id);
}

describe('the own format', () => {
  it('R13 keeps every line as it was written, unknown types and fields included', async () => {
    const odd =
      lines[0]
        ?.replace('"run.started"', '"quantum.flipped"')
        .replace('{', '{ "later" : [1e400, 12345678901234567890], ') ?? '';
    const opened = await openFiles([textToSource('a', `${odd}\n`)]);
    expect(opened.events.map(({ line }) => line)).toEqual([odd]);
    expect(opened.events[0]?.event.type).toBe('quantum.flipped');
  });

  it('places each event at its line and byte', async () => {
    const opened = await openFiles([textToSource('a', `\n${text}`, 7)]);
    const bytes = new TextEncoder().encode(`\n${text}`);
    for (const [n, { place, line }] of opened.events.entries()) {
      expect(place.line).toBe(n + 2);
      expect(new TextDecoder().decode(bytes.slice(place.offset, place.offset + (place.length ?? 0)))).toBe(line);
    }
  });

  it('counts every record as mapped, merged or problem, whatever is broken', async () => {
    const broken = fc.constantFrom('{"v":1', 'garbage', '[1]', 'null', '{"v":1,"id":"x"}', '\u0000\u0000', ...lines);
    await fc.assert(
      fc.asyncProperty(fc.array(broken, { maxLength: 12 }), fc.boolean(), async (extra, first) => {
        const all = first ? [...lines, ...extra] : [...extra, ...lines];
        const { counts, problems, events } = await openFiles([textToSource('a', all.join('\n'))]);
        expect(counts.input).toBe(all.length);
        expect(counts.mapped + counts.merged + counts.problems).toBe(counts.input);
        expect(events.length).toBe(counts.mapped);
        expect(problems.filter(({ severity }) => severity === 'problem')).toHaveLength(counts.problems);
        expect(new Set(idsOf(events)).size).toBe(lines.length);
      }),
      { seed, numRuns: 100 },
    );
  });

  it('R68 says which member a record has twice, also where every record has one', async () => {
    const twice = (lines[0] ?? '').replace('{', '{"id":"other",');
    const all = await openFiles([textToSource('a', `${twice}\n`)]);
    expect(all.error?.code).toBe('nothing-usable');
    expect(all.error?.message).toContain('Line 1 of a (byte 0): The record has the member "id" twice');
    const one = await openFiles([textToSource('a', `${twice}\n${lines[1]}\n`)]);
    expect(one.problems.map(({ code }) => code)).toEqual(['invalid-event']);
    expect(one.problems[0]?.message).toContain('The record has the member "id" twice');
  });

  it('quarantines a damaged line with line, offset, reason and raw bytes, and uses the rest', async () => {
    const damaged = `${lines[0]}\n{"v":1,"id":"torn","ty\n${lines[1]}\n`;
    const { problems, events } = await openFiles([textToSource('a.jsonl', damaged)]);
    expect(idsOf(events)).toEqual(['start', 'plan']);
    expect(problems).toHaveLength(1);
    const [problem] = problems;
    expect(problem).toMatchObject({
      code: 'damaged-line',
      place: { file: 'a.jsonl', line: 2, offset: (lines[0]?.length ?? 0) + 1 },
    });
    expect(problem?.message).toBe(
      `Line 2 of a.jsonl (byte ${String((lines[0]?.length ?? 0) + 1)}) is not JSON: the text ends inside a string, at character 20. Its bytes are kept; the other lines are used.`,
    );
    expect(new TextDecoder().decode(problem?.raw)).toBe('{"v":1,"id":"torn","ty');
  });

  it('reads a JSON list of events, on one line or many, cut off or with other values in it', async () => {
    for (const list of [`[${lines.join(',')}]`, `[\n  ${lines.join(',\n  ')}\n]\n`, `\n[ ${lines.join(' , ')}`]) {
      const { events, counts, problems } = await openFiles([textToSource('a.json', list, 100)]);
      expect(events.map(({ line }) => line)).toEqual(lines);
      const told = list.trimEnd().endsWith(']') ? [] : ['document-cut-off'];
      expect([counts.input, counts.mapped, problems.map(({ code }) => code)]).toEqual([
        lines.length,
        lines.length,
        told,
      ]);
    }
    const [first = '', ...rest] = lines;
    const odd = await openFiles([textToSource('a.json', `[${first}, 5, ${rest.join(',')}, {"v":1,"id":"torn`)]);
    expect(odd.counts).toEqual({ input: 6, mapped: 4, merged: 0, problems: 2 });
    expect(odd.problems.map(({ code }) => code)).toEqual(['truncated-last-line', 'not-an-object']);
  });

  it('R67 tolerates a last line that was cut off, at every place of the cut', async () => {
    const whole = new TextEncoder().encode(text);
    const last = text.length - 1 - (lines.at(-1)?.length ?? 0);
    for (let end = last + 1; end < text.length - 1; end += 5) {
      const { problems, events, counts } = await openFiles([bytesToSource('a', whole.subarray(0, end))]);
      expect(idsOf(events)).toEqual(['start', 'plan', 'ask']);
      expect(problems.map(({ code }) => code)).toEqual(['truncated-last-line']);
      expect(counts).toEqual({ input: 4, mapped: 3, merged: 0, problems: 1 });
    }
  });

  it('splits two objects on one line, each with its own bytes', async () => {
    const { events, counts } = await openFiles([textToSource('a', `${lines[0]}${lines[1]} ${lines[2]}\n`)]);
    expect(idsOf(events)).toEqual(['start', 'plan', 'ask']);
    expect(events.map(({ place }) => [place.line, place.offset])).toEqual([
      [1, 0],
      [1, lines[0]?.length],
      [1, (lines[0]?.length ?? 0) + (lines[1]?.length ?? 0) + 1],
    ]);
    expect(counts.input).toBe(3);
  });

  it('R68 adds nothing for the same file twice, and names what was merged into what in one notice', async () => {
    const once = await openFiles([textToSource('a', text)]);
    const twice = await openFiles([
      textToSource('a', text),
      bytesToSource('b.gz', gzipSync(new TextEncoder().encode(text))),
    ]);
    expect(idsOf(twice.events)).toEqual(idsOf(once.events));
    expect(twice.counts).toEqual({ input: 8, mapped: 4, merged: 4, problems: 0 });
    expect(twice.problems.map(({ message }) => message)).toEqual([
      'Lines 1 to 4 of b.gz are the same records as lines 1 to 4 of a; counted once.',
    ]);
  });

  it('R68 names one line that is repeated again and again once, too, and begins anew where others follow', async () => {
    const [a, b, c, d] = lines;
    const told = async (...written: readonly (string | undefined)[]) =>
      (await openFiles([textToSource('a', `${written.join('\n')}\n`)])).problems.map(({ message }) => message);
    expect(await told(a, a, a, a)).toEqual(['Lines 2 to 4 of a are the same record as line 1 of a; counted once.']);
    expect(await told(a, b, c, d, b, b, c, d)).toEqual([
      'Lines 5 to 6 of a are the same record as line 2 of a; counted once.',
      'Lines 7 to 8 of a are the same records as lines 3 to 4 of a; counted once.',
    ]);
    expect(await told(a, b, c, d, a, b, b, d, c)).toEqual([
      'Lines 5 to 6 of a are the same records as lines 1 to 2 of a; counted once.',
      'Line 7 of a is the same record as line 2 of a; counted once.',
      'Line 8 of a is the same record as line 4 of a; counted once.',
      'Line 9 of a is the same record as line 3 of a; counted once.',
    ]);
  });

  it('R68 keeps two records of one id that say different things', async () => {
    const other = lines[0]?.replace('planner', 'stranger') ?? '';
    const { events, counts } = await openFiles([textToSource('a', text), textToSource('b', `${other}\n`)]);
    expect(events.filter(({ event }) => event.id === 'start').map(({ line }) => line)).toEqual([lines[0], other]);
    expect(counts).toMatchObject({ mapped: 5, merged: 0 });
  });

  it('R18, R24 gives the same events for any names and order of files and lines', async () => {
    const parts = [lines.slice(0, 2), lines.slice(2, 3), lines.slice(3)].map((part) => `${part.join('\n')}\n`);
    const expected = [...lines].sort();
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(parts, { minLength: 3 }),
        fc.array(fc.string({ minLength: 1 }), { minLength: 3, maxLength: 3 }),
        async (shuffled, names) => {
          const { events } = await openFiles(shuffled.map((part, n) => textToSource(names[n] ?? '', part)));
          expect(events.map(({ line }) => line).sort()).toEqual(expected);
        },
      ),
      { seed, numRuns: 20 },
    );
  });

  it('refuses a newer version in a sentence, and reads it as far as it is understood when asked', async () => {
    const future = `${lines[0]?.replace('"v":1', '"v":2').replace('{', '{"new":true,') ?? ''}\n`;
    const refused = await openFiles([textToSource('f', future)]);
    expect(refused.error).toMatchObject({ code: 'future-version' });
    expect(refused.error?.message).toMatch(/^f, line 1: The record has schema version 2; this build reads up to 1\./);
    expect(refused.events).toEqual([]);
    const accepted = await openFiles([textToSource('f', future)], { acceptFuture: true });
    expect(accepted.events[0]?.event).toMatchObject({ v: 1, id: 'start', new: true, imported: { extra: { v: 2 } } });
  });

  it('R13 a record of a newer version among others is one problem, and the others are used', async () => {
    const newer = `${lines[0]?.replace('"v":1', '"v":99').replace('"start"', '"new"') ?? ''}\n`;
    const { error, events, problems } = await openFiles([textToSource('f', newer + text)]);
    expect([error, idsOf(events)]).toEqual([undefined, ['start', 'plan', 'ask', 'made']]);
    expect(problems.map(({ code }) => code)).toEqual(['future-version']);
  });

  it('stops when it is cancelled, and gives no trace', async () => {
    const { error } = await openFiles([textToSource('a', text)], { signal: { aborted: true } });
    expect(error?.code).toBe('cancelled');
  });
});

describe('content stored apart (R9)', () => {
  const large = { text: 'x'.repeat(3000), list: [1, 2, { deep: 'y'.repeat(2000) }] };
  const reference = `sha256:${sha256Hex(canonHoisted(large))}`;
  const long = 'z'.repeat(2000);
  const textReference = `sha256:${sha256Hex(JSON.stringify(long))}`;

  function contentLine(digest: string, stored: object): string {
    const envelope = lines[0]?.replace(/,"data":.*/, '') ?? '';
    return `${envelope.replace('"start"', '"content"').replace('"run.started"', '"content.stored"')},"data":${JSON.stringify({ digest, ...stored })}}\n`;
  }

  it('is taken when it is what its digest says: raw bytes, base64, or a JSON value with hoisted parts', async () => {
    const raw = `sha256:${sha256Hex('hello')}`;
    for (const [digest, stored] of [
      [raw, { text: 'hello' }],
      [raw, { base64: 'aGVsbG8=' }],
      [reference, { mediaType: 'application/json', text: JSON.stringify(large) }],
      [textReference, { mediaType: 'text/plain', text: long }],
      [textReference, { mediaType: 'application/json', text: JSON.stringify(long) }],
    ] as const) {
      const { counts, problems } = await openFiles([textToSource('a', text + contentLine(digest, stored))]);
      expect([counts.problems, problems]).toEqual([0, []]);
    }
  });

  it('is refused when it is not', async () => {
    const raw = `sha256:${sha256Hex('hello')}`;
    for (const stored of [{ text: 'hellp' }, { base64: 'aGVsbG9v' }, { base64: '!' }, {}]) {
      const { counts, problems, events } = await openFiles([textToSource('a', text + contentLine(raw, stored))]);
      expect(counts).toMatchObject({ mapped: 4, problems: 1 });
      expect(problems.map(({ code }) => code)).toEqual(['content-mismatch']);
      expect(idsOf(events)).not.toContain('content');
    }
  });
});

describe('a command of a kind that is not known here', () => {
  it('R13 is kept, and told once for each kind as a notice', async () => {
    const drawing = `
      worker:
        one    tool_call.dispatched path=/zz:a#0
        two    tool_call.completed path=/zz:a#0 <- one:result_of
        three  tool_call.dispatched path=/write:b#0`;
    const { counts, problems } = await openFiles([textToSource('a', `${drawTrace(drawing).lines.join('\n')}\n`)]);
    expect(counts).toMatchObject({ mapped: 3, problems: 0 });
    expect(problems).toMatchObject([{ code: 'unknown-command-kind', severity: 'notice', place: { line: 1 } }]);
    expect(problems[0]?.message).toContain('The commands of 2 events are of the kind "zz"');
  });
});

describe('a value and the digest beside it (R35)', () => {
  const digested = (value: string): string => `sha256:${sha256Hex(value)}`;
  const events = `
  worker:
    ask  tool_call.dispatched  path=/write:a#0 issued=0 args=${digested('{"n":1}')}  {"args":{"n":2}}
    end  run.completed  {"result":1,"digest":"${digested('1')}"}`;

  it('is a stand-in in a redacted copy and no contradiction there', async () => {
    const state = `s state.transitioned {"name":"case","from":0,"to":1,"value":{"n":2},"digest":"${digested('{"n":1}')}"}`;
    const copy = `d share.declared {"digest":"${digested('d')}","holes":[]}`;
    const codes = async (drawing: string): Promise<string[]> => {
      const { problems } = await openFiles([textToSource('a', `${drawTrace(drawing).lines.join('\n')}\n`)]);
      return problems.filter(({ severity }) => severity === 'problem').map(({ code }) => code);
    };
    expect(await codes(`worker:\n  ${state}`)).toEqual(['digest-mismatch']);
    expect(await codes(`worker:\n  ${copy}\n  ${state}`)).toEqual([]);
    // What the run ended with has its own digest in a copy too.
    const end = `e run.completed {"result":1,"digest":"${digested('2')}"}`;
    expect(await codes(`worker:\n  ${copy}\n  ${end}`)).toEqual(['digest-mismatch']);
  });

  it('is told where they differ, with event, field and line, and the event stays', async () => {
    const {
      counts,
      problems,
      events: found,
    } = await openFiles([textToSource('a', `${drawTrace(events).lines.join('\n')}\n`)]);
    expect([counts.mapped, counts.problems, found.length]).toEqual([2, 0, 2]);
    expect(problems).toMatchObject([
      { code: 'digest-mismatch', severity: 'problem', events: [found[0]?.event.id], place: { line: 1 } },
    ]);
    expect(problems[0]?.message).toContain('its data.args is not what the digest in command.args says');
  });

  it('is told one by one for the first thousand, and then as a count', async () => {
    const [first = ''] = drawTrace(events).lines;
    const many = Array.from({ length: 1003 }, (_, n) => first.replace('"id":"ask"', `"id":"ask${String(n)}"`));
    const { problems } = await openFiles([textToSource('a', `${many.join('\n')}\n`)]);
    const told = problems.filter(({ code }) => code === 'digest-mismatch');
    expect([told.length, told.at(-1)?.message]).toEqual([
      1001,
      '3 more events contradict themselves: values are not what the digests beside them say.',
    ]);
  });
});

describe('replay grade of own streams (R64)', () => {
  async function gradeOf(drawing: string) {
    const { result } = await openFiles([textToSource('a', `${drawTrace(drawing).lines.join('\n')}\n`)]);
    return [result?.replayGrade, result?.missingForReplay.map((words) => words.replace(/ \(.*/, ''))];
  }
  const program =
    '{"program":{"name":"t","source":"async function main(){}"},"input":{},"seed":"00000000000000000000000000000001"}';
  const digest = `sha256:${'0'.repeat(63)}1`;
  const commands = `
    ask  model_call.requested  path=/model:a#0 issued=0 args=${digest}
    got  model_call.completed  path=/model:a#0 delivered=1 <- ask:result_of  {"result":1}`;

  it('is full when program, seed, positions, digests and values are recorded', async () => {
    expect(await gradeOf(`worker:\n    start  run.started  ${program}${commands}`)).toEqual(['full', []]);
  });

  it('names what is missing', async () => {
    expect(await gradeOf(`worker:\n    start  run.started  {"input":{}}${commands}`)).toEqual([
      'original code only',
      ['the control program', 'the seed of derived draws'],
    ]);
    expect(
      await gradeOf(`worker:\n    start  run.started  ${program}${commands.replace(`args=${digest}`, '')}`),
    ).toEqual(['nearly', ['digests of arguments']]);
    expect(
      await gradeOf(`worker:\n    start  run.started  ${program}${commands.replace('{"result":1}', '{}')}`),
    ).toEqual(['none', ['values that control code received']]);
    expect(await gradeOf('worker:\n    start  step.started')).toEqual([
      'none',
      ['the control program', 'requests of the control program'],
    ]);
    expect(await gradeOf(`worker:\n    start  run.started  ${program}${commands.replace('delivered=1 ', '')}`)).toEqual(
      ['nearly', ['positions of issues and deliveries']],
    );
    const failed = commands.replace('model_call.completed', 'model_call.failed').replace('{"result":1}', '{}');
    expect(await gradeOf(`worker:\n    start  run.started  ${program}${failed}`)).toEqual([
      'none',
      ['values that control code received'],
    ]);
  });

  it('is that of the loop where what was exported came of a format whose loop is known', async () => {
    const { lines } = drawTrace(`worker:\n    start  run.started  {"input":{}}${commands}`);
    const gradeFrom = async (format: string): Promise<unknown> => {
      const text = lines.map((line) => line.replace(/\}$/, `,"imported":{"format":"${format}"}}`)).join('\n');
      return (await openFiles([textToSource('a', `${text}\n`)])).result?.replayGrade;
    };
    expect([await gradeFrom('codex'), await gradeFrom('prov')]).toEqual(['tool loop only', 'original code only']);
  });

  it('asks for no seed where draws are recorded, and for a source that is stored somewhere', async () => {
    const drawn = program.replace(/"seed":"\d+"/, '"draws":"recorded"');
    expect(await gradeOf(`worker:\n    start  run.started  ${drawn}${commands}`)).toEqual(['full', []]);
    const apart = program.replace('"async function main(){}"', `{"$ref":"sha256:${'a'.repeat(64)}","bytes":25}`);
    const [, missing] = await gradeOf(`worker:\n    start  run.started  ${apart}${commands}`);
    expect(missing).toEqual(['the source text of the control program']);
  });
});
