/** The explorer as a person meets it: by roles and names. */
import type { Locator, Page } from '@playwright/test';
import { waitUntilIdle } from './idle.ts';

export class ExplorerPage {
  readonly page: Page;
  readonly headline: Locator;
  readonly transcript: Locator;
  readonly inspector: Locator;
  readonly status: Locator;
  readonly filter: Locator;

  constructor(page: Page) {
    this.page = page;
    this.headline = page.getByRole('region', { name: 'Headline' });
    this.transcript = page.getByRole('list', { name: 'Transcript' });
    this.inspector = page.getByRole('region', { name: 'Inspector' });
    this.status = page.getByRole('region', { name: 'Status' });
    this.filter = page.getByRole('combobox', { name: 'Filter events' });
  }

  async show(panel: 'Graph' | 'Timeline' | 'Transcript' | 'Effects' | 'State' | 'Findings'): Promise<void> {
    await this.page.getByRole('tablist', { name: 'Views of the run' }).getByRole('tab', { name: panel }).click();
    await waitUntilIdle(this.page);
  }

  /** The tab of a panel, where it is the one shown. */
  shown(panel: string): Locator {
    return this.page
      .getByRole('tablist', { name: 'Views of the run' })
      .getByRole('tab', { name: panel, selected: true });
  }

  panel(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true });
  }

  tab(name: string): Locator {
    return this.inspector.getByRole('tab', { name, exact: true });
  }

  /** What a pane shows, below its tabs: where keys move the focus to. */
  content(name: string): Locator {
    return this.page.getByRole('group', { name, exact: true });
  }

  /** The title of the selected event, as the inspector shows it. */
  title(): Locator {
    return this.inspector.getByRole('heading', { level: 2 });
  }

  selectedLine(): Locator {
    return this.transcript.getByRole('listitem').and(this.page.locator('[aria-current="true"]'));
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    await waitUntilIdle(this.page);
  }

  async filterBy(text: string): Promise<void> {
    await this.filter.fill(text);
    await this.filter.press('Enter');
    await waitUntilIdle(this.page);
  }
}
