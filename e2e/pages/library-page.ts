/** The library as a person meets it: by roles and names. */
import { type Locator, type Page, expect } from '@playwright/test';
import { openApp } from '../app.ts';
import { waitUntilIdle } from './idle.ts';

export class LibraryPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(address = ''): Promise<void> {
    await openApp(this.page, address);
    await waitUntilIdle(this.page);
  }

  /** Opens a sample by its one key and waits for the explorer. */
  async openSample(key: '1' | '2' | '3' | '4' | 'Enter'): Promise<void> {
    await expect(this.samples().first()).toBeVisible();
    await this.page.keyboard.press(key);
    await expect(this.page.getByRole('main', { name: 'Explore' })).toBeVisible();
    await waitUntilIdle(this.page);
  }

  samples(): Locator {
    return this.page
      .getByRole('region', { name: 'Sample incidents' })
      .getByRole('button', { name: /^(?!Recovery campaign)/ });
  }

  traces(): Locator {
    return this.page.getByRole('region', { name: 'Traces on this machine' });
  }

  row(name: string): Locator {
    return this.traces()
      .getByRole('row')
      .filter({ has: this.page.getByRole('link', { name, exact: true }) });
  }

  async act(trace: string, act: string): Promise<void> {
    await this.traces()
      .getByRole('button', { name: `Acts on ${trace}` })
      .click();
    await this.page.getByRole('menuitem', { name: act }).click();
  }

  async openFiles(files: readonly { readonly name: string; readonly text: string }[]): Promise<void> {
    await this.page
      .getByLabel('Files to open')
      .setInputFiles(
        files.map(({ name, text }) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) })),
      );
  }
}
