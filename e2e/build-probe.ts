/**
 * Builds `e2e/probe`: a page with one worker, started and bound as the workers of the product are.
 */
import { join } from 'node:path';
import { build } from 'vite';
import { policyPlugin } from '../src/tools/policy-plugin.ts';

export default async function buildProbe(): Promise<void> {
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'probe'),
    base: './',
    logLevel: 'warn',
    plugins: [policyPlugin()],
    worker: { format: 'es' },
    build: {
      target: 'es2023',
      outDir: join(import.meta.dirname, '../build/probe'),
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  });
}
