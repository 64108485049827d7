/**
 * What every end-to-end test starts from.
 *
 * Invariant: a test fails on an error in the console, an uncaught error, or a request that leaves the origin of the
 * site, also one made by a worker. A test about such a thing names what it expects in `expectedProblems`.
 */
import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { servers } from './servers.ts';

interface Options {
  /** Matches the problems that this test provokes on purpose; matches nothing unless a test says so. */
  readonly expectedProblems: RegExp;
}

interface Fixtures {
  readonly problems: string[];
}

/** Schemes that name something inside the page itself. */
const inside = new Set(['blob:', 'data:', 'about:']);
const origins = new Set(Object.values(servers).map(({ address }) => new URL(address).origin));

/** Collects what goes wrong in a context; for a second context (a reviewer's browser) call it again. */
export function watchContext(context: BrowserContext, problems: string[]): void {
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => problems.push(`uncaught: ${error.error().message}`));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (!inside.has(url.protocol) && !origins.has(url.origin)) problems.push(`foreign request: ${request.url()}`);
  });
}

export const test = base.extend<Fixtures & Options>({
  expectedProblems: [/(?!)/, { option: true }],
  problems: [
    async ({ context, expectedProblems }, use) => {
      const problems: string[] = [];
      watchContext(context, problems);
      await use(problems);
      const unexpected = problems.filter((problem) => !expectedProblems.test(problem));
      expect(unexpected, 'errors and foreign requests seen during the test').toEqual([]);
    },
    { auto: true },
  ],
});

/** Waits until the page says that nothing is under way; facts are waited for, never time. */
export async function waitForIdle(page: Page): Promise<void> {
  await page.waitForFunction(() => window.hindcastIdle === true);
}

/** Opens the site, or an address below it such as `?trace=…`, and waits until the first view is there. */
export async function openApp(page: Page, address = ''): Promise<void> {
  await page.goto(`${servers.plain.address}${address}`);
  await expect(page.getByRole('main')).toBeVisible();
  await waitForIdle(page);
}

/** The page follows the system in a step of its own: what is measured next is the new theme. */
async function showTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
}

export interface Inspection {
  /** A whole page in a frame has landmarks of its own; it is looked at as a page. */
  readonly framesApart?: boolean;
  /** CSS selector of the part that changed since the whole page was looked at: reading all of it again costs a minute on a busy host. */
  readonly within?: string;
  /** Only what a theme can change. */
  readonly contrastOnly?: boolean;
}

/**
 * Waits until colours stand: the theme the page was asked for is on, no transition runs, and none will start.
 *
 * Contrast measured halfway through a transition is that of no theme at all.
 */
async function waitUntilStill(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(async () => {
    // A style asked for is a style applied: what the preference above cancels is cancelled now.
    getComputedStyle(document.documentElement).getPropertyValue('color');
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** Fails with the rule and the elements where axe finds something. */
export async function expectAccessible(
  page: Page,
  { framesApart = false, within, contrastOnly = false }: Inspection = {},
): Promise<void> {
  // Lists of what passed are not read, and a page without frames is judged in the page itself: a third of the time.
  const builder = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  if (page.frames().length === 1) builder.setLegacyMode(true);
  if (contrastOnly) builder.withRules(['color-contrast']);
  if (within !== undefined) builder.include(within);
  if (framesApart) builder.exclude('iframe');
  await waitUntilStill(page);
  const { violations } = await builder.analyze();
  const found = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found, 'accessibility problems found by axe').toEqual([]);
}

/**
 * As `expectAccessible` in the light theme, then in the dark one for what a theme can change. One page for both: opening
 * it again costs more than looking.
 */
export async function expectAccessibleInBothThemes(
  page: Page,
  where: Omit<Inspection, 'contrastOnly'> = {},
): Promise<void> {
  await showTheme(page, 'light');
  await expectAccessible(page, where);
  await showTheme(page, 'dark');
  await expectAccessible(page, { ...where, contrastOnly: true });
}

export { expect };
