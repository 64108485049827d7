/**
 * A static file server for the built site, with the headers and types the site wants.
 *
 * Owns nothing but the answer to one request: no listing, no file outside the folder, GET and HEAD only. It can mount
 * the site under a sub-path. Used by `npm start`, `npm run preview` and the end-to-end tests; needs no dependency.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fileToHeaders } from './policy.mjs';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.jsonl': 'application/x-ndjson; charset=utf-8',
  '.ndjson': 'application/x-ndjson; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
};

/** Names the server to an `npm start` that finds the port taken. */
export const serverName = 'hindcast';

/** The path of a file below the site's root, or undefined where the address leads outside it or outside the mount. */
function urlToFile(url, mount) {
  let path;
  try {
    path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
  } catch {
    return undefined;
  }
  if (!path.startsWith(mount) || path.includes('\0')) return undefined;
  const file = normalize(path.slice(mount.length)).split(sep).join('/');
  if (file.startsWith('..') || file.startsWith('/')) return undefined;
  return file === '.' || file.endsWith('/') ? `${file === '.' ? '' : file}index.html` : file;
}

async function findFile(folder, file) {
  const path = join(folder, file);
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? { path, size: found.size } : undefined;
}

/** Files under `assets/` carry a hash of their content in their name; everything else is asked for again. */
function fileToCacheControl(file) {
  return file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
}

async function answer(request, response, { folder, mount, headers }) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    return;
  }
  const file = urlToFile(request.url, mount);
  const found = file === undefined ? undefined : await findFile(folder, file);
  if (found === undefined) {
    response.writeHead(404, { 'Content-Type': types['.txt'], Server: serverName }).end('Not found.\n');
    return;
  }
  response.writeHead(200, {
    'Content-Type': types[extname(file)] ?? 'application/octet-stream',
    'Content-Length': found.size,
    'Cache-Control': fileToCacheControl(file),
    Server: serverName,
    ...(headers ? fileToHeaders(file) : {}),
  });
  if (request.method === 'HEAD') response.end();
  else
    createReadStream(found.path)
      .on('error', () => response.destroy())
      .pipe(response);
}

/**
 * Serves `folder` and resolves with the server and its address once it listens. `headers: false` is a host that sends
 * no policy of its own, as many static hosts do. Rejects when the port is taken.
 */
export function serve({ folder, port, mount = '/', headers = true, host = '127.0.0.1' }) {
  const server = createServer((request, response) => {
    answer(request, response, { folder, mount, headers }).catch(() => response.destroy());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve({ server, address: `http://${host}:${server.address().port}${mount}` }));
  });
}

const usage = `Usage: npm run preview [-- FOLDER [PORT [MOUNT [headers|no-headers]]]] [--unbuilt]
  FOLDER      the built site: dist
  PORT        4173
  MOUNT       the path it is served under: /
  no-headers  as a host does that sends no policy of its own
  --unbuilt   serves the folder although nothing is built in it yet`;

/** The sentence that says why these arguments serve nothing; undefined where they do. */
async function argumentsToRefusal(options, rest, { folder, port, mount, headers }) {
  const unknown = options.find((option) => option !== '--unbuilt');
  if (unknown !== undefined) return `"${unknown}" is not known here.\n${usage}`;
  if (rest.length > 0) return `"${rest[0]}" is one argument too many.\n${usage}`;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    return `"${port}" is no port: a number from 0 to 65535, where 0 is any.\n${usage}`;
  if (!mount.startsWith('/') || !mount.endsWith('/')) return `"${mount}" does not begin and end with "/".\n${usage}`;
  if (headers !== 'headers' && headers !== 'no-headers')
    return `"${headers}" is neither "headers" nor "no-headers".\n${usage}`;
  if (options.length === 0 && (await findFile(folder, 'index.html')) === undefined)
    return `There is no built site in ${folder}: it has no index.html. Build it with: npm run build`;
  return undefined;
}

async function main() {
  const given = process.argv.slice(2);
  if (given.includes('--help')) {
    console.log(usage);
    return;
  }
  const options = given.filter((argument) => argument.startsWith('-'));
  const values = given.filter((argument) => !argument.startsWith('-'));
  const [folder = join(import.meta.dirname, '../../dist'), port = '4173', mount = '/', headers = 'headers', ...rest] =
    values;
  const refusal = await argumentsToRefusal(options, rest, { folder, port, mount, headers });
  if (refusal !== undefined) {
    console.error(refusal);
    process.exitCode = 2;
    return;
  }
  try {
    const { address } = await serve({ folder, port: Number(port), mount, headers: headers !== 'no-headers' });
    console.log(`Serving ${folder} at ${address}`);
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw error;
    console.error(`Port ${port} is taken by another program. Choose another: npm run preview -- FOLDER PORT`);
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
