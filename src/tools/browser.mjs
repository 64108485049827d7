/**
 * Finds the Chromium that end-to-end tests run in, and installs one where there is none.
 *
 * Looked for in this order: `CHROMIUM_PATH`, the programs on `PATH`, the usual place of Debian's package, Playwright's
 * own download. Installed from the distribution where that is possible, else by Playwright.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function findPlaywrightChromium() {
  try {
    const { chromium } = createRequire(import.meta.url)('@playwright/test');
    return chromium.executablePath();
  } catch {
    return undefined; // The package is not installed, or does not know this system: then it has no browser either.
  }
}

/** The path of a browser that exists, or undefined. */
export function findBrowser() {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const candidates = [process.env.CHROMIUM_PATH, ...onPath, '/usr/bin/chromium', findPlaywrightChromium()];
  return candidates.find((path) => path !== undefined && path !== '' && isExecutable(path));
}

function run(command, args, env = {}) {
  console.log(`> ${command} ${args.join(' ')}`);
  const options = { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } };
  return spawnSync(command, args, options).status === 0;
}

function installFromDebian() {
  if (!existsSync('/etc/debian_version')) return false;
  const isRoot = process.getuid?.() === 0;
  const hasSudo = !isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  if (!isRoot && !hasSudo) return false;
  const apt = (...args) =>
    run(...(isRoot ? ['apt-get', args] : ['sudo', ['-n', 'apt-get', ...args]]), { DEBIAN_FRONTEND: 'noninteractive' });
  // A stale package list is no reason to stop: the installation itself tells.
  apt('update', '-q');
  return apt('install', '-y', '-q', '--no-install-recommends', 'chromium');
}

/** Finds a browser or installs one. Throws with what to do when neither works. */
export function ensureBrowser() {
  const found = findBrowser();
  if (found !== undefined) return found;
  if (!installFromDebian()) run('npx', ['playwright', 'install', 'chromium']);
  const installed = findBrowser();
  if (installed === undefined) {
    throw new Error(
      'No Chromium was found and none could be installed. Install one and name it in CHROMIUM_PATH, then run again.',
    );
  }
  return installed;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(ensureBrowser());
