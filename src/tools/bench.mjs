/** `npm run bench`: builds the site and the bench where they are stale, and measures. See `fixtures/bench/README.md`. */
import { ensureBrowser } from './browser.mjs';
import { ensureDependencies } from './install.mjs';
import { runProgram } from './node-build.mjs';
import { ensureSite } from './site.mjs';

ensureDependencies();
if (!process.argv.includes('--site') && !ensureSite()) process.exit(70);
process.env.HINDCAST_BENCH_BROWSER ??= ensureBrowser();
await runProgram('bench');
