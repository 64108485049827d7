import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { answerModelRequest } from '../src/core/live/testing/model-server.ts';
import { expect, expectAccessible, test } from './app.ts';
import { ExplorerPage } from './pages/explorer-page.ts';
import { waitUntilIdle } from './pages/idle.ts';
import { LibraryPage } from './pages/library-page.ts';
import { ReplayPage } from './pages/replay-page.ts';

test.beforeEach(() => {
  test.slow();
});

/** What a person would type, as it ships with the sample. */
const story = readStory();

function readStory(): {
  readonly edits: readonly { readonly value: unknown }[];
  readonly supply: readonly { readonly path: string; readonly value: unknown }[];
} {
  const path = join(import.meta.dirname, '../public/samples/wrong-observation.edit.json');
  // Cast: the file is written with the sample, in the form that the engine reads.
  return JSON.parse(readFileSync(path, 'utf8')) as ReturnType<typeof readStory>;
}

/** The control program of a sample, as its record carries it. */
function readProgramOf(sample: string): string {
  const text = readFileSync(join(import.meta.dirname, `../public/samples/${sample}.hindcast.jsonl`), 'utf8');
  const line = text.split('\n').find((one) => one.includes('"run.started"'));
  // Cast: the line is written with the sample.
  const started = JSON.parse(line ?? '') as { readonly data: { readonly program: { readonly source: string } } };
  return started.data.program.source;
}

interface ModelServer {
  readonly base: string;
  readonly asked: () => number;
  readonly stop: () => Promise<void>;
}

/** A model on this machine that pages may ask: it computes on what it is asked (core/live/testing). */
async function startModelServer(): Promise<ModelServer> {
  let asked = 0;
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*, authorization');
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString('utf8')));
    request.on('end', () => {
      asked += 1;
      const answer = answerModelRequest({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the model has no port');
  return {
    base: `http://127.0.0.1:${address.port}/v1`,
    asked: () => asked,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function openSample(page: Page, key: '1' | '2' | '3' | '4'): Promise<ReplayPage> {
  const library = new LibraryPage(page);
  await library.open();
  await library.openSample(key);
  await page.keyboard.press('r');
  const replay = new ReplayPage(page);
  await replay.isShown();
  return replay;
}

test('a wrong observation: what falls and why, the replay, the answers, the branch that completes (R38, R39, R41, R44, R143)', async ({
  page,
}) => {
  const replay = await openSample(page, '4');
  await replay.editStep('customers.lookup');
  await expect(replay.value()).toContainText('2025-11-20');
  await expect(replay.changes).toContainText('Fits the schema recorded for customers.lookup');

  await replay.write(replay.value(), '{"customer": tru}');
  await expect(replay.changes.getByRole('alert')).toContainText(/Line 1, column \d+/);
  await expect(replay.changes.getByRole('button', { name: 'Replay', exact: true })).toBeDisabled();

  await replay.write(replay.value(), story.edits[0]?.value);
  await expect(replay.preview.getByRole('heading', { level: 2 })).toHaveText(
    'By declared edges, 10 of 18 commands fall (34 events), 1 falls in part, 1 is edited, 6 stand.',
  );
  const chips = replay.preview.getByRole('list', { name: 'Show by status' });
  await expect(chips.getByRole('button')).toHaveText(['edited 1', 'falls 10', 'falls in part 1', 'stands 6']);
  await expect(replay.previewRow('/par:device/child:device#0/model:diagnose#0')).toContainText('stands');
  const resolution = replay.previewRow('/decide:resolution#0');
  await expect(resolution).toContainText('falls');
  await expect(resolution.getByRole('list', { name: 'Path of reasons' })).toContainText('customers.lookup returned');
  await expectAccessible(page);

  await page.getByRole('textbox', { name: 'Why' }).fill('The present record');
  const madeBy = page.getByRole('textbox', { name: 'Made by' });
  await madeBy.fill('Ada Park');
  // The field is not left: the branch is made by who is typed all the same.
  await madeBy.press('ControlOrMeta+Enter');
  await replay.isAnswered('The branch stops at');
  await waitUntilIdle(page);
  await expect(replay.waiting('state-coverage')).toContainText('It asks with other arguments');
  await expect(replay.row('diagnose', '/par:device/child:device#0/model:diagnose#0')).toContainText('the same');
  await expect(replay.row('tickets.create', '/write:tickets.create#0')).toContainText('not reached');
  await expect(replay.row('tickets.create', '/write:tickets.create#0')).toContainText('orphan effect');
  await expectAccessible(page);

  await replay.waiting('state-coverage').getByRole('button', { name: 'Start from the recorded answer' }).click();
  await expect(replay.waiting('state-coverage')).toContainText(
    'The starting text is the recorded answer of the original',
  );
  for (const [n, { path, value }] of story.supply.entries()) {
    const name = /[:]([^:#]+)#\d+$/.exec(path)?.[1] ?? '';
    await replay.supply(name, value, n === 0 ? 'key' : 'button');
  }
  await replay.isAnswered('The branch completes');
  await expect(replay.verdict).toContainText('6 commands reused');
  await expect(replay.result.getByRole('region', { name: 'Outcome' })).toContainText('free-repair');
  await replay.result.getByRole('button', { name: /^changed/ }).click();
  await expect(replay.comparison.getByRole('row').filter({ hasText: 'reused' })).toHaveCount(0);
  await replay.row('tickets.create', '/write:tickets.create#0').getByRole('button').click();
  await expect(page.getByRole('table', { name: 'Arguments', exact: true })).toContainText('workshop');
  await expectAccessible(page);

  await replay.show('Branches');
  const made = page.getByRole('region', { name: 'Branches' }).getByRole('listitem').first();
  await expect(made).toContainText('The present record');
  await expect(made).toContainText('Ada Park');
  await expect(made).toContainText('complete');
  await made.getByRole('button', { name: 'Replay it again' }).first().click();
  await replay.isAnswered('The branch completes');

  await replay.result.getByRole('button', { name: /^Open branch/ }).click();
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
  await waitUntilIdle(page);
  await expect(page.getByRole('button', { name: /^Branch: .*The present record/ })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Transcript' })).toContainText(
    'covered by our warranty until 2027-11-20',
  );
  await expect(new ExplorerPage(page).headline).not.toContainText('mixed');
});

// What the page computes for every other sample is compared with Node in determinism.spec.ts.
test('an unedited replay of a run that was killed says identical (R36)', async ({ page }) => {
  const replay = await openSample(page, '1');
  await expect(replay.preview.getByRole('heading', { level: 2 })).toContainText('Nothing is changed yet');
  await page.keyboard.press('v');
  await replay.isAnswered('Identical:');
  await expect(replay.result).toContainText('nothing was sent');
});

test('a decision is edited by one of its recorded alternatives, from the explorer', async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open();
  await library.openSample('4');
  await new ExplorerPage(page).filterBy('type:decision.made resolution');
  await new ExplorerPage(page).transcript
    .getByRole('button', { name: /paid-repair/ })
    .first()
    .click();
  await waitUntilIdle(page);
  await page.keyboard.press('e');
  await page.getByRole('button', { name: 'Open replay' }).click();
  const replay = new ReplayPage(page);
  await replay.isShown();
  await replay.changes.getByRole('button', { name: 'advice-only' }).click();
  await expect(replay.value()).toContainText('"advice-only"');
  await expect(replay.preview.getByRole('heading', { level: 2 })).toContainText('By declared edges');
  await replay.value().press('ControlOrMeta+Enter');
  await replay.isAnswered('The branch stops at');
});

test('the input and the program are edited too; a changed program names its first difference (R48, R51)', async ({
  page,
}) => {
  const replay = await openSample(page, '4');
  await replay.showChange('Input');
  await replay.write(replay.value().or(page.getByRole('textbox', { name: 'Input of the run' })), { case: 'CASE-7' });
  await expect(replay.preview.getByRole('heading', { level: 2 })).toContainText('By declared edges');
  await replay.changes.getByRole('button', { name: 'Reset' }).click();

  await replay.showChange('Program');
  await expect(replay.program).toContainText('Warranty desk, controller 1.4.');
  await replay.write(
    replay.program,
    "async function main(ctx, input) { return ctx.read('cases.get', { case: 'other' }); }",
  );
  await replay.replay();
  await replay.isAnswered('The branch stops at 1 command');
  const differences = page.getByRole('region', { name: 'Differences from the record' });
  await expect(differences).toContainText('First difference');
  await expect(differences.getByRole('table', { name: 'Differences' }).first()).toContainText('other');
  await expectAccessible(page);
});

test('a hostile program is cancelled at once, and the page goes on', async ({ page }) => {
  const replay = await openSample(page, '4');
  await replay.showChange('Program');
  await replay.write(replay.program, 'async function main(ctx, input) { const kept = []; for (;;) kept.push({}); }');
  await replay.replay();
  await expect(replay.cancel()).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, 'hindcastIdle'))).toBe(false);
  await replay.cancel().click();
  await expect(replay.cancel()).toBeHidden();
  await replay.changes.getByRole('button', { name: 'Reset' }).click();
  await replay.verify();
  await replay.isAnswered('Identical:');
});

test('a program that loops for ever, allocates without end, throws, looks for a clock, asks for dynamic code or is none ends in a sentence', async ({
  page,
}) => {
  const replay = await openSample(page, '4');
  await replay.showChange('Program');
  for (const [text, says] of [
    ['async function main() { try { for (;;) {} } catch { return 1; } }', 'computing steps'],
    ['async function main() { const kept = []; for (;;) kept.push(new Uint8Array(2 ** 20)); }', 'memory'],
    ["async function main() { throw new TypeError('no such case'); }", 'TypeError: no such case'],
    // The date of the record, and no other clock.
    [
      `async function main() { throw new Error([
        Date.now() === new Date().getTime() && new Date().toISOString().slice(0, 10), typeof performance, typeof setTimeout,
        typeof Atomics, typeof SharedArrayBuffer, typeof Intl, new Date().getTimezoneOffset(),
      ].join(' ')); }`,
      'Error: 2026-07-06 undefined undefined undefined undefined undefined 0',
    ],
    ["async function main() { return eval('1'); }", 'The program ended with an error'],
    ['async function main() {', 'not a control program'],
  ] as const) {
    await replay.write(replay.program, text);
    await replay.replay();
    await expect(replay.result.getByRole('banner').or(replay.result).first()).toContainText(says, { timeout: 45_000 });
  }
});

test('a trace without a control program is previewed, says what is missing, and takes the reference program of its loop (R45)', async ({
  page,
}) => {
  const library = new LibraryPage(page);
  await library.open();
  const line = (uuid: string, parent: string | null, type: string, message: unknown): string =>
    JSON.stringify({
      uuid,
      parentUuid: parent,
      sessionId: 'session-1',
      type,
      isSidechain: false,
      userType: 'external',
      cwd: '/home/ada/desk',
      version: '1.0.60',
      timestamp: `2026-05-01T10:00:0${uuid.length}.000Z`,
      message,
    });
  await library.openFiles([
    {
      name: 'session.jsonl',
      text: [
        line('a', null, 'user', { role: 'user', content: 'List the files.' }),
        line('bb', 'a', 'assistant', {
          role: 'assistant',
          id: 'msg_1',
          model: 'a-model',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }],
        }),
        line('ccc', 'bb', 'user', {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'one.txt' }],
        }),
        line('dddd', 'ccc', 'assistant', {
          role: 'assistant',
          id: 'msg_2',
          model: 'a-model',
          content: [{ type: 'text', text: 'There is one file.' }],
        }),
      ].join('\n'),
    },
  ]);
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
  await waitUntilIdle(page);
  await page.keyboard.press('r');
  const replay = new ReplayPage(page);
  await replay.isShown();
  await expect(replay.preview).toContainText('This trace carries no control program');
  await replay.showChange('Program');
  await expect(replay.changes).toContainText('This trace carries no control program');
  await expect(replay.changes.getByRole('button', { name: 'Verify', exact: true })).toBeDisabled();
  await replay.write(replay.program, 'async function main() { return 1; }');
  await expect(replay.changes).toContainText('unverified program');
  await expectAccessible(page);

  // The reference program of the loop takes its place, and is verified by the record.
  await replay.changes.getByRole('button', { name: 'Reference program' }).click();
  await page.getByRole('menuitem', { name: /^agent-session/ }).click();
  await expect(replay.program).toContainText('The loop of a coding agent');
  await replay.changes.getByRole('button', { name: 'Verify', exact: true }).click();
  await replay.isAnswered('Identical: 5 commands');
});

test('a continued replay is one line of work; a branch is renamed, saved, compared with its parent and deleted, and the log tells it (R50, R77)', async ({
  page,
}) => {
  const replay = await openSample(page, '4');
  await replay.editStep('customers.lookup');
  await replay.write(replay.value(), story.edits[0]?.value);
  await replay.replay();
  await replay.isAnswered('The branch stops at');
  await expect(replay.result.getByText('waits for answers')).toBeVisible();
  const [first] = story.supply;
  await replay.supply('state-coverage', first?.value);

  await replay.show('Branches');
  const branches = page.getByRole('region', { name: 'Branches' });
  await expect(branches.getByRole('heading', { level: 3 })).toHaveCount(1);
  await branches.getByText('1 earlier stop of this replay').click();
  await expect(branches.getByRole('heading', { level: 3 })).toHaveCount(2);
  await replay.show('Result');
  await expect(replay.result).toContainText(
    /It continues b-[0-9a-f]+, and stands in the lists of branches in its place/,
  );
  await page.keyboard.press('b');
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('group', { name: 'Earlier stops' }).getByRole('menuitem')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await replay.show('Branches');

  await branches.getByRole('button', { name: 'Rename' }).first().click();
  const naming = page.getByRole('dialog', { name: 'Rename the branch' });
  await naming.getByRole('textbox', { name: 'Name' }).fill('Warranty honoured');
  await naming.getByRole('button', { name: 'Rename' }).click();
  await expect(branches.getByRole('heading', { name: 'Warranty honoured' })).toBeVisible();
  const saved = page.waitForEvent('download');
  await branches.getByRole('button', { name: 'Save as file' }).first().click();
  expect((await saved).suggestedFilename()).toMatch(/^b-[0-9a-f]+\.hindcast\.jsonl$/);

  await branches.getByRole('button', { name: 'Compare' }).first().click();
  const compared = page.getByRole('region', { name: 'Compare', exact: true });
  await expect(compared.getByRole('combobox', { name: 'Compare' })).toContainText('Warranty honoured');
  // The stop on the way to it is offered apart.
  const offered = (group: string) =>
    compared.getByRole('combobox', { name: 'Compare' }).locator(`optgroup[label="${group}"]`);
  await expect(offered('Branches of this trace').locator('option')).toHaveCount(2);
  await expect(offered('Earlier stops of replays that were continued').locator('option')).toHaveCount(1);
  // The columns stand as the two were chosen, under their names.
  const columns = compared.getByRole('table', { name: 'Commands of both sides' }).getByRole('columnheader');
  await expect(columns.nth(2)).toHaveText('A: original');
  await expect(columns.nth(3)).toHaveText(/^B: Warranty honoured .*b-[0-9a-f]+$/);
  const headline = compared.getByRole('region', { name: 'First difference' });
  await expect(headline).toContainText('/read:customers.lookup#0 receives another value at');
  await expect(headline).toContainText('Both began with the same input');
  const row = compared.getByRole('row').filter({ hasText: '/read:customers.lookup#0' });
  await expect(row).toContainText('changed');
  await row.getByRole('button').click();
  await expect(compared.getByRole('table', { name: 'Value', exact: true })).toContainText('2027-11-20');
  await compared.getByRole('button', { name: /^not reached/ }).click();
  await expect(compared.getByRole('row').filter({ hasText: 'changed' })).toHaveCount(0);
  await expectAccessible(page);

  await replay.show('Branches');
  await branches.getByText('1 earlier stop of this replay').click();
  await branches.getByRole('button', { name: 'Delete the 1 earlier stop' }).click();
  const question = page.getByRole('dialog', { name: 'Delete the branch' });
  await expect(question).toContainText('The original and the other branches stay as they are.');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(branches.getByText('earlier stop')).toHaveCount(0);
  await expect(branches.getByRole('heading', { level: 3 })).toHaveCount(1);

  await page.getByRole('link', { name: 'Hindcast, library' }).click();
  const library = new LibraryPage(page);
  await expect(page.getByRole('row').filter({ hasText: 'A warranty refused' })).toContainText('1 branch');
  await library.act('A warranty refused on an old record', 'Access log');
  const log = page.getByRole('table', { name: 'Access log' });
  await expect(log.getByRole('row').nth(1)).toContainText('Deleted branch b-');
  await expect(page.getByRole('dialog')).toContainText('The chain holds');
  await expectAccessible(page);
});

test('B opens the branch menu and C the comparison, also from the explorer; the original waits for another side', async ({
  page,
}) => {
  const library = new LibraryPage(page);
  await library.open();
  await library.openSample('4');
  await page.keyboard.press('b');
  await expect(page.getByRole('menuitem', { name: /original/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await page.keyboard.press('c');
  await expect(page.getByRole('heading', { name: 'Choose what to compare it with' })).toBeVisible();
  // A comparison changes nothing: it has all of the page.
  await expect(new ReplayPage(page).changes).toBeHidden();
});

test('an effect that was sent and never answered is adopted from the ledger of the service, by a person (R30, replay 3.8)', async ({
  page,
}) => {
  const library = new LibraryPage(page);
  await library.open();
  // The incident as it stood when the first worker was dead and the second not yet there.
  const whole = readFileSync(join(import.meta.dirname, '../public/samples/ticket-incident.hindcast.jsonl'), 'utf8');
  const lines = whole.split('\n');
  const crashed = lines.slice(0, lines.findIndex((line) => line.includes('"fault.injected"')) + 1);
  await library.openFiles([{ name: 'crashed.hindcast.jsonl', text: `${crashed.join('\n')}\n` }]);
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
  await waitUntilIdle(page);
  await page.keyboard.press('r');
  const replay = new ReplayPage(page);
  await replay.isShown();
  await replay.verify();
  await replay.isAnswered('1 command');
  const form = replay.waiting('tickets.create');
  await expect(form).toContainText('uncertain');
  await expect(form).toContainText('no record says whether it was executed');
  await form
    .getByRole('list', { name: 'Evidence in the ledger' })
    .getByRole('button', { name: 'Adopt as evidence' })
    .click();
  await expect(form).toContainText('The starting text is what the service recorded about this effect.');
  await expect(form).toContainText('The value has no “ticket”, which the schema requires.');
  await expectAccessible(page);
  await replay.write(form.getByRole('textbox', { name: 'Answer to tickets.create' }), {
    ticket: '8421',
    status: 'open',
    url: 'https://tickets.example/8421',
  });
  await form.getByRole('button', { name: 'Adopt and continue' }).click();
  await expect(form).toBeHidden({ timeout: 50_000 });
  await waitUntilIdle(page);
  await expect(replay.row('tickets.create', '/write:tickets.create#0')).toContainText('8421');
});

test('a changed program is replayed over recorded runs, and what must stay is pinned and run against it (R48, R80, R82)', async ({
  page,
}) => {
  const library = new LibraryPage(page);
  await library.open();
  await library.openSample('2');
  const replay = await openSample(page, '1');
  await replay.showPanel('5');
  const runs = page.getByRole('region', { name: 'Recorded runs' });
  await expect(runs.getByText('the program of this trace')).toBeVisible();
  await runs.getByRole('button', { name: 'Replay 2 runs' }).click();
  const verdicts = page.getByRole('region', { name: 'Verdicts' });
  await expect(verdicts.getByRole('heading', { level: 3 })).toHaveText('All 2 runs stay as recorded.', {
    timeout: 50_000,
  });
  await expect(verdicts).toContainText('sha256:');

  await replay.showPanel('6');
  const goldens = page.getByRole('region', { name: 'Golden cases' });
  await goldens.getByRole('button', { name: 'Pin this run' }).click();
  const form = goldens.getByRole('form', { name: 'Pin a golden case' });
  await form.getByRole('textbox', { name: 'Name of the case' }).fill('ticket-once');
  await form.getByRole('textbox', { name: 'Why it must stay' }).fill('The customer was promised one ticket');
  await form.getByRole('checkbox', { name: /close-case/ }).press(' ');
  await expectAccessible(page, { within: '[aria-label="Golden cases"]' });
  await form.getByRole('button', { name: /^Pin 11 properties/ }).click();
  const pinned = goldens.getByRole('article', { name: 'ticket-once' });
  await expect(pinned).toContainText('The customer was promised one ticket');

  await goldens.getByRole('button', { name: 'Change the program' }).click();
  await expect(replay.program).toContainText('async function main');
  const source = readProgramOf('ticket-incident');
  await replay.write(replay.program, source.replace("queue: 'replacements'", "queue: 'others'"));
  await goldens.getByRole('button', { name: 'Run 1 case' }).click();
  await expect(pinned.getByText('fails', { exact: true })).toBeVisible({ timeout: 50_000 });
  const properties = pinned.getByRole('table', { name: 'Properties of ticket-once' });
  await expect(properties.getByRole('row').filter({ hasText: 'tickets.create is asked for' })).toContainText('broken');
  await expect(properties.getByRole('row').filter({ hasText: 'chooses create-ticket' })).toContainText('holds');
  await expect(pinned.getByRole('button', { name: 'Open that branch' })).toBeVisible();
  await expectAccessible(page, { within: '[aria-label="Golden cases"]' });
  const saved = page.waitForEvent('download');
  await pinned.getByRole('button', { name: 'Save as file' }).click();
  const archive = await saved;
  expect(archive.suggestedFilename()).toBe('ticket-once.golden.zip');
  await pinned.getByRole('button', { name: 'Remove ticket-once' }).click();
  await expect(pinned).toBeHidden();
  await page.getByLabel('Bring cases').setInputFiles(await archive.path());
  await expect(pinned).toContainText('11 properties');

  await replay.showPanel('5');
  await runs.getByRole('button', { name: 'Replay 2 runs' }).click();
  await expect(verdicts.getByRole('heading', { level: 3 })).toHaveText('0 of 2 runs stay as recorded.', {
    timeout: 50_000,
  });
  const row = verdicts.getByRole('row').filter({ hasText: 'A ticket opened twice' });
  await row.getByRole('button').click();
  await expect(verdicts).toContainText('Effects it would send');
  await expectAccessible(page, { within: '[aria-label="Recorded runs"]' });
});

test('kill here: from an effect, over all boundaries and designs, each cell with its story (R30)', async ({ page }) => {
  const replay = await openSample(page, '1');
  await replay.preview.getByRole('button', { name: 'Kill here: tickets.create' }).click();
  const kill = page.getByRole('region', { name: 'Kill here', exact: true });
  await kill.getByRole('button', { name: 'Kill at every boundary of tickets.create' }).click();
  const matrix = kill.getByRole('table', { name: 'Kills of /write:tickets.create#0' });
  await expect(matrix).toBeVisible({ timeout: 60_000 });
  await expect(kill).toContainText('The naive restart duplicated at every boundary after commitment');
  await expect(matrix.getByRole('row')).toHaveCount(6);
  await matrix.getByRole('button', { name: /^naive restart, at 3: twice/ }).press('Enter');
  const story = kill.getByRole('region', { name: 'Story of this kill' });
  await expect(story).toContainText('killed at 3: committed, not acknowledged');
  await expect(story).toContainText('Worker 2');
  await matrix.getByRole('button', { name: /^journal with key, at 3: once/ }).click();
  await expect(story).toContainText('the outcome is the recorded one');
  const measured = kill.getByRole('region', { name: 'What was measured' });
  await expect(measured.getByRole('heading')).toHaveText(
    '1 measured cell: the simulation agrees with 1, disagrees with 0',
  );
  await expect(measured.getByRole('link', { name: 'ticket-incident' })).toBeVisible();
  await expectAccessible(page);
});

test.describe('what no record has', () => {
  // The first key is wrong on purpose: the browser tells of the refusal too.
  test.use({ expectedProblems: /foreign request: http:\/\/127\.0\.0\.1:\d+\/v1\/|status of 401/ });

  test('is asked of a model a person configured, after they saw what is sent; its answer is recorded as live (R49)', async ({
    page,
  }) => {
    const model = await startModelServer();
    try {
      const replay = await openSample(page, '4');
      await replay.editStep('customers.lookup');
      await replay.write(replay.value(), story.edits[0]?.value);
      await replay.replay();
      await replay.isAnswered('The branch stops at');
      const elsewhere = replay.result.getByRole('group', { name: 'Answers of other recorded runs' });
      await elsewhere.getByRole('checkbox', { name: 'model calls (1)' }).press(' ');
      await elsewhere.getByRole('button', { name: 'Look' }).click();
      await expect(elsewhere).toContainText('No other run asked the same');

      const form = replay.waiting('state-coverage');
      await form.getByRole('button', { name: 'Ask a model' }).click();
      const dialog = page.getByRole('dialog', { name: 'Ask a model for state-coverage' });
      await dialog.getByRole('button', { name: 'messages (Anthropic)' }).click();
      await dialog.getByRole('textbox', { name: 'Address' }).fill(model.base);
      await dialog.getByRole('textbox', { name: 'Model', exact: true }).fill('echo-1');
      await dialog.getByLabel('Key').fill('wrong');
      const send = dialog.getByRole('button', { name: `Send this to ${new URL(model.base).origin}` });
      await send.click();
      await expect(dialog.getByRole('alert')).toContainText('It says: The key is not known.');
      await dialog.getByLabel('Key').fill('k-1');
      await dialog.getByRole('textbox', { name: 'Price of a million input tokens' }).fill('2');
      await dialog.getByRole('textbox', { name: 'Price of a million output tokens' }).fill('10');
      await expectAccessible(page);
      await send.click();
      await expect(dialog).toBeHidden();
      await expect(form).toContainText('This is the answer of the model, as it came.');
      await form.getByRole('button', { name: 'Supply and continue' }).click();
      await expect(form).toBeHidden({ timeout: 50_000 });
      await waitUntilIdle(page);
      await replay.result.getByRole('button', { name: /^Open branch/ }).click();
      await waitUntilIdle(page);
      await new ExplorerPage(page).filterBy('type:model_call.completed state-coverage');
      const answered = new ExplorerPage(page).transcript.getByRole('button', { name: /^echo-1-2026-01-01 answered/ });
      await expect(answered).toContainText(/\d+ tokens in, \d+ out/);
      expect(model.asked()).toBe(2);
      expect(await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))).not.toContain('k-1');
    } finally {
      await model.stop();
    }
  });
});
