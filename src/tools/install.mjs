/**
 * Makes sure that the packages named by the lock file are the ones installed.
 *
 * Runs before anything is installed, so it uses nothing but Node. What is installed is compared with the lock, package
 * by package, because dates say nothing after a clone or a change of branch.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
  } catch {
    return undefined; // Missing or half written: then it names no packages.
  }
}

function isInstalled() {
  const wanted = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  if (wanted === undefined || installed === undefined) return false;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || (optional === true && installed[path] === undefined) || installed[path]?.version === version,
  );
}

function checkNode() {
  const { node } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = node.replace('>=', '').split('.').map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  console.error(`Hindcast needs Node ${node}; this is ${process.versions.node}. Install a newer Node and run again.`);
  process.exit(1);
}

/**
 * Installs what is missing. Prints to standard error only, so that a command's own output stays clean. `step` stands before what is
 * printed, such as `1/3 `.
 */
export function ensureDependencies(step = '') {
  checkNode();
  if (isInstalled()) {
    if (step !== '') console.error(`${step}Packages are installed.`);
    return;
  }
  console.error(
    `${step}Installing the packages into node_modules. The first time takes one to a few minutes and needs the network; npm says nothing until it is done.`,
  );
  const started = Date.now();
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status } = spawnSync(npm, ['ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status === 0) {
    console.error(`${step}Installed in ${Math.round((Date.now() - started) / 1_000)} s.`);
    return;
  }
  console.error('The packages could not be installed; what npm said stands above.');
  process.exit(status ?? 1);
}
