/** Waits until the page says that nothing is under way. */
import type { Page } from '@playwright/test';

export async function waitUntilIdle(page: Page): Promise<void> {
  await page.waitForFunction(() => Reflect.get(window, 'hindcastIdle') === true);
}
