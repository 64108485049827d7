/** Text into the clipboard, with a word about how it went. Outside a secure context the browser gives the page none. */
import { notify } from './notices.ts';

async function writeToClipboard(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}

/** `said` is told when it is there; never throws. */
export function copyText(text: string, said: string): void {
  writeToClipboard(text).then(
    () => notify(said),
    () =>
      notify('The browser did not let the page write to the clipboard. Select the text and copy it by hand.', {
        tone: 'problem',
      }),
  );
}
