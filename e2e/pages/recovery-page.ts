/** The recovery page as a person meets it: by roles and names. */
import type { Locator, Page } from '@playwright/test';

export class RecoveryPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The row of a trial in the list. */
  trial(name: string): Locator {
    return this.page.getByRole('complementary', { name: 'Campaigns and trials' }).getByRole('button', { name });
  }

  /** A headed part of the page. */
  part(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true });
  }
}
