/**
 * Build, development server and unit tests.
 *
 * The built site must work from any static host and any sub-path (`base: './'`), offline after the first visit (the
 * service worker), and under the strict policy that the build writes into each page.
 */
import react from '@vitejs/plugin-react';
import { availableParallelism } from 'node:os';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import { firstErrorPlugin } from './src/tools/first-error-plugin.ts';
import { policyPlugin } from './src/tools/policy-plugin.ts';
import { schemaPlugin } from './src/tools/schema-plugin.ts';

const pageTests = ['src/{views,ui,app,data,state}/**/*.test.{ts,tsx}', 'src/platform/net/*.test.ts', 'src/*.test.tsx'];

export default defineConfig({
  base: './',
  plugins: [
    react(),
    firstErrorPlugin(),
    policyPlugin(),
    schemaPlugin(),
    VitePWA({
      // Updates are offered to the person, never taken silently.
      registerType: 'prompt',
      injectRegister: false,
      // `public/manifest.webmanifest`, linked from index.html alone.
      manifest: false,
      workbox: {
        globPatterns: ['**/*'],
        globIgnores: ['**/*.map', 'schema/**', 'screenshot.png', '_headers', 'build.json', 'sw.js', 'workbox-*.js'],
        maximumFileSizeToCacheInBytes: 16 * 1024 * 1024,
        // Every page is a file of its own; `?src=…` and the like are read by the page, not by the cache.
        navigateFallback: null,
        ignoreURLParametersMatching: [/./],
        cleanupOutdatedCaches: true,
      },
    }),
  ],
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    // Nothing becomes a data: address: the policy does not let the page fetch those.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // What each page loads at first is read from it (src/tools/first-load.mjs).
    manifest: 'build.json',
    rolldownOptions: { input: ['index.html', 'net.html'] },
  },
  test: {
    passWithNoTests: true,
    // A busy machine is slow, not wrong.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: Math.min(4, Math.max(2, availableParallelism())),
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['src/**/*.test.ts', 'fixtures/**/*.test.ts'],
          exclude: pageTests,
          // Nothing here keeps state in a module, so files of one worker share what they loaded.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'page', environment: 'jsdom', include: pageTests } },
    ],
  },
});
