import { expect, expectAccessible, openApp, test } from './app.ts';

test('opens under a sub-path of a plain static host, without errors', async ({ page }) => {
  await openApp(page);
  await expect(page).toHaveTitle(/Hindcast/);
});

test('axe finds nothing on the first page', async ({ page }) => {
  await openApp(page);
  await expectAccessible(page);
});

test('works offline after the first visit @offline', async ({ page, context }) => {
  await openApp(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole('main')).toBeVisible();
  await openApp(page, '?any=question');
});
