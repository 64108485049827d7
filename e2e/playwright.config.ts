/**
 * End-to-end tests, in Chromium, against the built site.
 *
 * The site is served the hard way: under a sub-path, by a host that sends no headers of its own, so that what holds
 * here holds on any static host. A second server sends the headers that `npm start` sends.
 */
import { defineConfig, devices } from '@playwright/test';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from '../src/tools/browser.mjs';
import { servers } from './servers.ts';

const root = join(import.meta.dirname, '..');
const inCi = process.env['CI'] !== undefined && process.env['CI'] !== '';

export default defineConfig({
  testDir: '.',
  outputDir: join(root, 'test-results/e2e'),
  workers: Math.min(4, Math.max(2, availableParallelism())),
  fullyParallel: true,
  forbidOnly: inCi,
  retries: inCi ? 1 : 0,
  // Generous: how fast the machine is decides nothing here, and a test that waits has failed already.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: join(root, 'test-results/e2e.json') }]],
  use: {
    ...devices['Desktop Chrome'],
    baseURL: servers.plain.address,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: ensureBrowser(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    // The service worker answers from its cache, behind the back of the test: only tests about it meet it.
    { name: 'page', grepInvert: /@offline/, use: { serviceWorkers: 'block' } },
    { name: 'offline', grep: /@offline/, use: { serviceWorkers: 'allow' } },
  ],
  webServer: [servers.plain, servers.withHeaders, servers.probe].map(({ folder, port, mount, headers }) => ({
    // The probe is built after its server listens.
    command: `node src/tools/serve.mjs ${folder} ${port} ${mount} ${headers ? 'headers' : 'no-headers'} --unbuilt`,
    cwd: root,
    port,
    reuseExistingServer: false,
  })),
  globalSetup: './build-probe.ts',
});
