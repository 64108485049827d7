import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectAccessible, openApp, test, waitForIdle } from './app.ts';
import { LibraryPage } from './pages/library-page.ts';
import { RecoveryPage } from './pages/recovery-page.ts';

const samples = join(import.meta.dirname, '../public/samples');

function sampleFile(name: string) {
  const file = `${name}.hindcast.jsonl`;
  return { name: file, text: readFileSync(join(samples, file), 'utf8') };
}

test('without a trial it says what one is, and opens the three that came with the page', async ({ page }) => {
  await openApp(page, '#/recovery');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No recovery trial is open');
  await page.getByRole('button', { name: 'Open the 3 sample trials' }).click();
  const recovery = new RecoveryPage(page);
  await expect(recovery.trial('ticket-incident')).toContainText(
    'killed at 3 (committed, not acknowledged) · completed, 1 duplicate',
  );
  await expect(recovery.trial('clean-control')).toContainText('control, no fault');
  for (const name of ['Correctness', 'Reliability', 'Performance', 'Cost', 'Usability']) {
    await expect(recovery.part(name).getByRole('heading', { level: 2 })).toHaveText(name);
  }
  await expect(page.getByText(/score/i)).toHaveCount(0);
});

test('the sample campaign: measured cells beside simulated ones, and a series from a file (R95, R115)', async ({
  page,
}) => {
  await openApp(page, '#/recovery');
  await page.getByRole('button', { name: 'Open the sample campaign: 10 trials' }).click();
  const recovery = new RecoveryPage(page);
  await expect(recovery.trial('journal-key-five-kills-4')).toContainText('completed');
  await page.getByRole('button', { name: /^one-ticket/ }).click();
  await expect(recovery.part('Correctness')).toContainText('fails as it must');
  const beside = recovery.part('Beside the simulation');
  await beside.getByRole('button', { name: /^Simulate every boundary/ }).click();
  await expect(beside.getByRole('status')).toContainText('6 measured cells: the simulation agrees with 6');
  await expect(recovery.part('What may be quoted')).toContainText('(2 with one kill, 1 with 5 kills in its run)');
  const performance = recovery.part('Performance');
  await expect(performance.getByRole('list', { name: 'Change with the number of the kill' })).toContainText(
    /journal, with idempotency key: \d+ ms after kill 1 and \d+ ms after kill 5 of one run/,
  );
  const rows = ['time_s,rate,fault', '0,10,', '1,10,', '2,11,', '3,0,pod killed', '4,2,', '5,9,', '6,10,', '7,10,'];
  await performance.getByLabel('Choose a series').setInputFiles({
    name: 'pods.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(rows.join('\n')),
  });
  await expect(performance.getByRole('table', { name: 'pods.csv, rate by fault' })).toContainText('2.00 s');
  await expect(performance.getByRole('table', { name: 'pods.csv, rate by fault' })).toContainText('row 4 to row 6');
});

test('trial files opened together are traces of their own, judged together (R87, R106)', async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open();
  await library.openFiles(['ticket-incident', 'ticket-with-key', 'clean-control'].map(sampleFile));
  await page.getByRole('button', { name: 'Open all 3, each by itself' }).click();
  await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Judge as recovery trials' }).click();
  const recovery = new RecoveryPage(page);
  await waitForIdle(page);
  const correctness = recovery.part('Correctness');
  await expect(correctness).toContainText('No control that must fail is among the trials');
  const cell = correctness.getByRole('button', {
    name: /without idempotency key, \/write:tickets\.create#0, killed at point 3 .*2 commitments each, executed more than once in 1 of 1, completed in 1 of 1/,
  });
  await expect(cell).toBeVisible();
  await expect(
    correctness.getByRole('button', {
      name: /with idempotency key, \/write:tickets\.create#0, .*answered from the key in 1 of 1/,
    }),
  ).toContainText('1× d');
  await expect(correctness.getByRole('button', { name: /mail\.send#0, killed at point 5 .*: not run\./ })).toHaveCount(
    2,
  );
  await expect(recovery.part('What may be quoted')).toContainText('This says nothing about other workloads');
  await expect(recovery.part('Performance')).toContainText('its times are laid out and not measured');
  await expectAccessible(page);
  await cell.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('ticket-incident');
});

test('the story of a trial leads from each mark to its event, and back (R25, R28)', async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open();
  await library.openSample('1');
  await page.getByRole('button', { name: 'Recovery' }).click();
  const recovery = new RecoveryPage(page);
  await expect(page.getByRole('list', { name: 'Kills' })).toContainText('Kill 1 of worker 1: point 3');
  await expect(page.getByRole('list', { name: 'Kills' })).toContainText('tool_call.acknowledged: absent');
  await expect(recovery.part('Correctness').getByRole('table', { name: 'Effect ledger' })).toContainText(
    'executed twice',
  );
  await expect(recovery.part('Correctness')).toContainText('is not among the traces');
  const kill = page
    .getByRole('list', { name: 'Records in their order' })
    .getByRole('link', { name: /fault\.injected/ });
  await kill.focus();
  await page.keyboard.press('Enter');
  await waitForIdle(page);
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Inspector' })).toContainText('fault.injected');
  await page.goBack();
  await expect(page.getByRole('list', { name: 'Kills' })).toBeVisible();
});

test('a claim is judged clause by clause; one that cannot be read says why (R88)', async ({ page }) => {
  await openApp(page, '#/recovery');
  await page.getByRole('button', { name: 'Open the 3 sample trials' }).click();
  const claim = new RecoveryPage(page).part('Claim');
  const field = claim.getByRole('textbox', { name: 'Claim (JSON)' });
  await field.fill('{"fault": "kill"}');
  await claim.getByRole('button', { name: 'Judge the claim' }).click();
  await expect(claim).toContainText('The claim cannot be evaluated');
  const clauses = [
    { id: 'once', text: 'No ticket is made twice.', metric: 'duplicates', predicate: '= 0' },
    { id: 'pleased', text: 'The customer is pleased.' },
  ];
  await field.fill(JSON.stringify({ fault: 'kill', protects: 'tickets', continuation: 'the case ends', clauses }));
  await claim.getByRole('button', { name: 'Judge the claim' }).click();
  const refused = claim.getByRole('table', { name: 'Clauses for journal, without idempotency key' });
  await expect(refused.getByRole('row', { name: /once/ })).toContainText('failed');
  await expect(refused.getByRole('row', { name: /pleased/ })).toContainText('not testable');
  const held = claim.getByRole('table', { name: 'Clauses for journal, with idempotency key' });
  await expect(held.getByRole('row', { name: /once/ })).toContainText('holds');
});

test('five kills of one run are five points, each with its two records (R103)', async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open();
  const { text } = sampleFile('campaign/one-ticket-journal-key-five-kills-4');
  await library.openFiles([{ name: 'five-kills.jsonl', text }]);
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
  await page.getByRole('link', { name: 'Hindcast, library' }).click();
  await page.keyboard.press('y');
  const performance = new RecoveryPage(page).part('Performance');
  const plot = performance.getByRole('figure');
  await expect(plot.getByRole('button')).toHaveCount(5);
  await expect(performance.getByRole('table', { name: /several kills in one run/ }).getByRole('row')).toHaveCount(6);
  await plot.getByRole('button', { name: /kill 5, point 4/ }).press('Enter');
  const observation = page.getByRole('dialog', { name: 'Observation' });
  await expect(observation.getByRole('link', { name: 'fault.injected' })).toBeVisible();
  await expect(observation.getByRole('link', { name: 'tool_call.acknowledged' })).toBeVisible();
  await page.keyboard.press('Escape');
  await performance.getByRole('combobox', { name: 'Metric' }).selectOption('orchestration');
  await expect(performance).toContainText('orchestration, no recovery time');
});

test('the page of recovery opens files itself, and holds the summary of a lab against their records (R100, R106)', async ({
  page,
}) => {
  await openApp(page, '#/recovery');
  const names = ['one-ticket-journal-kill-3', 'one-ticket-journal-control'];
  const files = names
    .map((name) => sampleFile(`campaign/${name}`))
    .map(({ name, text }) => ({
      name: name.replace('campaign/', ''),
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(text),
    }));
  const trials = [
    { file: `${names[0] ?? ''}.hindcast.jsonl`, committed: { '/write:tickets.create#0': 1 }, completed: true },
    { file: `${names[1] ?? ''}.hindcast.jsonl`, committed: { '/write:tickets.create#0': 1 }, completed: true },
  ];
  const summary = Buffer.from(JSON.stringify({ trials, excluded: [] }));
  await page
    .getByLabel('Files to open')
    .setInputFiles([...files, { name: 'summary.json', mimeType: 'application/json', buffer: summary }]);
  await page.getByRole('button', { name: 'Open all 2, each by itself' }).click();
  const recovery = new RecoveryPage(page);
  await expect(recovery.trial('journal-kill-3')).toContainText('1 duplicate');
  const told = recovery.part('Summary of the lab');
  await expect(told).toContainText('It says the same as the records of 1 of 2 trials.');
  const row = told.getByRole('table', { name: 'Differences of summary.json' }).getByRole('row').nth(1);
  await expect(row).toHaveText(/journal-kill-3\s*committed \/write:tickets\.create#0\s*1\s*2/);
  await expect(told).toContainText('excluded: no record tells of it');
  await expectAccessible(page);
  await row.getByRole('button').click();
  await expect(recovery.part('What was claimed')).toContainText(
    'summary.json says committed /write:tickets.create#0: 1; the records say 2.',
  );
  // One more file, beside those that are open.
  const { name, text } = sampleFile('clean-control');
  await page
    .getByLabel('Files to open')
    .setInputFiles([{ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) }]);
  await expect(recovery.trial('clean-control')).toContainText('control, no fault');
});
