/**
 * `npm start`: installs, builds and serves the site on this machine, and opens a browser where there is one.
 *
 * Invariant: the address is always the same. A browser keeps the library of traces by host and port, so on another
 * port the traces of yesterday would not be there; where another port has to be taken, this is said.
 */
import { spawn, spawnSync } from 'node:child_process';
import { ensureDependencies } from './install.mjs';
import { serve, serverName } from './serve.mjs';
import { ensureSite, siteFolder } from './site.mjs';

const port = 4173;
const usual = `http://127.0.0.1:${port}/`;

async function isHindcast(address) {
  try {
    const response = await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(2_000) });
    return response.headers.get('server') === serverName;
  } catch {
    return false; // Something that does not speak HTTP, or does not answer.
  }
}

function findOpener() {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['cmd', '/c', 'start', ''];
  const hasScreen = process.env.DISPLAY !== undefined || process.env.WAYLAND_DISPLAY !== undefined;
  const hasOpener = hasScreen && spawnSync('xdg-open', ['--version'], { stdio: 'ignore' }).status === 0;
  return hasOpener ? ['xdg-open'] : undefined;
}

function openBrowser(address) {
  if (process.argv.includes('--no-open') || process.env.CI !== undefined) return;
  const opener = findOpener();
  if (opener === undefined) return;
  const [command, ...args] = opener;
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  // The address is printed anyway: a browser that does not open is no failure.
  child.on('error', () => console.log('The browser did not open by itself.'));
  child.unref();
}

async function serveSomewhere() {
  try {
    return await serve({ folder: siteFolder, port });
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw error;
  }
  if (await isHindcast(usual)) {
    console.log(`Hindcast is already being served at ${usual} (stop that one to serve this build).`);
    openBrowser(usual);
    return undefined;
  }
  const served = await serve({ folder: siteFolder, port: 0 });
  console.log(
    `Port ${port} is taken by another program. A browser keeps the library by host and port:\n` +
      `traces opened at ${usual} are not seen at the address below.`,
  );
  return served;
}

async function main() {
  ensureDependencies('1/3 ');
  if (!ensureSite('2/3 ')) {
    process.exitCode = 1;
    return;
  }
  const served = await serveSomewhere();
  if (served === undefined) return;
  console.log('3/3 Serving. The page is ready.');
  console.log(`\n  Hindcast: ${served.address}\n\n  Everything stays on this machine. Stop with Ctrl C.`);
  openBrowser(served.address);
}

await main();
