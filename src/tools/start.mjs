/**
 * `npm start`: installs, builds and serves the site on this machine, and opens a browser where there is one.
 *
 * Invariant: the address is always the same. A browser keeps the library of traces by host and port, so on another
 * port the traces of yesterday would not be there; where another port has to be taken, this is said.
 */
import { spawn, spawnSync } from 'node:child_process';
import { ensureDependencies } from './install.mjs';
import { argumentsToStart, serveSite } from './serving.mjs';
import { ensureSite, siteFolder } from './site.mjs';

function findOpener() {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['cmd', '/c', 'start', ''];
  const hasScreen = process.env.DISPLAY !== undefined || process.env.WAYLAND_DISPLAY !== undefined;
  const hasOpener = hasScreen && spawnSync('xdg-open', ['--version'], { stdio: 'ignore' }).status === 0;
  return hasOpener ? ['xdg-open'] : undefined;
}

function openBrowser(address) {
  if (process.env.CI !== undefined) return;
  const opener = findOpener();
  if (opener === undefined) return;
  const [command, ...args] = opener;
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  // The address is printed anyway: a browser that does not open is no failure.
  child.on('error', () => console.log('The browser did not open by itself.'));
  child.unref();
}

async function main() {
  const { port, opens, help, error: refusal } = argumentsToStart(process.argv.slice(2));
  if (help !== undefined) {
    console.log(help);
    return;
  }
  if (refusal !== undefined) {
    console.error(refusal);
    process.exitCode = 2;
    return;
  }
  ensureDependencies('1/3 ');
  if (!ensureSite('2/3 ')) {
    process.exitCode = 1;
    return;
  }
  const { served, address, said, error } = await serveSite({ folder: siteFolder, port });
  if (error !== undefined) {
    console.error(error);
    process.exitCode = 1;
    return;
  }
  if (said !== '') console.log(said);
  if (served !== undefined) {
    console.log('3/3 Serving. The page is ready.');
    console.log(`\n  Hindcast: ${address}\n\n  Everything stays on this machine. Stop with Ctrl C.`);
  }
  if (opens) openBrowser(address);
}

await main();
