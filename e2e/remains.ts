/**
 * Everything that a page shows or holds and its browser keeps of it: what a search for planted texts goes through.
 *
 * Called by the flows of sharing, for the browser of a reviewer and, to show that such a search finds, for that of the owner.
 */
import type { BrowserContext, Page } from '@playwright/test';
import type { Piece } from './leaks.ts';

/** Everything asked of a server by a context from now on: addresses, headers and bodies, also those of its workers. */
export function watchTraffic(context: BrowserContext): readonly Piece[] {
  const asked: Piece[] = [];
  context.on('request', (request) => {
    // Without the fragment: a browser sends none.
    asked.push(request.url().replace(/#.*$/s, ''), JSON.stringify(request.headers()), request.postDataBuffer() ?? '');
  });
  return asked;
}

/** What the document says at this moment: its title, every text, every attribute, every value typed, and what the tab knows of itself. */
export function readDocument(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const texts = [document.title, document.documentElement.textContent];
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) texts.push(`${name}="${value}"`);
      if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) texts.push(element.value);
    }
    const of = [window.name, document.cookie, document.referrer, JSON.stringify(history.state)];
    return [...texts, ...of, ...performance.getEntriesByType('resource').map(({ name }) => name)];
  });
}

/** Names and addresses of the workers of a page. */
export async function readWorkers(page: Page): Promise<readonly string[]> {
  const names = page.workers().map((worker) => worker.evaluate(() => self.name));
  return [...page.workers().map((worker) => worker.url()), ...(await Promise.all(names))];
}

/** What the browser keeps for the site: both storages, every database with the names in it, and the caches. */
export async function readKept(page: Page): Promise<readonly Piece[]> {
  const { texts, bytes } = await page.evaluate(readStores);
  return [...texts, ...bytes.map((base64) => Buffer.from(base64, 'base64'))];
}

/** In the page. Bytes come as base64. */
async function readStores(): Promise<{ readonly texts: readonly string[]; readonly bytes: readonly string[] }> {
  const texts: string[] = [];
  const bytes: string[] = [];
  const addBytes = (all: Uint8Array): void => {
    let text = '';
    for (let at = 0; at < all.length; at += 8192) text += String.fromCharCode(...all.subarray(at, at + 8192));
    bytes.push(btoa(text));
  };
  const add = async (value: unknown): Promise<void> => {
    if (value instanceof Blob) addBytes(new Uint8Array(await value.arrayBuffer()));
    else if (value instanceof ArrayBuffer) addBytes(new Uint8Array(value));
    else if (ArrayBuffer.isView(value)) addBytes(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    else if (value instanceof Map || value instanceof Set || Array.isArray(value))
      for (const one of value) await add(one);
    else if (typeof value === 'object' && value !== null) await add(Object.entries(value));
    else texts.push(String(value));
  };
  const asked = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('not read'));
    });
  await add([Object.entries(localStorage), Object.entries(sessionStorage)]);
  for (const { name = '' } of await indexedDB.databases()) {
    const db = await asked(indexedDB.open(name));
    await add([name, ...db.objectStoreNames]);
    for (const table of db.objectStoreNames) {
      const store = db.transaction(table).objectStore(table);
      await add(await Promise.all([asked(store.getAllKeys()), asked(store.getAll())]));
    }
    db.close();
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      await add([name, request.url, [...request.headers], [...(response?.headers ?? [])], await response?.blob()]);
    }
  }
  return { texts, bytes };
}
