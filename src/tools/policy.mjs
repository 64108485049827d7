/**
 * The content security policies of the built site, in one place.
 *
 * Owns what each document may load. The build writes them into the pages as `<meta>`, so that they hold on any static
 * host; `serve.mjs` and the shipped `_headers` send the same text as headers, where `frame-ancestors` works too.
 *
 * Why it reads as it does:
 * - `script-src`: files of this site and WebAssembly (the sandbox, the decoders). No inline script, no `eval`.
 * - `worker-src`: `blob:` because every worker is started from a one-line blob module that imports the built file. A
 *   worker loaded straight from a file gets its policy from that file's headers, which a static host does not send; a
 *   blob worker inherits the policy of the page. `'self'` is for that import and for the service worker.
 * - `style-src 'unsafe-inline'`: CodeMirror inserts its style sheet as a `<style>` element, React Flow and the
 *   virtual lists place things with style attributes. No text of a trace reaches a style.
 * - `frame-src 'self'`: `net.html`, the one document that may speak to other origins, each time after a confirmation.
 */

const page = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
];

const net = [
  "default-src 'none'",
  "script-src 'self'",
  'connect-src https: http://127.0.0.1:* http://localhost:*',
  "base-uri 'none'",
  "form-action 'none'",
];

const serviceWorker = ["default-src 'none'", "script-src 'self'", "connect-src 'self'"];

/** What the `<meta>` of a document says. `frame-ancestors` is ignored there, so it is left out. */
export const metaPolicies = { 'index.html': page.join('; '), 'net.html': net.join('; ') };

const headerPolicies = {
  page: [...page, "frame-ancestors 'self'"].join('; '),
  net: [...net, "frame-ancestors 'self'"].join('; '),
  serviceWorker: serviceWorker.join('; '),
};

const common = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** The headers for one file of the site, named by its path below the root of the site. */
export function fileToHeaders(file) {
  const policy =
    file === 'net.html' || file === 'net'
      ? headerPolicies.net
      : file === 'sw.js'
        ? headerPolicies.serviceWorker
        : headerPolicies.page;
  return { ...common, 'Content-Security-Policy': policy };
}

/**
 * The `_headers` file that several static hosts read. Hosts join the headers of all rules that match, and joined
 * policies narrow each other, so no two rules with a policy match the same file.
 */
export function headersFile() {
  const rule = (path, headers) => [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)];
  const policy = (file) => ({ 'Content-Security-Policy': fileToHeaders(file)['Content-Security-Policy'] });
  return [
    ...rule('/*', common),
    ...rule('/', policy('index.html')),
    ...rule('/index.html', policy('index.html')),
    ...rule('/assets/*', policy('index.html')),
    ...rule('/net.html', policy('net.html')),
    ...rule('/net', policy('net.html')),
    ...rule('/sw.js', policy('sw.js')),
    '',
  ].join('\n');
}
