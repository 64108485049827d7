/** The share panel and the reviewer's page, by roles and names. */
import { type FrameLocator, type Locator, type Page, expect } from '@playwright/test';

export class SharePage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** From the explorer, by its key. */
  async open(): Promise<void> {
    await this.page.keyboard.press('s');
    await expect(this.page.getByRole('main', { name: 'Share' })).toBeVisible();
    await expect(this.preview().getByRole('region', { name: 'About this copy' })).toBeVisible();
  }

  preview(): FrameLocator {
    return this.page.frameLocator('iframe[title="Preview of the reviewer\'s page"]');
  }

  choice(cls: string, action: 'Keep' | 'Withhold' | 'Pseudonym'): Locator {
    return this.page
      .getByRole('radiogroup', { name: `${cls}: what happens` })
      .getByRole('radio', { name: action, exact: true });
  }

  async makeLink(): Promise<string> {
    await this.page.getByRole('button', { name: /^Make a link/ }).click();
    return this.page.getByRole('textbox', { name: 'Link for the reviewer' }).inputValue();
  }
}
