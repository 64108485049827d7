import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { claimJsonSchema } from '../src/core/recovery/index.ts';
import { eventJsonSchema } from '../src/core/model/index.ts';
import { goldenJsonSchema } from '../src/core/golden/index.ts';
import { expect, expectAccessible, openApp, test } from './app.ts';
import { ExplorerPage } from './pages/explorer-page.ts';
import { LibraryPage } from './pages/library-page.ts';
import { ReplayPage } from './pages/replay-page.ts';
import { SharePage } from './pages/share-page.ts';
import { servers } from './servers.ts';

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

const branches = z.object({
  anyOf: z.array(
    z.looseObject({ properties: z.looseObject({ type: z.looseObject({ const: z.string().optional() }) }) }),
  ),
});

test('opens under a sub-path of a plain static host, without errors', async ({ page }) => {
  await openApp(page);
  await expect(page).toHaveTitle(/Hindcast/);
});

test('axe finds nothing on the first page', async ({ page }) => {
  await openApp(page);
  await expectAccessible(page);
});

test('Esc backs out one level in every view and from every editor', async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open();
  await library.openSample('4');
  const explorer = new ExplorerPage(page);
  await explorer.press('e');
  const whatIf = explorer.panel('What if it were different');
  await whatIf.getByRole('textbox').press('Escape');
  await expect(whatIf).toBeFocused();
  await explorer.press('Escape');
  await expect(whatIf).toBeHidden();

  await explorer.press('s');
  const share = page.getByRole('main', { name: 'Share' });
  await expect(share.getByRole('heading', { level: 2 }).first()).toBeVisible();
  await share.getByRole('radio').first().focus();
  await explorer.press('Escape');
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();

  await explorer.press('r');
  const replay = page.getByRole('main', { name: 'Replay' });
  const value = replay.getByRole('region', { name: 'What to change' }).getByRole('textbox').first();
  await value.press('Escape');
  await expect(replay).toBeVisible();
  await expect(value).not.toBeFocused();
  await explorer.press('Escape');
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();

  await explorer.press('y');
  await expect(page.getByRole('main', { name: 'Recovery' })).toBeVisible();
  await explorer.press('Escape');
  await expect(library.traces()).toBeVisible();
});

test('R141 works offline after the first visit @offline', async ({ page, context }) => {
  await openApp(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole('main')).toBeVisible();
  await openApp(page, '?any=question');
  // All of it, and not the first page alone: a file is read, stored, shown, replayed and made a copy of.
  const file = join(import.meta.dirname, '../public/samples/ticket-incident.hindcast.jsonl');
  const library = new LibraryPage(page);
  await library.openFiles([{ name: 'incident.jsonl', text: await readFile(file, 'utf8') }]);
  const explorer = new ExplorerPage(page);
  await expect(explorer.headline).toContainText('executed twice');
  await explorer.press('r');
  const replay = new ReplayPage(page);
  await replay.isShown();
  await replay.verify();
  await replay.isAnswered('Identical');
  await page.keyboard.press('q');
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
  const share = new SharePage(page);
  await share.open();
  expect(await share.makeLink()).toContain('#share=');
});

test('R13 the schemas are published as they are made, and the frozen stream of version 1 is valid by that of events', async ({
  request,
}) => {
  const made = { event: eventJsonSchema(), claim: claimJsonSchema(), golden: goldenJsonSchema() };
  const published = new Map<string, unknown>();
  for (const [name, schema] of Object.entries(made)) {
    const answer = await request.get(`${servers.plain.address}schema/${name}-1.json`);
    expect(answer.headers()['content-type']).toBe('application/json; charset=utf-8');
    published.set(name, await answer.json());
    expect(published.get(name)).toEqual(JSON.parse(JSON.stringify(schema)));
  }
  // By the branch of its own type: that of unknown types takes nearly everything.
  const byType = new Map(
    branches.parse(published.get('event')).anyOf.map((branch) => [branch.properties.type.const, branch]),
  );
  const isValid = (line: Readonly<Record<string, unknown>>): boolean => {
    const branch = typeof line['type'] === 'string' ? byType.get(line['type']) : undefined;
    // Cast: a part of what was just found equal to the schema that is made.
    return branch !== undefined && z.fromJSONSchema(branch as JsonSchema).safeParse(line).success;
  };
  const frozen = join(import.meta.dirname, '../fixtures/versions/v1/minimal.hindcast.jsonl');
  const lines = (await readFile(frozen, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)));
  expect(lines.filter((line) => !isValid(line))).toEqual([]);
  expect(lines.filter(({ run: _none, ...line }) => isValid(line))).toEqual([]);
  expect(lines.filter((line) => isValid({ ...line, causes: 'e1' }))).toEqual([]);
});
