import type { FrameLocator, Page } from '@playwright/test';
import { expect, expectAccessible, test } from './app.ts';
import { ExplorerPage } from './pages/explorer-page.ts';
import { waitUntilIdle } from './pages/idle.ts';
import { LibraryPage } from './pages/library-page.ts';
import { ReplayPage } from './pages/replay-page.ts';
import { SharePage } from './pages/share-page.ts';

const script = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
const bidi = '\u202eevil\u202c';
const ansi = '\u001b[31mred\u001b[0m';
const run = '0af7651916cd43dd8448eb211c80319c';

const planted = `${script}${bidi}${ansi}`;

/** A stream with script, prototype keys, control characters and bidi controls wherever a writer has a choice. */
function hostileStream(): string {
  const text = planted;
  const envelope = (id: string, type: string, more: object) => ({
    v: 1,
    id: `${script}${id}`,
    type,
    run,
    branch: 'main',
    session: text,
    step: text,
    agent: text,
    time: text,
    clock: text,
    mono: text,
    principal: { id: text, kind: 'human', on_behalf_of: text, privileged_path: text },
    source: { component: text, instance: text, incarnation: text, version: text },
    durable: { status: 'durable', where: text },
    command: {
      path: `/write:${text}${id}#0`,
      kind: 'write',
      name: text,
      attempt: 1,
      args: text,
      reads: [text],
      writes: [text],
      site: { function: text, line: 1, column: 1 },
      alias: text,
    },
    imported: { format: text, file: text, record: text, extra: { [text]: text } },
    ...more,
  });
  const payload = { tool: text, effect: 'external', args: { title: text }, 'javascript:alert(1)': text };
  const lines = [
    envelope('0', 'run.started', {
      data: { input: { [text]: text }, program: { name: text, version: text, language: text } },
    }),
    envelope('1', 'decision.made', { data: { chosen: text, alternatives: [text], because: text } }),
    envelope('2', 'tool_call.dispatched', {
      causes: [{ event: `${script}1`, as: 'selected_by', rule: text }],
      data: payload,
    }),
    envelope('3', 'effect.committed', {
      causes: [{ event: `${script}2`, as: 'result_of' }],
      data: { effect: { kind: text, id: text } },
    }),
    envelope('4', `<b>${text}`, { causes: [`${script}3`], data: { [text]: text } }),
    envelope('5', 'annotation.made', { data: { annotator: { id: text }, label: text, body: text } }),
  ].map((line) => JSON.stringify(line));
  const prototype = `{"v":1,"id":"6","type":"state.transitioned","run":"${run}","branch":"main","source":{"component":"c"},"data":{"name":"s","from":0,"to":1,"value":{"__proto__":{"owned":true},"constructor":{"prototype":{"owned":true}}}}}`;
  return [...lines, prototype, `${script}{"broken":`, ''].join('\n');
}

/** No element came of a text, and none of the script in it ran. */
async function expectInert(page: Page, within: Page | FrameLocator = page): Promise<void> {
  await expect(within.locator('body img, body script:not([src]), [onerror]')).toHaveCount(0);
  expect(
    await page.evaluate(() => [document.title.includes('owned') && !document.title.includes('<'), 'owned' in {}]),
  ).toEqual([false, false]);
}

/** No name turns what stands beside it around. */
async function expectNotTurned(page: Page): Promise<void> {
  expect.soft(await page.locator('body').evaluate(findTurned)).toEqual([]);
}

/** Texts and attributes that hold a control or a mark of direction; an editor shows those of its text itself. */
function findTurned(body: HTMLElement): readonly string[] {
  const turning = /[\u0000-\u0008\u000e-\u001f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
  const found: string[] = [];
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const { parentElement } = node;
    if (parentElement?.closest('.cm-editor, textarea') === null && turning.test(node.nodeValue ?? ''))
      found.push(
        `text of ${parentElement.tagName} ${parentElement.className}, below ${parentElement.parentElement?.className ?? ''}: ${node.nodeValue ?? ''}`.slice(
          0,
          200,
        ),
      );
  }
  for (const element of body.querySelectorAll('[title], [aria-label], [aria-description], [placeholder], [alt]'))
    for (const name of ['title', 'aria-label', 'aria-description', 'placeholder', 'alt'])
      if (turning.test(element.getAttribute(name) ?? ''))
        found.push(`${name} of ${element.tagName}: ${element.getAttribute(name) ?? ''}`.slice(0, 200));
  return [...new Set(found)];
}

test('R145 hostile trace content stays text in every view', async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open();
  await library.openFiles([{ name: `${script}.jsonl`, text: hostileStream() }]);
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
  await waitUntilIdle(page);
  const explorer = new ExplorerPage(page);
  for (const panel of ['Timeline', 'Effects', 'State', 'Findings', 'Graph']) {
    await page
      .getByRole('tab', { name: new RegExp(`^${panel}`) })
      .first()
      .click();
    await waitUntilIdle(page);
    await expectInert(page);
    await expectNotTurned(page);
  }
  await explorer.show('Timeline');
  await page.getByRole('listbox', { name: 'Events in causal order' }).getByRole('option').nth(2).click();
  for (const tab of ['Why', 'Payload', 'Causes', 'Identity', 'State', 'Provenance', 'Raw'] as const) {
    await explorer.tab(tab).click();
    await expectInert(page);
    await expectNotTurned(page);
  }
  await expect(page.locator('main b, main iframe')).toHaveCount(0);
  await expectAccessible(page);

  await page.keyboard.press('r');
  const replay = new ReplayPage(page);
  await replay.isShown();
  for (const panel of ['2', '3', '4', '5', '6', '7', '1']) {
    await replay.showPanel(panel);
    await waitUntilIdle(page);
    await expectInert(page);
    await expectNotTurned(page);
  }
  await replay.showChange('Program');
  const program = JSON.stringify(planted);
  await replay.write(replay.program, `async function main() { console.log(${program}); throw new Error(${program}); }`);
  await replay.replay();
  await replay.isAnswered('The run failed: Error: <img');
  await expectInert(page);
  await expectNotTurned(page);

  await page.getByRole('main').press('s');
  const preview = new SharePage(page).preview();
  await expect(preview.getByRole('region', { name: 'About this copy' })).toBeVisible();
  await expectInert(page);
  await expectInert(page, preview);

  await page.getByRole('link', { name: 'Hindcast, library' }).click();
  await expect(library.traces().getByRole('row')).toHaveCount(2);
  await waitUntilIdle(page);
  await expectInert(page);
  await page.keyboard.press('y');
  await expect(page.getByRole('main', { name: 'Recovery' })).toBeVisible();
  await waitUntilIdle(page);
  await expectInert(page);
  await expectNotTurned(page);
});

test('R67 a damaged line is listed with its place and the rest is usable', async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open();
  await library.openFiles([{ name: 'damaged.jsonl', text: hostileStream() }]);
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
  await waitUntilIdle(page);
  await page
    .getByRole('button', { name: /problems? in the records/ })
    .first()
    .click();
  const listed = page.getByRole('listitem').filter({ hasText: 'line 8' });
  await expect(listed.filter({ hasText: /damaged\.jsonl/ }).first()).toContainText('not a JSON value');
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: /^Timeline/ }).click();
  await expect(page.getByRole('listbox', { name: 'Events in causal order' }).getByRole('option')).toHaveCount(7);
});
