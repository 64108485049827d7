import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import type { Browser, FileChooser, Page } from '@playwright/test';
import { type ShareFile, parseShareFile, parseShareFragment } from '../src/core/share/envelope.ts';
import { decodePayload } from '../src/core/share/payload.ts';
import { openShare, passphraseToKey } from '../src/platform/crypto/share-cipher.ts';
import { previewShown } from '../src/state/preview.ts';
import { expect, expectAccessible, expectAccessibleInBothThemes, test, watchContext } from './app.ts';
import { type Piece, findLeaks, withoutShort } from './leaks.ts';
import { ExplorerPage } from './pages/explorer-page.ts';
import { waitUntilIdle } from './pages/idle.ts';
import { LibraryPage } from './pages/library-page.ts';
import { SharePage } from './pages/share-page.ts';
import { readDocument, readKept, readWorkers, watchTraffic } from './remains.ts';

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
interface Opened {
  readonly bytes: Uint8Array;
  readonly text: string;
}

async function openSealed(link: string, file?: Uint8Array): Promise<Opened> {
  const fragment = parseShareFragment(new URL(link).hash);
  if (!fragment.ok || fragment.value === undefined) throw new Error('the link is no share');
  const { key } = fragment.value;
  return decrypt(fragment.value.kind === 'share' ? fragment.value.sealed : readShareFile(file).sealed, key);
}

/** As `openSealed`, for a file whose key is a passphrase. */
async function openWithPassphrase(file: Uint8Array, passphrase: string): Promise<Opened> {
  const share = readShareFile(file);
  if (share.passphrase === undefined) throw new Error('the file asks for no passphrase');
  return decrypt(share.sealed, await passphraseToKey(passphrase, share.passphrase));
}

function readShareFile(file: Uint8Array | undefined): ShareFile {
  const parsed = parseShareFile(new Uint8Array(file ?? []));
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}

async function decrypt(sealed: Uint8Array<ArrayBuffer>, key: Uint8Array<ArrayBuffer>): Promise<Opened> {
  const opened = await openShare(sealed, key);
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

interface Reviewer {
  readonly page: Page;
  /** What it asked of the site. */
  readonly traffic: readonly Piece[];
}

/** A browser that has never seen the owner's library, at an address. */
async function startReviewer(browser: Browser, address: string, problems: string[]): Promise<Reviewer> {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  watchContext(context, problems);
  const traffic = watchTraffic(context);
  const page = await context.newPage();
  await page.goto(address);
  return { page, traffic };
}

async function openAsReviewer(browser: Browser, link: string, problems: string[]): Promise<Reviewer> {
  const reviewer = await startReviewer(browser, link, problems);
  await expect(reviewer.page.getByRole('region', { name: 'About this copy' })).toBeVisible();
  await expect(reviewer.page.getByRole('main', { name: 'Explore' })).toBeVisible();
  return reviewer;
}

/** Everything a page says, with every tab of the inspector and every panel opened once. */
async function readEverything(page: Page): Promise<readonly Piece[]> {
  const seen = [...(await readDocument(page))];
  for (const panel of ['Timeline', 'Effects', 'State', 'Findings', 'Graph']) {
    await page
      .getByRole('tab', { name: new RegExp(`^${panel}`) })
      .first()
      .click();
    seen.push(...(await readDocument(page)));
  }
  for (const tab of ['Payload', 'Causes', 'Identity', 'Provenance', 'Raw', 'Why']) {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    seen.push(...(await readDocument(page)));
  }
  return seen;
}

/** What a page and its browser hold besides what is shown. */
async function readRest(page: Page): Promise<readonly Piece[]> {
  return [...(await readWorkers(page)), ...(await readKept(page))];
}

/** The planted incident, open in the owner's page; gives what the status bar counts. */
async function openPlanted(page: Page): Promise<string> {
  const library = new LibraryPage(page);
  await library.open();
  await library.openFiles([await readPlanted()]);
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
  await waitUntilIdle(page);
  return /^[\d,]+ events/.exec((await new ExplorerPage(page).status.textContent()) ?? '')?.[0] ?? 'no count';
}

/** One text for each place that is searched, in one of the forms that are looked for. */
const decoys = [
  'decoy-title',
  'decoy-attr',
  'decoy-typed',
  'decoy-local',
  'decoy-session',
  'decoy-base',
  'decoy-cache',
];

/** Two bare deflate streams, one behind the other, as packed chunks lie; the decoy is in the second, packed once more. */
function packDecoys(): string {
  const inner = gzipSync('a decoy-base');
  return Buffer.concat([deflateRawSync('first'), deflateRawSync(inner.toString('base64'))]).toString('base64');
}

/** Puts the decoys where they are to be found. */
function plantDecoys(page: Page, packed: string): Promise<void> {
  return page.evaluate(async (bytes) => {
    document.title = 'a DECOY-TITLE';
    document.body.dataset['note'] = `x${btoa('..decoy-attr.')}`;
    const input = document.createElement('input');
    document.body.append(input);
    const hex = (text: string, before = ''): string =>
      Array.from(text, (at) => before + at.charCodeAt(0).toString(16)).join('');
    input.value = hex('decoy-typed', '\\u00');
    localStorage.setItem(`k${hex('decoy-local')}`, '');
    sessionStorage.setItem('k', btoa('.decoy-session'));
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('decoys');
      request.onupgradeneeded = () => request.result.createObjectStore('rows', { autoIncrement: true });
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('not opened'));
    });
    const writing = db.transaction('rows', 'readwrite');
    writing.objectStore('rows').add({ deep: [new Blob([Uint8Array.from(atob(bytes), (at) => at.charCodeAt(0))])] });
    await new Promise<void>((resolve) => (writing.oncomplete = () => resolve()));
    db.close();
    await (await caches.open('decoys')).put('./decoy', new Response(hex('decoy-cache', '%')));
  }, packed);
}

test('R76 R144 a link opens the incident in a clean browser, with holes and without any canary', async ({
  page,
  browser,
  problems,
}) => {
  const told = await openPlanted(page);
  // What is looked for is there to be found: the owner's own browser keeps all of it, packed or not.
  expect(findLeaks(await readKept(page), canaries)).toEqual(canaries);
  const share = new SharePage(page);
  await share.open();
  const link = await share.makeLink();
  const sealed = await openSealed(link);
  expect(sealed.text).toContain('hindcast-share');
  expect(findLeaks([sealed.text, sealed.bytes], canaries)).toEqual([]);
  expect(link).toContain('#share=1.');
  expect(findLeaks([link], withoutShort(canaries))).toEqual([]);
  const { page: reviewer, traffic } = await openAsReviewer(browser, link, problems);
  await expect(reviewer.getByText(/executed twice: effect-/).first()).toBeVisible();
  await expect(reviewer.getByText('withheld').first()).toBeVisible();
  // As many events as the run has: what the copy says of itself is none of them, and is one press away.
  const status = new ExplorerPage(reviewer).status;
  await expect(status).toContainText(told);
  await status.getByRole('button', { name: /^redacted copy/ }).click();
  await expect(new ExplorerPage(reviewer).title()).toHaveText('this is a redacted copy');
  for (const name of ['Replay', 'Share'])
    await expect(reviewer.getByRole('button', { name, exact: true })).toHaveCount(0);
  const seen = await readEverything(reviewer);
  expect(findLeaks([...seen, ...(await readRest(reviewer)), ...traffic], canaries)).toEqual([]);
  // Reloading shows the copy again: it lives in the link, not in the browser.
  await reviewer.reload();
  await expect(reviewer.getByRole('region', { name: 'About this copy' })).toBeVisible();
  // A search that finds nothing proves something where it would have found it.
  await plantDecoys(reviewer, packDecoys());
  expect(findLeaks([...(await readDocument(reviewer)), ...(await readRest(reviewer))], decoys)).toEqual(decoys);
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
  expect(findLeaks([text], canaries)).toContain('8421');
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
  expect(findLeaks([sealed.text, sealed.bytes], canaries)).toEqual([]);
  expect(findLeaks([link, await readFile(file)], withoutShort(canaries))).toEqual([]);
  const { page: reviewer, traffic } = await startReviewer(browser, link, problems);
  await expect(reviewer.getByRole('heading', { name: 'Add the share file that came with this link' })).toBeVisible();
  const choosing = reviewer.waitForEvent('filechooser');
  await reviewer.getByRole('button', { name: 'Choose the file' }).click();
  await (await choosing).setFiles(file);
  await expect(reviewer.getByRole('region', { name: 'About this copy' })).toBeVisible();
  const seen = [...(await readDocument(reviewer)), ...(await readRest(reviewer)), ...traffic];
  expect(findLeaks(seen, canaries)).toEqual([]);
  await reviewer.context().close();
});

test('a file with a passphrase opens with it, and with no other, and tells neither it nor any canary', async ({
  page,
  browser,
  problems,
}) => {
  const passphrase = 'correct horse battery';
  await openPlanted(page);
  const share = new SharePage(page);
  await share.open();
  await page.getByRole('textbox', { name: 'Or a file that opens with a passphrase' }).fill(passphrase);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save with passphrase' }).click();
  const download = await downloading;
  const file = await download.path();
  const secrets = [...canaries, passphrase];
  const sealed = await openWithPassphrase(await readFile(file), passphrase);
  expect(sealed.text).toContain('hindcast-share');
  expect(findLeaks([sealed.text, sealed.bytes, download.suggestedFilename()], secrets)).toEqual([]);
  expect(findLeaks([await readFile(file)], withoutShort(secrets))).toEqual([]);
  const address = `${page.url().split('#')[0] ?? ''}#share-file`;
  const { page: reviewer, traffic } = await startReviewer(browser, address, problems);
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
  await reviewer.getByRole('textbox', { name: 'Passphrase' }).fill(passphrase);
  await reviewer.keyboard.press('Enter');
  await expect(reviewer.getByRole('region', { name: 'About this copy' })).toBeVisible();
  const seen = await readEverything(reviewer);
  expect(findLeaks([...seen, ...(await readRest(reviewer)), ...traffic], secrets)).toEqual([]);
  // Nor does the owner's browser keep what opens the file.
  expect(findLeaks(await readKept(page), [passphrase])).toEqual([]);
  await reviewer.context().close();
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
  const { page: reviewer } = await openAsReviewer(browser, await share.makeLink(), problems);
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
  await expect(page.getByRole('region', { name: 'What leaves' })).toContainText('Not in it, and counted in it');
  // What the reviewer cannot open is told, and not handed over.
  await page.getByLabel('Expires').fill('2020-01-31');
  await expect(page.getByRole('main', { name: 'Share' })).toContainText('The reviewer could not open this copy');
  await expect(page.getByRole('button', { name: /^Make a link/ })).toBeDisabled();
  await page.getByLabel('Expires').fill('');
  await expect(page.getByRole('button', { name: /^Make a link/ })).toBeEnabled();
});
