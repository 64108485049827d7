import type { Locator } from '@playwright/test';
import { eventToLine } from '../src/core/model/index.ts';
import { drawTrace } from '../src/core/model/testing/trace.ts';
import { expect, expectAccessible, expectAccessibleInBothThemes, test } from './app.ts';
import { ExplorerPage } from './pages/explorer-page.ts';
import { waitUntilIdle } from './pages/idle.ts';
import { LibraryPage } from './pages/library-page.ts';
import { ReplayPage } from './pages/replay-page.ts';

test.beforeEach(async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open();
  await library.openSample('1');
});

test('the headline says that ticket creation was executed twice, which kill, and which step chose it (R23)', async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await expect(explorer.headline).toContainText('Ticket creation executed twice: 8421 and 8422');
  await expect(explorer.headline).toContainText('Worker 1 was killed');
  await expect(explorer.headline).toContainText('Chosen by');
  await explorer.headline.getByRole('button', { name: /checks? ran/ }).click();
  // Each check says what it looks for and found, and leads to its findings.
  const checks = page.getByRole('dialog', { name: 'What was checked' });
  await expect(checks.getByRole('listitem').filter({ hasText: 'nothing found' }).first()).toContainText('Looks for: ');
  await checks
    .getByRole('button', { name: '1 violation by “Effects executed more than once for one command”' })
    .click();
  await expect(checks).toBeHidden();
  await expect(explorer.shown('Findings')).toBeVisible();
});

test('one selection drives every pane', async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.headline.getByRole('button', { name: '8422' }).click();
  await waitUntilIdle(page);
  await expect(explorer.title()).toContainText('8422');
  await expect(explorer.selectedLine()).toContainText('8422');
  await expect(
    page.getByRole('region', { name: 'Causal graph' }).getByRole('button', { name: /8422/, exact: false }).first(),
  ).toBeVisible();
  await explorer.show('Timeline');
  await expect(
    page.getByRole('listbox', { name: 'Events in causal order' }).getByRole('option', { selected: true }),
  ).toContainText('8422');
  await explorer.show('Findings');
  await explorer
    .panel('Findings')
    .getByRole('button', { name: /acknowledgement absent/ })
    .click();
  await waitUntilIdle(page);
  await expect(explorer.title()).not.toContainText('8422');
  await expect(explorer.selectedLine()).toBeVisible();
});

test('effects: executed twice, with what the service told and what was not recorded', async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.show('Effects');
  const twice = explorer.panel('Effects').getByRole('article', { name: /executed twice/ });
  await expect(twice).toContainText('8421');
  await expect(twice).toContainText('8422');
  // The words of the findings and of the headline.
  await expect(twice.getByRole('row', { name: /worker 1/ })).toContainText('absent');
  await expect(twice.getByRole('definition').filter({ hasText: 'step open-ticket' })).toBeVisible();
  await expectWhole(explorer.panel('Effects').getByRole('table'));
  await twice.getByRole('button', { name: 'dispatched' }).first().click();
  await waitUntilIdle(page);
  await expect(explorer.inspector.getByText('tool_call.dispatched').first()).toBeVisible();
});

test('why: from the effect to the decision, its evidence, its policy and its authority (R21, R57)', async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  const chain = explorer.inspector.getByRole('list').filter({ hasText: 'tool call' });
  for (const link of ['effect', 'tool call', 'decision', 'step', 'agent', 'principal'])
    await expect(chain).toContainText(link);
  await chain.getByRole('button', { name: /chose/ }).click();
  await waitUntilIdle(page);
  await expect(explorer.inspector.getByText('decision.made').first()).toBeVisible();
  await explorer.tab('Provenance').click();
  for (const cell of ['model', 'prompt', 'tools', 'policies', 'approvals', 'versions']) {
    await expect(explorer.inspector.getByRole('term').filter({ hasText: new RegExp(`^${cell}$`) })).toBeVisible();
  }
  await expect(explorer.inspector).toContainText('execution provenance');
});

test('a filter hides, says how much, and is one press from being lifted', async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.press('2');
  await explorer.press('/');
  await expect(explorer.filter).toBeFocused();
  await explorer.filter.fill('fam');
  await expect(
    page.getByRole('listbox', { name: 'Completions' }).getByRole('option', { name: /family:/ }),
  ).toBeVisible();
  const cursor = page.getByRole('slider', { name: /Position in the run/ });
  const place = (await cursor.getAttribute('aria-valuenow')) ?? '';
  expect(Number(place)).toBeGreaterThan(1);
  await explorer.filter.fill('family:fault');
  await expect(explorer.status).toContainText(/\d+ hidden by the filter/);
  const rows = page.getByRole('listbox', { name: 'Events in causal order' }).getByRole('option');
  await expect(rows.first()).toBeVisible();
  await expect(explorer.status).toContainText(/\d+ hidden by the filter/);
  await expect(cursor).toHaveAttribute('aria-valuenow', place);
  // Enter leaves the box for the first match; the graph shows causes whole, and says so.
  await explorer.filter.press('Enter');
  await expect(explorer.content('Content of Timeline')).toBeFocused();
  await expect(rows.first()).toHaveAttribute('aria-selected', 'true');
  await explorer.press('1');
  await expect(page.getByRole('region', { name: 'Causal graph' })).toContainText('not filtered');
  for (const grade of ['recorded', 'inferred', 'clock'])
    await expect(page.getByRole('region', { name: 'Causal graph' }).getByText(grade, { exact: true })).toBeVisible();
  await explorer.press('2');
  await explorer.status.getByRole('button', { name: /hidden by the filter/ }).click();
  await expect(explorer.status).toContainText('all shown');
  // A filter that lets nothing through says so in every list, with the way back.
  await explorer.filter.fill('"no record has these words"');
  const timeline = explorer.content('Content of Timeline');
  await expect(timeline.getByRole('heading', { name: 'Every line is hidden by the filter' })).toBeVisible();
  await timeline.getByRole('button', { name: 'Clear the filter' }).click();
  await expect(explorer.status).toContainText('all shown');
  await expect(explorer.filter).toHaveValue('');
});

test('a filter that cannot be understood says why and hides nothing', async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.filter.fill('family:nothing');
  await expect(page.getByRole('alert')).toContainText('There is no family "nothing"');
  await expect(explorer.status).toContainText('all shown');
});

test('everything is walked with keys', async ({ page }) => {
  const explorer = new ExplorerPage(page);
  const first = await explorer.title().textContent();
  await explorer.press('j');
  await expect(explorer.title()).not.toHaveText(first ?? '');
  await explorer.press('k');
  await expect(explorer.title()).toHaveText(first ?? '');
  await explorer.press('[');
  await expect(explorer.title()).not.toHaveText(first ?? '');
  await explorer.press(']');
  await explorer.press('.');
  await expect(page).toHaveURL(/x\.finding=/);
  for (const [key, name] of [
    ['2', 'Timeline'],
    ['4', 'Effects'],
    ['5', 'State'],
    ['6', 'Findings'],
    ['1', 'Graph'],
  ] as const) {
    await explorer.press(key);
    await expect(explorer.shown(name)).toBeVisible();
    await expect(explorer.content(`Content of ${name}`)).toBeFocused();
  }
  await explorer.press('3');
  await expect(explorer.content('Lines of the transcript')).toBeFocused();
  await explorer.press('7');
  await expect(explorer.content('Content of the inspector')).toBeFocused();
  await explorer.press('i');
  await expect(explorer.tab('Payload')).toHaveAttribute('aria-selected', 'true');
  await explorer.press('Shift+I');
  await expect(explorer.tab('Why')).toHaveAttribute('aria-selected', 'true');
  await expect(explorer.content('Content of the inspector')).toBeFocused();
  await explorer.press('p');
  await expect(page.getByRole('region', { name: 'Problems and remarks' })).toBeVisible();
  await explorer.press('Escape');
  await expect(page.getByRole('region', { name: 'Problems and remarks' })).toBeHidden();
  await explorer.press('b');
  await expect(page.getByRole('menuitem', { name: /original/ })).toBeVisible();
});

test('single-letter keys can be switched off', async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.press('?');
  await page.getByRole('dialog').getByText('Single-letter keys').click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await explorer.press('4');
  await expect(new ExplorerPage(page).shown('Graph')).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
});

test('keys pressed while the next view loads do not act on the one that was left', async ({ page }) => {
  // What the view is made of comes when the test says so.
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  await page.keyboard.press('r');
  await expect(page.getByRole('status', { name: 'Loading Replay' })).toBeVisible();
  await page.keyboard.press('5');
  await page.keyboard.press('.');
  release();
  await new ReplayPage(page).isShown();
  await expect(page).toHaveURL(/\/replay/);
});

test('the palette finds a command by name and runs it', async ({ page }) => {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('go to the effects');
  await page.keyboard.press('Enter');
  await expect(new ExplorerPage(page).shown('Effects')).toBeVisible();
});

test('the address restores the view', async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.headline.getByRole('button', { name: '8422' }).click();
  await explorer.show('Effects');
  await explorer.tab('Payload').click();
  await explorer.filterBy('agent:support');
  const title = await explorer.title().textContent();
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(address);
  await waitUntilIdle(page);
  await expect(explorer.title()).toHaveText(title ?? '');
  await expect(new ExplorerPage(page).shown('Effects')).toBeVisible();
  await expect(explorer.inspector.getByRole('tab', { name: 'Payload', selected: true })).toBeVisible();
  await expect(explorer.filter).toHaveValue('agent:support');
});

test('the graph says in its list what it says in its picture (R142)', async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await page.getByRole('button', { name: 'Show it as a list' }).click();
  const list = page.getByRole('list', { name: 'Events of the graph by causal depth' });
  await expect(list).toContainText('result of, recorded');
  await list
    .getByRole('button', { name: /tool_call\.dispatched/ })
    .first()
    .click();
  await waitUntilIdle(page);
  await expect(explorer.inspector.getByText('tool_call.dispatched').first()).toBeVisible();
});

test('a trace that is not here is explained', async ({ page }) => {
  await page.goto(page.url().replace(/#.*/, '#/t/t-000/explore'));
  await expect(page.getByRole('heading', { name: 'This trace is not in the library of this browser' })).toBeVisible();
});

test('an edit is previewed at once in graph and transcript, with the way from each event to it (R39, R142)', async ({
  page,
}) => {
  // axe reads the whole page.
  test.slow();
  const explorer = new ExplorerPage(page);
  await explorer.inspector.getByRole('button', { name: 'support chose create-ticket', exact: true }).click();
  await waitUntilIdle(page);
  await explorer.press('e');
  await expect(explorer.panel('What if it were different')).toBeFocused();
  const banner = explorer.panel('Preview of an edit');
  await expect(banner).toContainText(
    /if “support chose create-ticket” were different, by declared edges \d+ of \d+ commands fall \(\d+ events\)/,
  );
  // Every event bears one of the words, and the counts add up to all that there are.
  const counted = await banner.getByRole('listitem').getByRole('button').locator('b').allInnerTexts();
  await expect(banner.getByRole('button', { name: /^stands/ })).toBeVisible();
  await expect(explorer.status).toContainText(`${counted.reduce((sum, text) => sum + Number(text), 0)} events`);

  const graph = page.getByRole('region', { name: 'Causal graph' });
  // Opening the neighbours of a node keeps the focus and the view with that node.
  const rim = graph.getByRole('button', { name: /^Show \d+ more (?:cause|effect)s? of / }).first();
  const opened = ((await rim.getAttribute('aria-label')) ?? '').replace(/^Show \d+ more \w+ of /, '');
  await rim.press('Enter');
  await waitUntilIdle(page);
  expect(await page.locator(':focus').getAttribute('aria-label')).toContain(`${opened}, `);
  const fold = graph.getByRole('button', { name: `Fold the neighbours of ${opened}`, exact: true });
  await expect(fold).toBeInViewport({ ratio: 1 });
  await fold.press('Enter');
  await waitUntilIdle(page);
  await expect(graph.getByRole('button', { name: /dispatched tickets\.create.*, falls$/ }).first()).toBeVisible();
  await expect(graph.getByRole('button', { name: /chose create-ticket.*, edited$/ })).toBeVisible();
  await expect(graph.getByRole('button', { name: /, stands$/ }).first()).toBeVisible();
  await expect(graph.getByRole('img', { name: 'Frontier between what is kept and what falls' })).toBeAttached();

  const lineOf = (text: string) => explorer.transcript.getByRole('listitem').filter({ hasText: text }).first();
  await expect(lineOf('step open-ticket started')).toContainText('falls in part');
  const fallen = lineOf('support dispatched tickets.create');
  await expect(fallen).toContainText('falls');
  await fallen.hover();
  await expect(fallen.getByRole('tooltip')).toBeVisible();
  await expect(fallen.getByRole('tooltip')).toContainText('“support chose create-ticket”');
  await expectAccessible(page);

  await explorer.panel('What if it were different').getByRole('button', { name: 'no-ticket' }).click();
  await banner.getByRole('button', { name: /^falls \d/ }).click();
  await waitUntilIdle(page);
  await expect(explorer.panel('What becomes of it')).toContainText('It depends on the edit');
  await page.getByRole('button', { name: 'Clear' }).click();
  // What was typed is kept, and still previewed until it is hidden.
  await expect(banner).toBeVisible();
  await banner.getByRole('button', { name: 'Hide' }).click();
  await expect(banner).toBeHidden();

  // From where one types Ctrl+Enter takes the edit to where it is run.
  await explorer.press('e');
  await explorer.panel('What if it were different').getByRole('textbox').press('ControlOrMeta+Enter');
  await expect(page.getByRole('region', { name: 'What to change' })).toContainText('create-ticket');
});

test('a value typed in place is checked as in the replay, and leads there only when it can be read (R39)', async ({
  page,
}) => {
  const library = new LibraryPage(page);
  await library.open();
  // The editor itself comes late; its place is there at once, and keeps the hands when it comes.
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/CodeEditorMirror/, async (route) => {
    await held;
    await route.continue();
  });
  await library.openSample('4');
  const explorer = new ExplorerPage(page);
  await page.keyboard.press('e');
  const whatIf = explorer.panel('What if it were different');
  await expect(whatIf).toBeFocused();
  await page.keyboard.press('Tab');
  const value = whatIf.getByRole('textbox', { name: 'Value instead of what is recorded' });
  await expect(value).toBeFocused();
  const recorded = await value.inputValue();
  release();
  await expect(value).toHaveAttribute('contenteditable', 'true');
  await expect(value).toBeFocused();
  await value.fill(recorded.replace(/"warranties": \[[^\]]*\]/, '"warranties": 7'));
  await expect(whatIf.getByRole('alert')).toContainText('/warranties');
  await expect(whatIf).toContainText('Checked against');
  const open = page.getByRole('button', { name: 'Open in Replay' });
  await expect(open).toBeEnabled();
  await value.fill(`${recorded}}`);
  await expect(open).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Open replay' })).toBeDisabled();
  await value.press('ControlOrMeta+Enter');
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
  await value.fill(recorded.replace('C-11730', 'C-11731'));
  await expect(whatIf.getByRole('alert')).toBeHidden();
  await value.press('ControlOrMeta+Enter');
  await expect(page.getByRole('main', { name: 'Replay' })).toBeVisible();
});

test('what cannot be edited leads to the nearest cause that can', async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.inspector.getByRole('button', { name: /^Edit what it rests on/ }).click();
  await expect(explorer.panel('What if it were different')).toBeVisible();
  await expect(explorer.panel('Preview of an edit')).toContainText('were different');
});

test('a branch shows what the replay made of each event, and the original what it left behind (R42, R142)', async ({
  page,
}) => {
  test.slow();
  const library = new LibraryPage(page);
  await library.open();
  await library.openSample('4');
  const explorer = new ExplorerPage(page);
  await explorer.filterBy('type:decision.made resolution');
  await explorer.transcript
    .getByRole('button', { name: /paid-repair/ })
    .first()
    .click();
  await waitUntilIdle(page);
  await explorer.filterBy('');
  await explorer.inspector.getByRole('button', { name: 'Edit', exact: true }).click();
  await explorer.panel('What if it were different').getByRole('button', { name: 'advice-only' }).click();
  await page.getByRole('button', { name: 'Open replay' }).click();
  const replay = new ReplayPage(page);
  await replay.isShown();
  await replay.replay();
  await replay.isAnswered('The branch stops at');
  await page.getByRole('button', { name: /^Open branch/ }).click();
  await waitUntilIdle(page);
  const banner = explorer.panel('What the replay made of it');
  await banner.getByRole('button', { name: /^superseded/ }).click();
  await waitUntilIdle(page);
  await expect(explorer.selectedLine()).toContainText('superseded');
  await expect(explorer.title()).toContainText('chose advice-only');
  await expectAccessible(page);
  await banner.getByRole('button', { name: 'Show on what it was made from' }).click();
  await waitUntilIdle(page);
  await banner.getByRole('button', { name: /^superseded/ }).click();
  await waitUntilIdle(page);
  await expect(explorer.title()).toContainText('paid-repair');
  await expect(banner.getByRole('button', { name: /^orphan effect/ })).toBeVisible();
});

test('panes, headline and overview fold, are remembered, and come back', async ({ page }) => {
  // axe reads the whole page.
  test.slow();
  const explorer = new ExplorerPage(page);
  await page.getByRole('button', { name: 'Fold the transcript' }).click();
  await page.getByRole('button', { name: 'Fold the inspector' }).click();
  await page.getByRole('button', { name: 'Fold the headline' }).click();
  await page.getByRole('button', { name: 'Fold the overview' }).click();
  await expect(explorer.transcript).toBeHidden();
  await expect(explorer.inspector).toBeHidden();
  await expect(page.getByRole('slider', { name: /Position in the run/ })).toBeHidden();
  // The last open pane stays.
  await expect(page.getByRole('button', { name: 'Fold the views' })).toBeDisabled();
  // Away from every button, so that no tooltip stands over the page.
  await page.mouse.move(700, 700);
  await page.reload();
  await waitUntilIdle(page);
  await expect(explorer.transcript).toBeHidden();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Unfold Inspector' }).click();
  await expect(explorer.title()).toBeVisible();
  await explorer.press('3');
  await expect(explorer.transcript).toBeVisible();
  await page.getByRole('button', { name: 'Unfold the headline' }).click();
  await page.getByRole('button', { name: 'Unfold the overview' }).click();
  await expect(page.getByRole('slider', { name: /Position in the run/ })).toBeVisible();
});

test('a term is explained where it stands', async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.tab('Identity').click();
  await explorer.inspector.getByRole('button', { name: 'incarnation: what it means' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'What “incarnation” means' })).toContainText('restart');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('axe finds nothing in any panel, light and dark', async ({ page }) => {
  // axe reads the whole page several times.
  test.slow();
  const explorer = new ExplorerPage(page);
  await expectAccessibleInBothThemes(page);
  for (const panel of ['Timeline', 'Effects', 'State', 'Findings'] as const) {
    await explorer.show(panel);
    await expectAccessibleInBothThemes(page, { within: `section[aria-label="${panel}"]` });
  }
});

test('axe finds nothing in any tab of the inspector, light and dark', async ({ page }) => {
  // axe reads the whole page several times.
  test.slow();
  const explorer = new ExplorerPage(page);
  for (const tab of ['Payload', 'Causes', 'Identity', 'State', 'Provenance', 'Raw']) {
    await explorer.tab(tab).click();
    await waitUntilIdle(page);
    await expectAccessibleInBothThemes(page, { within: 'section[aria-label="Inspector"]' });
  }
});

/** What came of an attempt stands in the last column: a table wider than the place it has would hide it. */
async function expectWhole(tables: Locator): Promise<void> {
  await expect(tables.first()).toBeVisible();
  const hidden = await tables.evaluateAll((all) =>
    all.map((table) => table.scrollWidth - (table.parentElement?.clientWidth ?? 0)).filter((width) => width > 0),
  );
  expect(hidden, 'pixels of a table that are cut').toEqual([]);
}

for (const [width, height] of [
  [1000, 700],
  [840, 700],
  [420, 860],
] as const) {
  test(`works in fewer columns, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const explorer = new ExplorerPage(page);
    // The facts are read across the page, whatever stands beside or below them.
    const fact = page.getByRole('region', { name: 'Headline' }).getByRole('paragraph').first();
    expect((await fact.boundingBox())?.width ?? 0).toBeGreaterThan(width / 2);
    await explorer.show('Effects');
    // On a phone the table is scrolled sideways.
    if (width > 500) await expectWhole(explorer.panel('Effects').getByRole('table'));
    await explorer.show('Transcript');
    await expect(explorer.selectedLine()).toBeVisible();
    await expect(explorer.title()).toBeVisible();
    await expectAccessible(page);
  });
}

for (const [width, height] of [
  [1440, 900],
  [900, 700],
  [390, 844],
] as const) {
  test(`the sentences of the headline stand whole, and its links break as words do, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const explorer = new ExplorerPage(page);
    await expect(explorer.headline).toContainText('Chosen by step open-ticket.');
    expect(await explorer.headline.evaluate((box) => box.scrollHeight - box.clientHeight), 'pixels cut').toBe(0);
    const links = explorer.headline.getByRole('paragraph').getByRole('button');
    const displays = await links.evaluateAll((all) => all.map((link) => getComputedStyle(link).display));
    expect(new Set(displays)).toEqual(new Set(['inline']));
  });
}

test('on a phone the page scrolls as one column, and every pane has a height to read in', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const explorer = new ExplorerPage(page);
  for (const name of ['Causal graph', 'Inspector']) {
    const pane = page.getByRole('region', { name, exact: true });
    await expect.poll(async () => (await pane.boundingBox())?.height ?? 0).toBeGreaterThan(400);
  }
  const end = page.getByText('all shown');
  await expect(end).not.toBeInViewport();
  await explorer.headline.hover();
  await page.mouse.wheel(0, 400);
  await expect.poll(async () => (await explorer.headline.boundingBox())?.y ?? 0).toBeLessThan(0);
  await end.scrollIntoViewIfNeeded();
  await expect(end).toBeInViewport();
});

const branched = drawTrace(`
  worker/w/1 agent=lead:
    start  run.started {"input":{"q":1}}
    ask    tool_call.dispatched path=/read:fact#0 {"tool":"facts"}
    told   tool_call.completed path=/read:fact#0 <- ask:result_of {"tool":"facts","result":1}
    chose  decision.made <- told:consumed {"chosen":"go"}
  hindcast branch=b-1 notime noseq:
    b-1:0  branch.created {"parent":"main","fork":"told","frontier":{"minus":["told","chose"]}}
    b-1:1  tool_call.completed path=/read:fact#0 supersedes=told origin=supplied & {"principal":{"id":"maya","kind":"human"}}
    b-1:2  decision.made supersedes=chose origin=replayed {"chosen":"stay"}
`);

test('a long headline keeps to few lines, and shows all of what it says on demand', async ({ page }) => {
  const library = new LibraryPage(page);
  const long = 'Mend the door of the shed before the rain comes, and tell me what it cost '.repeat(4);
  const said = JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: long }] }]);
  const talk = drawTrace(`
  w/w/1 agent=main:
    run  run.started {}
    ask  input.received <- run:caused_by {"name":"prompt","value":"${long}"}
    told model_call.completed <- ask:consumed {"request_model":"finch","output_messages":${said}}
    call tool_call.dispatched path=/write:x#0 attempt=1 <- told:selected_by {"tool":"a-tool-of-a-long-name","effect":"none"}
    back tool_call.completed <- call:result_of {"result":1}`);
  await library.open();
  await library.openFiles([
    { name: 'talk.hindcast.jsonl', text: talk.events.map((event) => `${eventToLine(event)}\n`).join('') },
  ]);
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
  const explorer = new ExplorerPage(page);
  for (const [width, height, most] of [
    [900, 700, 120],
    [1440, 900, 150],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(async () => (await explorer.headline.boundingBox())?.height).toBeLessThan(most);
  }
  await page.setViewportSize({ width: 900, height: 700 });
  const paragraph = explorer.headline.getByRole('paragraph').filter({ hasText: /^Asked: .*… ?”\. Last answer: / });
  const more = explorer.headline.getByRole('button', { name: 'more' }).first();
  const before = (await paragraph.boundingBox())?.height ?? 0;
  await more.press('Enter');
  await expect.poll(async () => (await paragraph.boundingBox())?.height).toBeGreaterThan(before);
  await explorer.headline.getByRole('button', { name: 'less' }).press('Enter');
  await expect.poll(async () => (await paragraph.boundingBox())?.height).toBe(before);
});

test('a branch chosen in the menu is shown with the counterpart of what was selected, and back (R42)', async ({
  page,
}) => {
  const library = new LibraryPage(page);
  const text = branched.events.map((event) => `${eventToLine(event)}\n`).join('');
  await library.open();
  await library.openFiles([{ name: 'branched.hindcast.jsonl', text }]);
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
  const explorer = new ExplorerPage(page);
  await explorer.show('Timeline');
  await page.getByRole('option', { name: 'lead chose go' }).click();
  await explorer.show('Graph');
  for (const [branch, title] of [
    [/b-1/, /chose stay/],
    [/^original/, /chose go/],
  ] as const) {
    await page.keyboard.press('b');
    await page.getByRole('menuitem', { name: branch }).click();
    await expect(explorer.title()).toHaveText(title);
    await expect(explorer.panel('Causal graph')).toContainText(title);
  }
});
