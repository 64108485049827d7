/** `npm run browser`: finds a Chromium or installs one, and prints where it is. */
import { ensureBrowser } from './browser.mjs';

console.log(ensureBrowser());
