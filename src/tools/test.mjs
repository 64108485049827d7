/**
 * `npm test`: everything that must hold, in the order in which a failure is cheapest to find.
 *
 * Installs what it needs, packages and browser included. Stops at the first stage that fails and names it. The last
 * line alone on its line is `N passed, N failed, N skipped`, the sum of the unit and the end-to-end tests; a stage that
 * fails without counting tests counts as one failure. `--no-e2e` leaves out what needs a browser.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser, findBrowser } from './browser.mjs';
import { reportFirstLoad } from './first-load.mjs';
import { ensureDependencies, root } from './install.mjs';

const withBrowser = !process.argv.includes('--no-e2e');
const unitReport = join(root, 'test-results/unit.json');
const e2eReport = join(root, 'test-results/e2e.json');

const none = { passed: 0, failed: 0, skipped: 0 };

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined; // The runner fell over before it could write one; its exit code tells.
  }
}

function countUnit() {
  const report = readReport(unitReport);
  if (report === undefined) return none;
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests, numTodoTests } = report;
  return { passed, failed, skipped: numPendingTests + numTodoTests };
}

function countE2e() {
  const stats = readReport(e2eReport)?.stats;
  if (stats === undefined) return none;
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
}

function npmRun(script, ...args) {
  const rest = args.length === 0 ? [] : ['--', ...args];
  const { status } = spawnSync('npm', ['run', '--silent', script, ...rest], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  return status === 0;
}

/** As `npmRun`, beside others: what it prints is kept and shown when it ends. */
function npmRunAside(script) {
  const child = spawn('npm', ['run', '--silent', script], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const printed = [];
  child.stdout.on('data', (bytes) => printed.push(bytes));
  child.stderr.on('data', (bytes) => printed.push(bytes));
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (status) => {
      process.stdout.write(Buffer.concat(printed));
      console.log(`    ${script}: ${status === 0 ? 'passed' : 'FAILED'}`);
      resolve(status === 0);
    });
  });
}

/** Settled when the linter has ended. It takes longer than all other checks of the sources together, so it runs beside what comes next. */
let linted = Promise.resolve(true);

/** Checks that read the sources and change nothing. */
async function checkSources() {
  linted = npmRunAside('lint');
  const others = [];
  for (const script of ['typecheck', 'format:check', 'deadcode']) others.push(await npmRunAside(script));
  return others.every(Boolean);
}

/** Settled when there is a browser. Only the last stage needs one, so its packages come while the sources are checked. */
let browser = Promise.resolve(true);

function install() {
  ensureDependencies();
  if (withBrowser && findBrowser() === undefined) browser = npmRunAside('browser');
  return true;
}

async function runEndToEnd() {
  if (!(await browser)) return false;
  console.log(`Browser: ${ensureBrowser()}`);
  return npmRun('e2e');
}

const unitArgs = ['--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`];

const stages = [
  { name: 'install', run: install },
  { name: 'types, format, dead code', run: checkSources },
  { name: 'layers, unit and property tests', run: () => npmRun('test:unit', ...unitArgs), count: countUnit },
  { name: 'lint', run: () => linted },
  { name: 'build', run: () => npmRun('build', '--logLevel', 'warn') },
  { name: 'first load', run: () => reportFirstLoad(join(root, 'dist')) },
  ...(withBrowser ? [{ name: 'end to end', run: runEndToEnd, count: countE2e }] : []),
];

/** Runs one stage; a failure that no test counted is one failure of the stage itself. */
async function runStage({ name, run, count = () => none }) {
  console.log(`\n=== ${name} ===`);
  const start = process.hrtime.bigint();
  let succeeded;
  try {
    succeeded = await run();
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    succeeded = false;
  }
  const counts = count();
  const seconds = Number((process.hrtime.bigint() - start) / 1_000_000n) / 1_000;
  console.log(`--- ${name}: ${succeeded ? 'passed' : 'FAILED'} in ${seconds.toFixed(1)} s`);
  return succeeded || counts.failed > 0 ? { succeeded, counts } : { succeeded, counts: { ...counts, failed: 1 } };
}

async function main() {
  for (const report of [unitReport, e2eReport]) rmSync(report, { force: true });
  const total = { ...none };
  for (const stage of stages) {
    const { succeeded, counts } = await runStage(stage);
    for (const key of Object.keys(total)) total[key] += counts[key];
    if (succeeded) continue;
    console.log(`\nStopped at the stage "${stage.name}".`);
    process.exitCode = 1;
    break;
  }
  // Where an earlier stage ended it, what the linter still prints comes before the last line.
  await linted;
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
}

await main();
