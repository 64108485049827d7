import { expect, expectAccessible, expectAccessibleInBothThemes, test } from './app.ts';
import { LibraryPage } from './pages/library-page.ts';

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
  await expect(answer.getByRole('alert')).toContainText(/\w+.*\./);
  await answer.getByRole('button', { name: 'Close' }).click();
  await expect(library.samples()).toHaveCount(4);
  await expect(library.traces()).toBeHidden();
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

test('a foreign address is asked about before anything is asked of it', async ({ page }) => {
  const library = new LibraryPage(page);
  await library.open('?src=https://traces.example/run.hindcast.jsonl');
  const question = page.getByRole('dialog', { name: 'Ask another site for a file?' });
  await expect(question).toContainText('https://traces.example/run.hindcast.jsonl');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
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
