import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
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
    'By declared edges, 11 of 18 commands fall (34 events), 6 stand.',
  );
  await expect(replay.previewRow('/par:device/child:device#0/model:diagnose#0')).toContainText('stands');
  const resolution = replay.previewRow('/decide:resolution#0');
  await expect(resolution).toContainText('falls');
  await expect(resolution.getByRole('list', { name: 'Path of reasons' })).toContainText('customers.lookup returned');
  await expectAccessible(page);

  await page.getByRole('textbox', { name: 'Why' }).fill('The present record');
  await page.getByRole('textbox', { name: 'As' }).fill('Ada Park');
  await replay.replay();
  await replay.isAnswered('The branch stops at');
  await waitUntilIdle(page);
  await expect(replay.waiting('state-coverage')).toContainText('It asks with other arguments');
  await expect(replay.row('diagnose', '/par:device/child:device#0/model:diagnose#0')).toContainText('the same');
  await expect(replay.row('tickets.create', '/write:tickets.create#0')).toContainText('removed');
  await expect(replay.row('tickets.create', '/write:tickets.create#0')).toContainText('orphan effect');
  await expectAccessible(page);

  await replay.waiting('state-coverage').getByRole('button', { name: 'Start from the recorded answer' }).click();
  await expect(replay.waiting('state-coverage')).toContainText(
    'The starting text is the recorded answer of the original',
  );
  for (const { path, value } of story.supply) {
    const name = /[:]([^:#]+)#\d+$/.exec(path)?.[1] ?? '';
    await replay.supply(name, value);
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

for (const [key, name] of [
  ['1', 'the ticket opened twice'],
  ['2', 'the same kill with a key'],
  ['3', 'the clean control'],
  ['4', 'the wrong observation'],
] as const) {
  test(`an unedited replay of ${name} says identical (R36)`, async ({ page }) => {
    const replay = await openSample(page, key);
    await expect(replay.preview.getByRole('heading', { level: 2 })).toContainText('Nothing is changed yet');
    await page.keyboard.press('v');
    await replay.isAnswered('Identical:');
    await expect(replay.result).toContainText('nothing was sent');
  });
}

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
  await replay.cancel().click();
  await expect(replay.cancel()).toBeHidden();
  await replay.changes.getByRole('button', { name: 'Reset' }).click();
  await replay.verify();
  await replay.isAnswered('Identical:');
});

for (const [what, text, says] of [
  ['loops for ever inside try', 'async function main() { try { for (;;) {} } catch { return 1; } }', 'computing steps'],
  ['throws', "async function main() { throw new TypeError('no such case'); }", 'TypeError: no such case'],
  ['asks for dynamic code', "async function main() { return eval('1'); }", 'The program ended with an error'],
  ['is no program', 'async function main() {', 'not a control program'],
] as const) {
  test(`a program that ${what} ends in a sentence`, async ({ page }) => {
    const replay = await openSample(page, '4');
    await replay.showChange('Program');
    await replay.write(replay.program, text);
    await replay.replay();
    await expect(replay.result.getByRole('banner').or(replay.result).first()).toContainText(says, { timeout: 45_000 });
  });
}

test('a trace without a control program is previewed, and says what is missing (R45)', async ({ page }) => {
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
});

test('a continued replay is one line of work; a branch is compared with its parent and deleted, and the log tells it (R77)', async ({
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

  await branches.getByRole('button', { name: 'Compare with its parent' }).first().click();
  const compared = page.getByRole('region', { name: 'Branch and parent' });
  await expect(compared).toContainText('shared by both');
  const row = compared.getByRole('row').filter({ hasText: '/read:customers.lookup#0' });
  await expect(row).toContainText('changed');
  await row.getByRole('button').click();
  await expect(compared.getByRole('table', { name: 'Payload', exact: true })).toContainText('2027-11-20');
  await compared.getByRole('button', { name: /^only there/ }).click();
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
  await library.act('A warranty refused on an old record', 'Access log');
  const log = page.getByRole('table', { name: 'Access log' });
  await expect(log.getByRole('row').nth(1)).toContainText('Deleted branch b-');
  await expect(page.getByRole('dialog')).toContainText('The chain holds');
  await expectAccessible(page);
});

test('B opens the branch menu and C the comparison, also from the explorer; the original has no parent', async ({
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
  await new ReplayPage(page).isShown();
  await expect(page.getByRole('heading', { name: 'The original has no parent to compare with' })).toBeVisible();
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
