/** The debugger of the replay as a person meets it: by roles, names and keys. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './app.ts';
import { waitUntilIdle } from './pages/idle.ts';
import { LibraryPage } from './pages/library-page.ts';
import { ReplayPage } from './pages/replay-page.ts';

test.beforeEach(() => {
  test.slow();
});

/** The control program of the sample, as its record carries it. */
function readProgram(): string {
  const text = readFileSync(join(import.meta.dirname, '../public/samples/wrong-observation.hindcast.jsonl'), 'utf8');
  for (const line of text.split('\n')) {
    if (!line.includes('"run.started"')) continue;
    // Cast: the line is written with the sample.
    return (JSON.parse(line) as { readonly data: { readonly program: { readonly source: string } } }).data.program
      .source;
  }
  throw new Error('the sample has no start of a run');
}

async function openReplay(page: Page): Promise<ReplayPage> {
  const library = new LibraryPage(page);
  await library.open();
  await library.openSample('4');
  await page.keyboard.press('r');
  const replay = new ReplayPage(page);
  await replay.isShown();
  // Its keys are there when it is.
  await expect(replay.changes).toBeVisible();
  return replay;
}

async function isAt(page: Page, position: number): Promise<void> {
  await expect(page.getByRole('heading', { level: 2, name: new RegExp(`^Step ${position} of`) })).toBeVisible({
    timeout: 60_000,
  });
  await waitUntilIdle(page);
}

async function openDebugger(page: Page): Promise<void> {
  await page.keyboard.press('4');
  await isAt(page, 0);
  await expect(page.getByRole('textbox', { name: 'Program, read only' })).toContainText('async function main');
}

test('the record is walked forward and back: deliveries, state with what changed, open commands, call site (R36, R143)', async ({
  page,
}) => {
  await openReplay(page);
  await openDebugger(page);
  const debug = page.getByRole('region', { name: 'Debugger' });
  const step = debug.getByRole('region', { name: 'This step', exact: true });
  await expect(step).toContainText('The program starts with its input.');
  await expect(debug.getByRole('region', { name: 'Open commands (1)' })).toContainText('/read:cases.get#0');
  await expect(debug).toContainText('Local variables are not shown');
  await expect(debug.getByRole('button', { name: 'Back' })).toBeDisabled();

  for (let at = 1; at <= 6; at++) {
    await page.keyboard.press('n');
    await isAt(page, at);
  }
  await expect(step).toContainText('workshop.price');
  await expect(step).toContainText('Decided resolution');
  await expect(debug.getByRole('region', { name: 'Program at this step' })).toContainText("ctx.step('look-up-price'");
  const state = debug.getByRole('region', { name: 'State (1)' });
  await expect(state).toContainText('changed here');
  await expectAccessible(page);

  await page.keyboard.press('p');
  await isAt(page, 5);
  await expect(debug.getByRole('region', { name: 'State (0)' })).toContainText('No state was kept up to here.');
  await debug.getByRole('button', { name: 'Forward' }).click();
  await isAt(page, 6);
  await expect(state).toContainText('changed here');

  const deliveries = debug.getByRole('list', { name: 'Deliveries so far' });
  await expect(deliveries.getByRole('button')).toHaveCount(6);
  await deliveries.getByRole('button').last().click();
  await isAt(page, 1);
  await debug.getByRole('slider', { name: 'Position in the replay' }).focus();
  await page.keyboard.press('End');
  await isAt(page, 9);
  await expect(step).toContainText('The program ended with this result.');
  await expect(debug.getByRole('button', { name: 'Forward' })).toBeDisabled();
  await expect(page).toHaveURL(/at=9/);
});

test('runs to the selection and to breakpoints, which are added, switched off and removed (R36)', async ({ page }) => {
  const replay = await openReplay(page);
  await replay.editStep('customers.lookup');
  await openDebugger(page);
  const debug = page.getByRole('region', { name: 'Debugger' });
  await debug.getByRole('button', { name: 'To selection' }).click();
  await expect(debug.getByRole('region', { name: 'This step', exact: true })).toContainText('customers.lookup');

  const breakpoints = debug.getByRole('region', { name: 'Breakpoints' });
  // No command is without its value here.
  await expect(debug.getByRole('button', { name: 'Next pending' })).toBeDisabled();
  await breakpoints.getByRole('button', { name: 'Condition' }).click();
  const condition = breakpoints.getByRole('textbox', { name: 'Condition' });
  await condition.fill('colour = red');
  await condition.press('Enter');
  await expect(breakpoints).toContainText('Character 1: There is no field colour');
  await condition.fill('act = state and value.stage = decided');
  await condition.press('Enter');
  const added = breakpoints.getByRole('checkbox', { name: 'act = state and value.stage = decided' });
  await expect(added).toBeChecked();
  await debug.getByRole('button', { name: 'To breakpoint' }).click();
  await isAt(page, 6);
  await added.press(' ');
  await expect(debug.getByRole('button', { name: 'To breakpoint' })).toBeDisabled();

  await breakpoints.getByRole('button', { name: 'Tool' }).click();
  await breakpoints.getByRole('textbox', { name: 'Tool to stop at' }).fill('cases.get');
  await breakpoints.getByRole('button', { name: 'Add breakpoint' }).click();
  await debug.getByRole('heading', { level: 2 }).click();
  await page.keyboard.press('X');
  await isAt(page, 1);
  await breakpoints.getByRole('button', { name: 'Remove tool = "cases.get"' }).click();
  await expect(breakpoints.getByRole('checkbox')).toHaveCount(1);

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('Run back to breakpoint');
});

test('a changed program, in TypeScript: its console, the difference with both sides, what it waits for (R36, R48)', async ({
  page,
}) => {
  const program = readProgram()
    .replace(
      'async function main(ctx, input) {',
      `async function main(ctx: any, input: { case: string }) { console.warn('takes', input);`,
    )
    .replace('{ part: diagnosis.part }', `{ part: diagnosis.part, currency: 'EUR' as string }`);
  const replay = await openReplay(page);
  await replay.showChange('Program');
  await replay.write(replay.program, program);
  await replay.replay();
  await replay.isAnswered('The branch stops at');
  await openDebugger(page);
  const debug = page.getByRole('region', { name: 'Debugger' });
  await expect(debug).toContainText('Walking the last replay: ');
  const printed = debug.getByRole('region', { name: 'Console (1)' });
  await expect(printed).toContainText('warn: takes {"');
  await expect(debug.getByRole('textbox', { name: 'Program, read only' })).toContainText('ctx: any');
  await debug.getByRole('button', { name: 'Next difference' }).click();
  const difference = debug.getByRole('region', { name: /difference.* from the record at this step/ });
  await expect(difference).toContainText('has other arguments than recorded');
  await expect(difference).toContainText('Expected, from the record');
  await expect(difference.getByRole('table', { name: 'Differences' })).toContainText('EUR');
  await expect(debug.getByRole('region', { name: 'This step', exact: true })).toContainText('workshop.price');
  await debug.getByRole('button', { name: 'Previous difference' }).click();
  await expect(debug).toContainText('No difference from the record before this step.');
  await expectAccessible(page);
});
