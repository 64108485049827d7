import { expect, expectAccessible, test } from './app.ts';
import { ExplorerPage } from './pages/explorer-page.ts';
import { waitUntilIdle } from './pages/idle.ts';
import { LibraryPage } from './pages/library-page.ts';

const script = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
const bidi = '\u202eevil\u202c';
const ansi = '\u001b[31mred\u001b[0m';
const run = '0af7651916cd43dd8448eb211c80319c';

/** A stream with script, prototype keys, control characters and bidi controls wherever a writer has a choice. */
function hostileStream(): string {
  const text = `${script}${bidi}${ansi}`;
  const envelope = (id: string, type: string, more: object) => ({
    v: 1,
    id: `${script}${id}`,
    type,
    run,
    branch: 'main',
    session: text,
    step: text,
    agent: text,
    principal: { id: text, kind: 'human', on_behalf_of: text },
    source: { component: text, instance: text, incarnation: text },
    command: { path: `/write:${text}#0`, kind: 'write', name: text, attempt: 1 },
    ...more,
  });
  const payload = { tool: text, effect: 'external', args: { title: text }, 'javascript:alert(1)': text };
  const lines = [
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
  }
  await explorer.show('Timeline');
  await page.getByRole('listbox', { name: 'Events in causal order' }).getByRole('option').nth(2).click();
  for (const tab of ['Payload', 'Causes', 'Identity', 'State', 'Provenance', 'Raw'] as const)
    await explorer.tab(tab).click();
  await expect(page.locator('main img, main script, main b, main iframe')).toHaveCount(0);
  expect(
    await page.evaluate(() => [document.title.includes('owned') && !document.title.includes('<'), 'owned' in {}]),
  ).toEqual([false, false]);
  await expectAccessible(page);
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
  await expect(page.getByText(/line 7/).first()).toBeVisible();
});
