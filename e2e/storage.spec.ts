/**
 * The library in a real browser: what was opened is there after a reload, and nothing is ever half there.
 */
import type { Page } from '@playwright/test';
import { writeFile } from 'node:fs/promises';
import { expect, openApp, test } from './app.ts';

/** Long lines, so that bytes reach the database long before the import ends. */
const payload = 'lorem ipsum '.repeat(200);

function eventLine(n: number): string {
  return JSON.stringify({
    v: 1,
    id: `e${n}`,
    type: 'message.sent',
    run: '1'.repeat(32),
    session: 's-1',
    branch: 'main',
    seq: n,
    source: { component: 'worker', instance: 'w', incarnation: '1' },
    agent: 'planner',
    ...(n === 0 ? {} : { causes: [{ event: `e${n - 1}`, as: 'caused_by' }] }),
    data: { from: 'planner', to: 'reader', text: `${n} ${payload}` },
  });
}

async function writeStream(file: string, events: number): Promise<string> {
  await writeFile(
    file,
    Array.from({ length: events }, (_none, n) => `${eventLine(n)}\n`),
  );
  return file;
}

/** Rows in every table of the library, as the database itself counts them. */
function countRows(page: Page): Promise<Readonly<Record<string, number>>> {
  return page.evaluate(async () => {
    const asked = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error ?? new Error('the database refused')));
      });
    const db = await asked(indexedDB.open('hindcast'));
    const rows: Record<string, number> = {};
    for (const table of db.objectStoreNames)
      rows[table] = await asked(db.transaction(table).objectStore(table).count());
    db.close();
    return rows;
  });
}

function choose(page: Page, file: string): Promise<void> {
  return page.getByLabel('Files to open').setInputFiles(file);
}

const nothing = { traces: 0, runs: 0, body: 0, places: 0, index: 0, problems: 0, branches: 0, imports: 0 };

/** Several chunks of 16 MB, so that much is left to do when the first one is stored. */
const manyEvents = 30_000;

test('a trace is there after a reload, and opening it again adds nothing', async ({ page }, info) => {
  const file = await writeStream(info.outputPath('run.hindcast.jsonl'), 50);
  await openApp(page);
  await choose(page, file);
  await expect(page).toHaveURL(/t-[0-9a-f]{20}/);
  const address = page.url();
  await page.reload();
  await expect(page.getByRole('main')).toBeVisible();
  await openApp(page);
  await expect(page.getByRole('table').getByText('run', { exact: true })).toBeVisible();
  const before = await countRows(page);
  expect(before).toMatchObject({ traces: 1, runs: 1, body: 1, index: 1, imports: 0 });
  await choose(page, file);
  await expect(page).toHaveURL(new RegExp(/t-[0-9a-f]{20}/.exec(address)?.[0] ?? 'no trace'));
  expect(await countRows(page)).toEqual(before);
});

test('an import beyond the space this site has ends in a sentence, keeps nothing and frees what it took', async ({
  page,
  context,
}, info) => {
  test.slow();
  const large = await writeStream(info.outputPath('large.hindcast.jsonl'), manyEvents);
  const small = await writeStream(info.outputPath('small.hindcast.jsonl'), 50);
  await openApp(page);
  const { origin } = new URL(page.url());
  const browser = await context.newCDPSession(page);
  // Less than one chunk: the browser counts what was stored a moment late, and refuses for certain only what alone is too much.
  await browser.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 10_000_000 });
  await choose(page, large);
  const answer = page.getByRole('region', { name: 'Opening' });
  await expect(answer.getByRole('alert')).toContainText('gives this site no more space', { timeout: 90_000 });
  await expect(answer.getByRole('alert')).toContainText('Nothing of this import was kept');
  expect(await countRows(page)).toMatchObject(nothing);
  await expect
    .poll(() => page.evaluate(async () => (await navigator.storage.estimate()).usage), { timeout: 60_000 })
    .toBeLessThan(8_000_000);
  // The freed space is usable: what fits is opened under the same limit.
  await answer.getByRole('button', { name: 'Close' }).click();
  await choose(page, small);
  await expect(page).toHaveURL(/t-[0-9a-f]{20}/);
  expect(await countRows(page)).toMatchObject({ traces: 1, imports: 0 });
});

test('cancelling an import leaves nothing', async ({ page }, info) => {
  const file = await writeStream(info.outputPath('long.hindcast.jsonl'), manyEvents);
  await openApp(page);
  await choose(page, file);
  await expect(page.getByRole('list', { name: 'First events read' })).toBeVisible();
  await page.getByRole('region', { name: 'Opening' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('region', { name: 'Open a trace' })).toBeVisible();
  expect(await countRows(page)).toMatchObject(nothing);
});

test('a second tab is told that the file is being imported, and a closed tab leaves nothing', async ({
  page,
  context,
}, info) => {
  test.slow();
  const file = await writeStream(info.outputPath('long.hindcast.jsonl'), manyEvents);
  await openApp(page);
  const second = await context.newPage();
  await openApp(second);
  await choose(page, file);
  await expect
    .poll(async () => (await countRows(second))['body'], { intervals: [100], timeout: 90_000 })
    .toBeGreaterThan(0);
  await choose(second, file);
  await expect(second.getByRole('alert')).toContainText('is being imported in another tab');
  expect(await countRows(second)).toMatchObject({ traces: 0, imports: 1 });
  await page.close();
  await second.close();
  const third = await context.newPage();
  await openApp(third);
  await expect.poll(() => countRows(third)).toMatchObject(nothing);
  // The space it had taken comes back too, not only its rows.
  await expect
    .poll(() => third.evaluate(async () => (await navigator.storage.estimate()).usage), { timeout: 60_000 })
    .toBeLessThan(8_000_000);
});
