import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, FileChooser, Page } from '@playwright/test';
import { parseShareFile, parseShareFragment } from '../src/core/share/envelope.ts';
import { decodePayload } from '../src/core/share/payload.ts';
import { openShare } from '../src/platform/crypto/share-cipher.ts';
import { previewShown } from '../src/state/preview.ts';
import { expect, expectAccessible, expectAccessibleInBothThemes, test, watchContext } from './app.ts';
import { ExplorerPage } from './pages/explorer-page.ts';
import { waitUntilIdle } from './pages/idle.ts';
import { LibraryPage } from './pages/library-page.ts';
import { SharePage } from './pages/share-page.ts';

/** What the shipped incident holds and a closed copy must not: names, numbers, people, text of messages. */
const canaries = [
  '8421',
  '8422',
  'tickets.create',
  'lena.fischer',
  'svc-support-agent',
  'Aurora',
  'open-ticket',
  'ticket-service',
  'approval-desk',
  'zebrafish',
  'quokka-run',
  'wombat-17',
  'narwhalKey',
  '83641957',
  'axolotl',
];

/** The incident under a file name that tells, with an event that tells in its id, a key, a number, a text, and a damaged line. */
async function readPlanted(): Promise<{ readonly name: string; readonly text: string }> {
  const text = await readFile(join(import.meta.dirname, '../public/samples/ticket-incident.hindcast.jsonl'), 'utf8');
  // Cast: the line is written with the sample.
  const { run } = JSON.parse(text.split('\n')[0] ?? '') as { readonly run: string };
  const planted = {
    v: 1,
    id: 'wombat-17',
    type: 'state.transitioned',
    run,
    branch: 'main',
    source: { component: 'worker' },
    data: { name: 'axolotl', from: 0, to: 1, value: { narwhalKey: 83641957 } },
  };
  return {
    name: 'quokka-run.jsonl',
    text: `${text.trimEnd()}\n${JSON.stringify(planted)}\n{"broken": "zebrafish\n`,
  };
}

/** What a share holds, opened as the reviewer's page opens it: the bytes, and all of their text. */
async function openSealed(link: string, file?: Uint8Array): Promise<{ readonly bytes: Buffer; readonly text: string }> {
  const fragment = parseShareFragment(new URL(link).hash);
  if (!fragment.ok || fragment.value === undefined) throw new Error('the link is no share');
  const parsed = file === undefined ? undefined : parseShareFile(new Uint8Array(file));
  const fromFile = parsed?.ok === true ? parsed.value.sealed : new Uint8Array();
  const opened = await openShare(
    fragment.value.kind === 'share' ? fragment.value.sealed : fromFile,
    fragment.value.key,
  );
  if (!opened.ok) throw new Error(opened.error);
  const payload = decodePayload(opened.value);
  if (!payload.ok) throw new Error(payload.error);
  return { bytes: Buffer.from(opened.value), text: `${payload.value.stream}\n${JSON.stringify(payload.value)}` };
}

/** In the frame of the preview: keeps the bytes that it was given last. */
function keepPreviewed(kind: string): void {
  addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    // Cast: what the page sends to its own frame; anything else has no such kind.
    const { kind: said, bytes } = data as { readonly kind?: unknown; readonly bytes?: Uint8Array };
    if (said === kind && bytes !== undefined) Object.assign(window, { previewed: [...bytes] });
  });
}

test.beforeEach(async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open();
  await library.openSample('1');
});

/** A browser that has never seen the owner's library. */
async function openAsReviewer(browser: Browser, link: string, problems: string[]): Promise<Page> {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  watchContext(context, problems);
  const page = await context.newPage();
  await page.goto(link);
  await expect(page.getByRole('region', { name: 'About this copy' })).toBeVisible();
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
  return page;
}

/** Everything a page shows in text, with every tab of the inspector and every panel opened once. */
async function readEverything(page: Page): Promise<string> {
  const seen = [await page.locator('body').innerText()];
  for (const panel of ['Timeline', 'Effects', 'State', 'Findings', 'Graph']) {
    await page
      .getByRole('tab', { name: new RegExp(`^${panel}`) })
      .first()
      .click();
    seen.push(await page.locator('body').innerText());
  }
  for (const tab of ['Payload', 'Causes', 'Identity', 'Provenance', 'Raw', 'Why']) {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    seen.push(await page.locator('body').innerText());
  }
  return seen.join('\n');
}

/** Every record of every IndexedDB store of the page's origin, as text. */
async function readStorage(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const texts: string[] = [
      JSON.stringify(Object.entries(localStorage)),
      JSON.stringify(Object.entries(sessionStorage)),
    ];
    for (const { name } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name ?? '');
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('not opened'));
      });
      for (const store of db.objectStoreNames) {
        const rows = await new Promise<unknown[]>((resolve, reject) => {
          const request = db.transaction(store).objectStore(store).getAll();
          request.onsuccess = () => resolve(request.result as unknown[]);
          request.onerror = () => reject(request.error ?? new Error('not read'));
        });
        for (const row of rows) {
          texts.push(JSON.stringify(row));
          const { bytes } = row as { bytes?: unknown };
          if (bytes instanceof Blob) texts.push(await bytes.text());
        }
      }
      db.close();
    }
    return texts.join('\n');
  });
}

function leaked(text: string): readonly string[] {
  return canaries.filter((canary) =>
    new RegExp(`(?<![0-9a-f])${canary.replaceAll('.', '\\.')}(?![0-9a-f])`).test(text),
  );
}

test('R76 R144 a link opens the incident in a clean browser, with holes and without any canary', async ({
  page,
  browser,
  problems,
}) => {
  const library = new LibraryPage(page);
  await library.open();
  await library.openFiles([await readPlanted()]);
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
  await waitUntilIdle(page);
  const told = /^[\d,]+ events/.exec((await new ExplorerPage(page).status.textContent()) ?? '')?.[0] ?? 'no count';
  const share = new SharePage(page);
  await share.open();
  const link = await share.makeLink();
  const sealed = await openSealed(link);
  expect(sealed.text).toContain('hindcast-share');
  expect(leaked(sealed.text)).toEqual([]);
  expect(link).toContain('#share=1.');
  const reviewer = await openAsReviewer(browser, link, problems);
  await expect(reviewer.getByText(/executed twice: effect-/).first()).toBeVisible();
  await expect(reviewer.getByText('withheld').first()).toBeVisible();
  // As many events as the run has: what the copy says of itself is none of them, and is one press away.
  const status = new ExplorerPage(reviewer).status;
  await expect(status).toContainText(told);
  await status.getByRole('button', { name: /^redacted copy/ }).click();
  await expect(new ExplorerPage(reviewer).title()).toHaveText('this is a redacted copy');
  for (const name of ['Replay', 'Share'])
    await expect(reviewer.getByRole('button', { name, exact: true })).toHaveCount(0);
  expect(leaked(await readEverything(reviewer))).toEqual([]);
  expect(leaked(await readStorage(reviewer))).toEqual([]);
  // Reloading shows the copy again: it lives in the link, not in the browser.
  await reviewer.reload();
  await expect(reviewer.getByRole('region', { name: 'About this copy' })).toBeVisible();
  await reviewer.context().close();
});

test('the preview is the reviewer page over the bytes that leave', async ({ page }) => {
  await page.addInitScript(keepPreviewed, previewShown);
  const share = new SharePage(page);
  await share.open();
  await expect(
    share
      .preview()
      .getByText(/executed twice: effect-/)
      .first(),
  ).toBeVisible();
  await share.choice('Effect ids and keys', 'Keep').click();
  await expect(share.preview().getByText(/8421/).first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Look for a text in what leaves' }).fill('8421');
  await expect(page.getByRole('region', { name: 'What leaves' }).getByRole('status')).toContainText(
    /in mono of .* · Times/,
  );
  await page.getByRole('textbox', { name: 'Look for a text in what leaves' }).fill('lena.fischer');
  await expect(page.getByRole('region', { name: 'What leaves' }).getByRole('status')).toContainText('does not occur');
  const { bytes, text } = await openSealed(await share.makeLink());
  const frame = page.frames().find((one) => one !== page.mainFrame());
  const previewed = await frame?.evaluate(() => ('previewed' in window ? window.previewed : undefined));
  expect(previewed).toEqual([...bytes]);
  // What was opened up by the choice above is in the bytes, and the search for canaries sees it there.
  expect(leaked(text)).toContain('8421');
});

test('an encrypted file opens with its key link and with nothing else', async ({ page, browser, problems }) => {
  const share = new SharePage(page);
  await share.open();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Save an encrypted file/ }).click();
  const file = await (await downloading).path();
  const link = await page.getByRole('textbox', { name: 'Key link for the file' }).inputValue();
  expect(link).toContain('#key=1.');
  const sealed = await openSealed(link, await readFile(file));
  expect(sealed.text).toContain('hindcast-share');
  expect(leaked(sealed.text)).toEqual([]);
  const context = await browser.newContext({ serviceWorkers: 'block' });
  watchContext(context, problems);
  const reviewer = await context.newPage();
  await reviewer.goto(link);
  await expect(reviewer.getByRole('heading', { name: 'Add the share file that came with this link' })).toBeVisible();
  const choosing = reviewer.waitForEvent('filechooser');
  await reviewer.getByRole('button', { name: 'Choose the file' }).click();
  await (await choosing).setFiles(file);
  await expect(reviewer.getByRole('region', { name: 'About this copy' })).toBeVisible();
  await context.close();
});

test('a file with a passphrase opens with it, and with no other', async ({ page, browser, problems }) => {
  const share = new SharePage(page);
  await share.open();
  await page.getByRole('textbox', { name: 'Or a file that opens with a passphrase' }).fill('correct horse battery');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save with passphrase' }).click();
  const file = await (await downloading).path();
  const context = await browser.newContext({ serviceWorkers: 'block' });
  watchContext(context, problems);
  const reviewer = await context.newPage();
  await reviewer.goto(`${page.url().split('#')[0] ?? ''}#share-file`);
  const choose = async (name: string, given: Parameters<FileChooser['setFiles']>[0]): Promise<void> => {
    const choosing = reviewer.waitForEvent('filechooser');
    await reviewer.getByRole('button', { name }).click();
    await (await choosing).setFiles(given);
  };
  // What does not open is named, and something else can be given at once.
  await choose('Choose the file', { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no share\n') });
  await expect(reviewer.getByRole('alert')).toContainText('“notes.txt” could not be opened');
  await choose('Choose another file', file);
  await reviewer.getByRole('textbox', { name: 'Passphrase' }).fill('wrong horse battery');
  await reviewer.getByRole('button', { name: 'Open the share' }).click();
  await expect(reviewer.getByRole('alert')).toContainText('the passphrase is not the one');
  await reviewer.getByRole('textbox', { name: 'Passphrase' }).fill('correct horse battery');
  await reviewer.keyboard.press('Enter');
  await expect(reviewer.getByRole('region', { name: 'About this copy' })).toBeVisible();
  await context.close();
});

test('a damaged or future link says what is wrong', async ({ page, browser }) => {
  const share = new SharePage(page);
  await share.open();
  const link = await share.makeLink();
  const cases: readonly (readonly [string, RegExp])[] = [
    [link.slice(0, -5), /changed or cut/],
    [link.replace('#share=1.', '#share=0.'), /no version/],
    [link.replace('#share=1.', '#share=7.'), /newer Hindcast/],
    [link.slice(0, link.indexOf('#share') + 20), /key is incomplete/],
  ];
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const reviewer = await context.newPage();
  const copy = reviewer.getByRole('region', { name: 'About this copy' });
  for (const [damaged, sentence] of cases) {
    // Each in the tab where a good one is open: nothing of that one stays under the other address.
    await reviewer.goto(link);
    await expect(copy).toBeVisible();
    await reviewer.goto(damaged);
    await expect(reviewer.getByRole('alert')).toContainText(sentence);
    await expect(copy).toHaveCount(0);
  }
  await reviewer.goto(link);
  await expect(copy).toBeVisible();
  await reviewer.goto(`${link.split('#')[0] ?? ''}#share-file`);
  await expect(reviewer.getByRole('heading', { name: 'Choose the share file you were given' })).toBeVisible();
  await expect(copy).toHaveCount(0);
  await context.close();
});

test('panel and reviewer page are accessible', async ({ page, browser, problems }) => {
  const share = new SharePage(page);
  await share.open();
  await expectAccessibleInBothThemes(page, { framesApart: true });
  const reviewer = await openAsReviewer(browser, await share.makeLink(), problems);
  await expectAccessible(reviewer);
  await reviewer.context().close();
});

test('what the explorer shows as selected can be shared as a slice, and the preview says what it waits for', async ({
  page,
}) => {
  await page.keyboard.press('s');
  await expect(page.getByRole('main', { name: 'Share' })).toBeVisible();
  const preview = page.getByRole('region', { name: 'What the reviewer sees' });
  await expect(preview.getByRole('status')).toContainText(/Making the copy|Opening the copy/);
  await expect(preview.getByRole('status')).toBeHidden();
  const slice = page.getByRole('radio', { name: /Only the selected event/ });
  await expect(slice).toBeEnabled();
  await expect(page.getByText('Selected: ticket service committed ticket 8421.')).toBeVisible();
  await slice.click();
  await expect(page.getByRole('region', { name: 'What leaves' })).toContainText('left out and counted');
  // What the reviewer cannot open is told, and not handed over.
  await page.getByLabel('Expires').fill('2020-01-31');
  await expect(page.getByRole('main', { name: 'Share' })).toContainText('The reviewer could not open this copy');
  await expect(page.getByRole('button', { name: /^Make a link/ })).toBeDisabled();
  await page.getByLabel('Expires').fill('');
  await expect(page.getByRole('button', { name: /^Make a link/ })).toBeEnabled();
});
