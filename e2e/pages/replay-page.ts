/** The replay as a person meets it: by roles and names. */
import { type Locator, type Page, expect } from '@playwright/test';
import { waitUntilIdle } from './idle.ts';

export class ReplayPage {
  readonly page: Page;
  readonly changes: Locator;
  readonly preview: Locator;
  readonly result: Locator;
  readonly verdict: Locator;
  readonly comparison: Locator;
  readonly program: Locator;

  constructor(page: Page) {
    this.page = page;
    this.changes = page.getByRole('region', { name: 'What to change' });
    this.preview = page.getByRole('region', { name: 'Preview' });
    this.result = page.getByRole('region', { name: 'Result', exact: true });
    this.verdict = this.result.getByRole('heading', { level: 2 });
    this.comparison = page.getByRole('table', { name: 'Commands of the branch and of the original' });
    this.program = page.getByRole('textbox', { name: 'Control program' });
  }

  async isShown(): Promise<void> {
    await expect(this.page.getByRole('main', { name: 'Replay' })).toBeVisible();
    await expect(this.changes).toBeVisible();
    await waitUntilIdle(this.page);
  }

  /** From the list of steps. */
  async editStep(name: string): Promise<void> {
    await this.preview.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
    await waitUntilIdle(this.page);
  }

  async showChange(tab: 'Step' | 'Input' | 'Program'): Promise<void> {
    await this.changes.getByRole('tab', { name: tab }).click();
  }

  async show(tab: 'Preview' | 'Result' | 'Branches'): Promise<void> {
    await this.page.getByRole('tab', { name: tab }).click();
    await waitUntilIdle(this.page);
  }

  /** A panel by its key. */
  async showPanel(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    await waitUntilIdle(this.page);
  }

  /** The value of the step that is being edited. */
  value(): Locator {
    return this.changes.getByRole('textbox', { name: /^(?:Value|Chosen|Error|Input) of/ });
  }

  /** Replaces the whole text of an editor, as a person does who pastes over it. */
  async write(editor: Locator, value: unknown): Promise<void> {
    await editor.click();
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.insertText(typeof value === 'string' ? value : JSON.stringify(value));
  }

  async replay(): Promise<void> {
    await this.changes.getByRole('button', { name: 'Replay', exact: true }).click();
  }

  async verify(): Promise<void> {
    await this.changes.getByRole('button', { name: 'Verify', exact: true }).click();
  }

  /** Waits for the answer of the sandbox: it may have to be loaded first, and the machine may be busy. */
  async isAnswered(sentence: string): Promise<void> {
    await expect(this.verdict).toContainText(sentence, { timeout: 50_000 });
    await waitUntilIdle(this.page);
  }

  cancel(): Locator {
    return this.page.getByRole('button', { name: 'Cancel', exact: true });
  }

  /** What waits for an answer, by the name of its command. */
  waiting(name: string): Locator {
    return this.result.getByRole('article', { name: `${name} waits` });
  }

  async supply(name: string, value: unknown, by: 'button' | 'key' = 'button'): Promise<void> {
    const form = this.waiting(name);
    await this.write(form.getByRole('textbox', { name: `Answer to ${name}` }), value);
    if (by === 'key') await this.page.keyboard.press('ControlOrMeta+Enter');
    else await form.getByRole('button', { name: 'Supply and continue' }).click();
    await expect(form).toBeHidden({ timeout: 50_000 });
    await waitUntilIdle(this.page);
  }

  row(name: string, path: string): Locator {
    return this.comparison.getByRole('row').filter({ hasText: path }).filter({ hasText: name });
  }

  previewRow(path: string): Locator {
    return this.preview
      .getByRole('list', { name: 'What falls and what stands' })
      .getByRole('listitem')
      .filter({ hasText: path });
  }
}
