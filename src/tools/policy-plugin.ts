/**
 * Writes the content security policy into the pages of a build, and the `_headers` file beside them.
 *
 * Only in the build: the development server needs inline scripts and a socket of its own.
 */
import type { Plugin } from 'vite';
import { headersFile, metaPolicies } from './policy.mjs';

export function policyPlugin(): Plugin {
  return {
    name: 'hindcast-policy',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { filename }) {
        const content = filename.endsWith('net.html') ? metaPolicies['net.html'] : metaPolicies['index.html'];
        return [{ tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content }, injectTo: 'head-prepend' }];
      },
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: '_headers', source: headersFile() });
    },
  };
}
