/**
 * Where `npm start` serves: at the usual address, at the port that was asked for, or, where the usual one is taken, at another.
 *
 * Invariant: a running server counts as this site only when it answers with the page and with the same build; whatever else is at the
 * address is told, and never stands for what was just built.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serve, serverName } from './serve.mjs';

const usualPort = 4173;

const usage = `Usage: npm start [-- --port PORT] [--no-open]
  --port PORT  serves at this port instead of ${usualPort}
  --no-open    leaves the browser closed`;

/** What was asked for, or the sentence that says why it cannot be done. */
export function argumentsToStart(args) {
  let port;
  let opens = true;
  for (let at = 0; at < args.length; at++) {
    const argument = args[at];
    if (argument === '--no-open') opens = false;
    else if (argument === '--help') return { help: usage };
    else if (argument === '--port' || argument.startsWith('--port=')) {
      const text = argument === '--port' ? (args[++at] ?? '') : argument.slice('--port='.length);
      port = textToPort(text);
      if (port === undefined) return { error: `"${text}" is no port: a number from 1 to 65535.\n${usage}` };
    } else return { error: `"${argument}" is not known here.\n${usage}` };
  }
  return { port, opens };
}

function textToPort(text) {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/**
 * Serves `folder` and resolves with its address and what is to be said of it. `served` is undefined where the same build is there
 * already; `error` is said where the port that was asked for is taken. `usual` is another port in tests alone.
 */
export async function serveSite({ folder, port, usual = usualPort }) {
  const wanted = port ?? usual;
  const address = `http://127.0.0.1:${wanted}/`;
  try {
    const served = await serve({ folder, port: wanted });
    return { served, address: served.address, said: '' };
  } catch (error) {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    if (error.code === 'EACCES')
      return { error: `Port ${wanted} may not be used by this account. Choose one above 1023.` };
  }
  const there = await whatIsAt(address, folder);
  if (there === 'this build')
    return { address, said: `Hindcast is already being served at ${address}, this same build.` };
  const taken =
    there === 'another build'
      ? `Another build of Hindcast is being served at ${address}.`
      : `Port ${wanted} is taken by another program.`;
  if (port !== undefined) return { error: `${taken} Stop that one, or choose another port: npm start -- --port PORT` };
  const served = await serve({ folder, port: 0 });
  return {
    served,
    address: served.address,
    said:
      `${taken} This build is served at the address below.\n` +
      `A browser keeps the library by host and port: traces opened at ${address} are not seen there.\n` +
      'To choose the port yourself: npm start -- --port PORT',
  };
}

async function whatIsAt(address, folder) {
  try {
    const signal = AbortSignal.timeout(2_000);
    const page = await fetch(address, { method: 'HEAD', signal });
    if (!page.ok || page.headers.get('server') !== serverName) return 'something else';
    const build = await fetch(new URL(buildFile, address), { signal });
    const here = await readFile(join(folder, buildFile), 'utf8');
    return build.ok && (await build.text()) === here ? 'this build' : 'another build';
  } catch {
    return 'something else'; // It does not speak HTTP, or does not answer.
  }
}

/** Names every file of the build, each with the hash of what it holds. */
const buildFile = 'build.json';
