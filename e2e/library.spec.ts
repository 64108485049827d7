import { type FileHandle, mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, expectAccessible, expectAccessibleInBothThemes, test } from './app.ts';
import { ExplorerPage } from './pages/explorer-page.ts';
import { waitUntilIdle } from './pages/idle.ts';
import { LibraryPage } from './pages/library-page.ts';

const sample = join(import.meta.dirname, '../public/samples/clean-control.hindcast.jsonl');

interface Foreign {
  readonly address: string;
  /** Path, cookie and referrer of every request that arrived. */
  readonly requests: readonly (readonly [string, string | undefined, string | undefined])[];
  readonly stop: () => Promise<void>;
}

/** Another site that lets any page read its one trace, and remembers who asked. */
async function startForeign(): Promise<Foreign> {
  const requests: [string, string | undefined, string | undefined][] = [];
  const trace = await readFile(sample);
  const server = createServer(({ url = '', headers }, response) => {
    requests.push([url, headers.cookie, headers.referer]);
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end(trace);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the other site has no port');
  return {
    address: `http://127.0.0.1:${address.port}`,
    requests,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A session as the tool keeps it: the main file, and beside it a folder with the file of the agent it sent. */
async function writeSession(folder: string): Promise<void> {
  const line = (uuid: string, parentUuid: string | null, second: number, more: object): string =>
    JSON.stringify({
      uuid,
      parentUuid,
      sessionId: 'session-1',
      isSidechain: false,
      userType: 'external',
      cwd: '/home/ada/desk',
      version: '2.1.207',
      timestamp: `2026-05-01T10:00:0${second}.000Z`,
      ...more,
    });
  const user = (content: unknown) => ({ type: 'user', message: { role: 'user', content } });
  const assistant = (id: string, ...content: object[]) => ({
    type: 'assistant',
    message: { role: 'assistant', id, model: 'a-model', content },
  });
  const aside = { isSidechain: true, agentId: 'a1' };
  const input = { subagent_type: 'general-purpose', description: 'Search', prompt: 'Find the open questions' };
  const text = 'One question is open';
  await mkdir(join(folder, 'session-1/subagents'), { recursive: true });
  await mkdir(join(folder, '.git'));
  await writeFile(join(folder, '.git/config'), '[core]\n');
  await writeFile(
    join(folder, 'session-1.jsonl'),
    [
      line('m1', null, 0, user('What is still open?')),
      line('m2', 'm1', 1, assistant('msg_1', { type: 'tool_use', id: 'toolu_1', name: 'Task', input })),
      line('m3', 'm2', 5, {
        ...user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text }] }]),
        toolUseResult: { status: 'completed', agentId: 'a1', content: [{ type: 'text', text }] },
      }),
      line('m4', 'm3', 6, assistant('msg_2', { type: 'text', text: 'The date is not settled.' })),
    ].join('\n'),
  );
  await writeFile(
    join(folder, 'session-1/subagents/agent-a1.jsonl'),
    [
      line('s1', null, 2, { ...user(input.prompt), ...aside }),
      line('s2', 's1', 3, { ...assistant('msg_3', { type: 'text', text: 'Looked in one file.' }), ...aside }),
    ].join('\n'),
  );
  await writeFile(
    join(folder, 'session-1/subagents/agent-a1.meta.json'),
    JSON.stringify({ agentType: 'general-purpose', spawnDepth: 1 }),
  );
}

const longLine = 64 * 2 ** 20;
const fan = 100_000;
const chain = 200_000;

/** One event caused `fan` others, a damaged line of 64 MiB, and a chain from the same event, `chain` events long with it. */
async function writeExtremes(file: FileHandle): Promise<void> {
  const run = '1'.repeat(32);
  const line = (id: string, cause: string): string =>
    `{"v":1,"id":"${id}","type":"marker.recorded","run":"${run}","branch":"main","source":{"component":"worker"},"causes":[${cause}],"data":{}}\n`;
  const before = [line('c0', '')];
  for (let n = 0; n < fan; n++) before.push(line(`f${n}`, '"c0"'));
  const after: string[] = [];
  for (let n = 1; n < chain; n++) after.push(line(`c${n}`, `"c${n - 1}"`));
  const [opening, end] = ['{"v":1,"text":"', '"\n'];
  const long = Buffer.alloc(longLine, 'y');
  long.write(opening);
  long.write(end, longLine - end.length);
  for (const part of [before.join(''), long, after.join('')]) await file.appendFile(part);
}

test('the empty library says what it is, offers four incidents and promises privacy', async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('What did the agent do, and what caused it?');
  await expect(library.samples()).toHaveCount(4);
  await expect(page.getByText('Nothing leaves this machine unless you send it.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What it reads' })).toBeVisible();
});

test('Enter opens the first incident of an empty library', async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open();
  await library.openSample('Enter');
  await expect(page.getByRole('navigation', { name: 'Where you are' })).toContainText('A ticket opened twice');
});

test('a trace is listed, renamed and deleted after a question', async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open();
  await library.openSample('3');
  await page.getByRole('link', { name: 'Hindcast, library' }).click();
  await expect(library.row('The same case, nothing killed')).toContainText('until deleted');

  await library.act('The same case, nothing killed', 'Rename');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Control of June');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await expect(library.row('Control of June')).toBeVisible();

  await library.act('Control of June', 'Delete');
  const question = page.getByRole('dialog', { name: 'Delete the trace' });
  await expect(question).toContainText('The file it was opened from is not touched.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(library.row('Control of June')).toBeVisible();
  await library.act('Control of June', 'Delete');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(library.traces()).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('two chosen traces are compared in the order they were ticked, replayed as a set, and deleted after one question', async ({
  page,
}) => {
  const library = new LibraryPage(page);
  await library.open();
  const names = ['A ticket opened twice', 'The same case, nothing killed'] as const;
  for (const [at] of names.entries()) {
    await library.openSample(at === 0 ? '1' : '3');
    await page.getByRole('link', { name: 'Hindcast, library' }).click();
  }
  const acts = page.getByRole('group', { name: 'Acts on the chosen traces' });
  const tick = async (): Promise<void> => {
    for (const name of names) await page.getByRole('checkbox', { name: `Choose ${name}` }).check();
  };
  await tick();
  await acts.getByRole('button', { name: 'Compare', exact: true }).click();
  const compared = page.getByRole('region', { name: 'Compare', exact: true });
  await expect(compared.getByRole('combobox', { name: 'with' })).toContainText(names[1]);
  const columns = compared.getByRole('table', { name: 'Commands of both sides' }).getByRole('columnheader');
  await expect(columns.nth(2)).toHaveText(`A: ${names[0]}, original`);
  await expect(columns.nth(3)).toHaveText(`B: ${names[1]}`);
  await page.goBack();
  await tick();
  await acts.getByRole('button', { name: 'Run set' }).click();
  await expect(page.getByRole('heading', { name: '2 of 2 traces chosen' })).toBeVisible();
  await page.goBack();
  await tick();
  await acts.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Delete 2 traces' });
  for (const name of names) await expect(question).toContainText(name);
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(library.traces()).toBeHidden();
});

test('a trace on hold is deleted only with a reason (R77)', async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open();
  await library.openSample('3');
  await page.getByRole('link', { name: 'Hindcast, library' }).click();
  await library.act('The same case, nothing killed', 'Change how long it is kept');
  await page.getByRole('dialog').getByText('On hold').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(library.row('The same case, nothing killed')).toContainText('on hold');
  await library.act('The same case, nothing killed', 'Delete');
  const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
  await expect(remove).toBeDisabled();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Opened by mistake');
  await remove.click();
  await expect(library.traces()).toBeHidden();
});

test('the access log says who deleted what, also when the trace is gone (R77)', async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open();
  await library.openSample('3');
  await page.getByRole('link', { name: 'Hindcast, library' }).click();
  await library.act('The same case, nothing killed', 'Access log');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Your name in new entries' }).fill('Ada Park');
  await dialog.getByRole('button', { name: 'Save the name' }).click();
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText('New entries name Ada Park.');
  await expect(dialog.getByRole('table', { name: 'Access log' }).getByRole('row').nth(1)).toContainText('imported');
  await page.keyboard.press('Escape');
  await library.act('The same case, nothing killed', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(library.traces()).toBeHidden();
  await page.getByRole('button', { name: 'Access log' }).click();
  const latest = dialog.getByRole('table', { name: 'Access log' }).getByRole('row').nth(1);
  for (const text of ['Ada Park', 'deleted', 'The same case, nothing killed']) await expect(latest).toContainText(text);
  await expectAccessible(page);
});

test('what cannot be opened is answered with a sentence, and nothing of it is kept', async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open();
  await library.openFiles([{ name: 'notes.txt', text: 'not a trace\n' }]);
  const answer = page.getByRole('region', { name: 'Opening' });
  await expect(answer.getByRole('heading')).toContainText('notes.txt could not be opened');
  await expect(answer.getByRole('alert')).toContainText(
    'notes.txt is text that is not JSON. Open the file that the agent or its tracer wrote',
  );
  await answer.getByRole('button', { name: 'Close' }).click();
  await expect(library.samples()).toHaveCount(4);
  await expect(library.traces()).toBeHidden();

  // An archive that blows up is asked about, and opened by who takes the risk.
  const blown = gzipSync(Buffer.concat([await readFile(sample), Buffer.alloc(96 * 2 ** 20, ' ')]));
  await page
    .getByLabel('Files to open')
    .setInputFiles({ name: 'blown.jsonl.gz', mimeType: 'application/gzip', buffer: blown });
  await expect(answer.getByRole('heading')).toContainText('blown.jsonl.gz could not be opened');
  await expect(answer.getByRole('alert')).toHaveText(
    /^blown\.jsonl\.gz has unpacked to \d+ MiB from \d+ KiB, .* Nothing was opened/,
  );
  await expect(library.traces()).toBeHidden();
  await answer.getByRole('button', { name: 'Unpack it all the same' }).click();
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
});

test('a line of 64 MiB, a chain of 200,000 and a fan-out of 100,000 open while the page answers keys, with what is damaged told', async ({
  page,
}, info) => {
  // Three hundred thousand events go through every projection and every check.
  test.slow();
  const path = info.outputPath('extremes.hindcast.jsonl');
  const file = await open(path, 'w');
  await writeExtremes(file);
  await file.close();
  await new LibraryPage(page).open();
  await page.getByLabel('Files to open').setInputFiles(path);
  const underWay = page.getByRole('region', { name: 'Opening', includeHidden: true });
  await expect(underWay).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await expect(underWay).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  const patient = { timeout: 150_000 };
  const explorer = new ExplorerPage(page);
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible(patient);
  await expect(explorer.status).toContainText('300,000 events', patient);
  await expect(explorer.status).toContainText('299,999 recorded, 0 inferred', patient);
  await explorer.status.getByRole('button', { name: /^1 problem/ }).click();
  const damage = page.getByRole('region', { name: 'Problems and remarks' });
  await expect(damage).toContainText(
    /Line 100002 of extremes\.hindcast\.jsonl \(byte \d+\) is not JSON: .* Its bytes are kept; the other lines are used\./,
  );
  await damage.getByRole('button', { name: 'Close the problems' }).click();

  await explorer.tab('Causes').click();
  await expect(explorer.inspector).toContainText('No cause of this event is on record.');
  const further = explorer.inspector.getByText(/^and [\d,]+ more events/);
  await expect(further).toBeVisible();
  const listed = await explorer.inspector.getByRole('listitem').count();
  await expect(further).toHaveText(new RegExp(`^and ${(fan + 1 - listed).toLocaleString('en')} more events`));
  await explorer.filterBy(`c${chain - 1}`);
  await expect(explorer.status).toContainText('299,999 hidden by the filter');
  await explorer.press('j');
  await expect(page).toHaveURL(new RegExp(`c${chain - 1}`));
  await expect(explorer.inspector).toContainText('No event names this one as its cause.');
  await explorer.press('[');
  await expect(page).toHaveURL(new RegExp(`c${chain - 2}`));
});

test('a folder is one trace: a coding session with the agent it sent (R68)', async ({ page }, info) => {
  const folder = info.outputPath('desk');
  await writeSession(folder);
  const library = new LibraryPage(page);
  await library.open();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a folder' }).click();
  await (await choosing).setFiles(folder);
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText('A folder was left out: desk/.git.');
  await waitUntilIdle(page);
  const { transcript } = new ExplorerPage(page);
  for (const text of ['What is still open?', 'Find the open questions', 'Looked in one file.', 'not settled'])
    await expect(transcript).toContainText(text);
});

test('runs that nothing joins are asked about, and open each by itself or as one (R17)', async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open();
  const read = async (name: string): Promise<{ readonly name: string; readonly text: string }> => ({
    name: `${name}.jsonl`,
    text: await readFile(new URL(`../public/samples/${name}.hindcast.jsonl`, import.meta.url), 'utf8'),
  });
  await library.openFiles([await read('ticket-incident'), await read('wrong-observation')]);
  const choice = page.getByRole('region', { name: 'Opening' });
  await expect(choice.getByRole('list', { name: 'Traces' }).getByRole('listitem')).toHaveCount(2);
  await expect(choice.getByRole('button', { name: 'Open all as one trace' })).toBeVisible();
  await choice.getByRole('button', { name: 'Open all 2, each by itself' }).click();
  const notices = page.getByRole('region', { name: 'Notices' });
  await expect(notices).toContainText('2 traces opened.');
  await expect(notices.getByRole('button', { name: 'Judge as recovery trials' })).toHaveCount(0);
  await expect(page.getByRole('row', { name: /warranty-desk/ })).toBeVisible();
});

for (const way of ['drop', 'paste'] as const) {
  test(`a trace comes in by ${way}, also right after something that could not be opened`, async ({ page }) => {
    const library = new LibraryPage(page);
    await library.open();
    await library.openFiles([{ name: 'notes.txt', text: 'not a trace\n' }]);
    await expect(page.getByRole('region', { name: 'Opening' }).getByRole('alert')).toBeVisible();
    await page.evaluate(async (kind) => {
      const sample = await fetch('samples/clean-control.hindcast.jsonl');
      const data = new DataTransfer();
      data.setData('text/plain', await sample.text());
      const about = { bubbles: true, cancelable: true };
      document.body.dispatchEvent(
        kind === 'drop'
          ? new DragEvent('drop', { ...about, dataTransfer: data })
          : new ClipboardEvent('paste', { ...about, clipboardData: data }),
      );
    }, way);
    await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Opening' })).toBeHidden();
  });
}

test.describe('a foreign address', () => {
  test.use({ expectedProblems: /^foreign request: http:\/\/127\.0\.0\.1:\d+\/run\.hindcast\.jsonl$/ });

  test('is asked about before anything is asked of it, and then asked once, without cookies or referrer', async ({
    page,
    problems,
  }) => {
    const foreign = await startForeign();
    try {
      const source = `${foreign.address}/run.hindcast.jsonl`;
      const library = new LibraryPage(page);
      const question = page.getByRole('dialog', { name: 'Ask another site for a file?' });
      for (const answer of ['Cancel', `Ask ${foreign.address}`]) {
        await library.open(`?src=${source}`);
        await expect(question).toContainText(source);
        expect(foreign.requests).toEqual([]);
        await question.getByRole('button', { name: answer }).click();
        await expect(question).toBeHidden();
        await waitUntilIdle(page);
      }
      await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
      expect(foreign.requests).toEqual([['/run.hindcast.jsonl', undefined, undefined]]);
      expect(problems).toEqual([`foreign request: ${source}`]);
    } finally {
      await foreign.stop();
    }
  });
});

test('an address of this site opens at once', async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open('?src=samples/clean-control.hindcast.jsonl');
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();
});

test('axe finds nothing in the library, empty and with a trace, light and dark', async ({ page }) => {
  // axe reads the whole page several times.
  test.slow();
  const library = new LibraryPage(page);
  await library.open();
  await expectAccessibleInBothThemes(page);
  await library.openSample('3');
  await page.getByRole('link', { name: 'Hindcast, library' }).click();
  await expect(library.traces()).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await library.act('The same case, nothing killed', 'Change how long it is kept');
  await expectAccessibleInBothThemes(page);
});

test('axe finds nothing in keys, legend and commands, light and dark', async ({ page }) => {
  // axe reads the whole page several times.
  test.slow();
  await new LibraryPage(page).open();
  for (const [key, name] of [
    ['?', 'Keys'],
    ['l', 'Legend'],
    ['Control+k', 'Commands'],
  ] as const) {
    await page.keyboard.press(key);
    const dialog = page.getByRole('dialog', { name });
    await expect(dialog).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});
