import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { type HindcastEvent, eventToLine, mainBranch, parseEvent } from '../model/index.ts';
import { drawTrace } from '../model/testing/trace.ts';
import { closedPolicy, redact } from '../redaction/index.ts';
import { answerToWords, argsToLines, argsToTelling, patchToFiles } from './telling.ts';
import { emptyFilter } from './matching.ts';
import { eventsToReader } from './testing/drawn-reader.ts';

const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** Add File: b.md\n+z\n*** End Patch\n';

describe('argsToTelling', () => {
  it('gives the argument that tells most, in one line', () => {
    const told: readonly (readonly [JsonValue | undefined, string | undefined])[] = [
      [{ command: ['bash', '-lc', 'ls -la\n'], workdir: '/w' }, 'ls -la'],
      [{ command: ['git', 'status'] }, 'git status'],
      [{ command: ['/bin/zsh', '-c', 'cd a &&\n  make'] }, 'cd a && make'],
      [{ description: 'List files', command: 'ls', timeout: 1 }, 'ls'],
      [{ cmd: 'rg --files' }, 'rg --files'],
      [{ command: 'view', path: '/a/b.ts' }, 'view /a/b.ts'],
      [{ content: 'long\n'.repeat(100), file_path: '/a/b.ts' }, '/a/b.ts'],
      [{ path: '~', pattern: '**/*.md' }, '~'],
      ['{"query":"surf","k":3}', 'surf'],
      ['ls\n -la', 'ls -la'],
      [{ k: 3, email: 'm@x.example', body: 'x'.repeat(300) }, 'm@x.example'],
      [{ command: ['apply_patch', patch] }, 'patch: update src/a.ts, add b.md'],
      [{ input: patch }, 'patch: update src/a.ts, add b.md'],
      [{ query: { $hole: 'h1' } }, '(withheld)'],
      [{ $hole: 'h2' }, '(withheld)'],
      [{ todos: [{ id: 1 }] }, undefined],
      [{ command: ['a', 1] }, undefined],
      [{ command: ' \n' }, undefined],
      [{}, undefined],
      [3, undefined],
      [undefined, undefined],
    ];
    for (const [args, line] of told) expect(argsToTelling(args), JSON.stringify(args)).toBe(line);
  });

  it('names the files of a patch', () => {
    expect(patchToFiles(patch)).toEqual([
      { verb: 'update', file: 'src/a.ts' },
      { verb: 'add', file: 'b.md' },
    ]);
    expect(patchToFiles('*** Update File: no patch')).toEqual([]);
  });
});

it('an answer that is a text in JSON is shown as that text; what holds data stays data', () => {
  const told: readonly (readonly [JsonValue | undefined, string | undefined])[] = [
    ['{"output":"a\\n\\tb\\n","metadata":{"exit_code":0}}', 'a\n\tb\n'],
    [{ stdout: 'out', stderr: 'err', interrupted: false }, 'out\nerr'],
    [
      {
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
        isError: false,
      },
      'one\ntwo',
    ],
    [[{ type: 'text', text: 'one' }], 'one'],
    ['{not json}', '{not json}'],
    ['plain\ntext', 'plain\ntext'],
    [{ id: 1, text: 'x' }, undefined],
    [{ output: 'x', error: { code: 3 } }, undefined],
    ['{"id":1,"text":"x"}', undefined],
    [[{ text: 'no type' }], undefined],
    [[], undefined],
    [{ $hole: 'h' }, undefined],
    [undefined, undefined],
  ];
  for (const [answer, words] of told) expect(answerToWords(answer), JSON.stringify(answer)).toBe(words);
});

it('arguments stand as lines with their real line ends', () => {
  expect(argsToLines({ path: 'a.ts', content: 'x\n\ty', mode: { deep: 1 } })).toBe(
    'path: a.ts\ncontent:\nx\n\ty\nmode: {"deep":1}',
  );
  expect(argsToLines({ command: ['sh', '-c', 'ls\npwd'] })).toBe('ls\npwd');
  expect(argsToLines({ a: { $hole: 'h' }, b: 1 })).toBe('a: (withheld)\nb: 1');
  expect([argsToLines({ n: 1 }), argsToLines([1]), argsToLines({ $dup: 'x' })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

const drawing = `
  w agent=main:
    run run.started {}
    d decision.made <- run:caused_by {"chosen":[{"tool":"shell","call_id":"c1"}]}
    a tool_call.dispatched <- d:selected_by {"tool":"shell","call_id":"c1","args":{"command":["bash","-lc","cat canaryfile"]}}
    b tool_call.completed <- a:result_of {"tool":"shell","call_id":"c1","exit_code":2,"result":"{\\"output\\":\\"canaryout\\",\\"metadata\\":{}}"}
    e decision.made <- b:consumed {"chosen":[{"tool":"Read","call_id":"c2"},{"tool":"Read","call_id":"c3"}]}
    f tool_call.dispatched <- e:selected_by {"tool":"Read","call_id":"c3","args":{"file_path":"canary3.ts"}}
    g tool_call.dispatched <- e:selected_by {"tool":"Read","call_id":"c2","args":{"file_path":"canary2.ts"}}
    m model_call.requested <- f:consumed {"request_model":"finch","input_messages":[{"role":"user","parts":[{"type":"text","content":"canaryask"}]}]}
    r env.read <- m:consumed {"name":"setup","value":{"empty":null,"told":"canaryread"}}
`;

function titlesOf(events: readonly HindcastEvent[]): readonly string[] {
  return eventsToReader(events)
    .rows(mainBranch, emptyFilter, 0, 100)
    .rows.map(({ title }) => title);
}

describe('titles of calls', () => {
  const { events } = drawTrace(drawing);

  it('say what was done, and decisions what they chose to do, by the ids of the calls', () => {
    expect(titlesOf(events).slice(1)).toEqual([
      'main chose shell: cat canaryfile',
      'main dispatched shell: cat canaryfile',
      'shell returned (exit code 2): canaryout',
      'main chose Read: canary2.ts, Read: canary3.ts',
      'main dispatched Read: canary3.ts',
      'main dispatched Read: canary2.ts',
      'main asked finch: canaryask',
      'read setup: {told: "canaryread"}',
    ]);
  });

  it('R75 of a redacted copy come from the copy: what was withheld stands in none', () => {
    const copy = redact({ events, policy: closedPolicy, secret: 'a'.repeat(32) });
    const copied = copy.lines.flatMap((line) => {
      const read = parseLossless(line);
      const event = read.ok ? parseEvent(read.value) : undefined;
      return event?.ok === true ? [event.value] : [];
    });
    const titles = titlesOf(copied);
    expect(titles.length).toBeGreaterThan(8);
    expect(titles.filter((title) => title.includes('canary'))).toEqual([]);
    expect(titles.filter((title) => title.endsWith(': (withheld)')).length).toBeGreaterThan(4);
    // The canaries do stand in the titles of what was copied.
    expect(
      events
        .map(eventToLine)
        .join('\n')
        .match(/canary/g)?.length,
    ).toBe(6);
  });
});
