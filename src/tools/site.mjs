/**
 * Builds the site into `dist` when its sources are newer.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { computeSignature, isFresh, markFresh } from './freshness.mjs';
import { root } from './install.mjs';

const sources = ['src', 'public', 'fixtures', 'index.html', 'net.html', 'vite.config.ts', 'package-lock.json'];
const stamp = 'build/site.stamp';

export const siteFolder = join(root, 'dist');

/** Returns whether the site is there and new; what the build said is printed where it failed. */
export function ensureSite(step = '') {
  const signature = computeSignature(sources);
  if (existsSync(join(siteFolder, 'index.html')) && isFresh(stamp, signature)) {
    if (step !== '') console.log(`${step}The site is built.`);
    return true;
  }
  console.log(`${step}Building the site; about ten seconds.`);
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) {
    console.error(`${stdout}${stderr}\nThe site could not be built; what the build said stands above.`);
    return false;
  }
  markFresh(stamp, signature);
  return true;
}
