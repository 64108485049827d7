/**
 * The servers of a test run: folder, port, mount and whether the host sends headers.
 *
 * Several runs may go on at once on one machine, so the ports depend on the process that started the run; its
 * workers inherit the choice through the environment.
 */

process.env['HINDCAST_E2E_PORT'] ??= String(20_000 + (process.pid % 4_000) * 4);
const first = Number(process.env['HINDCAST_E2E_PORT']);
/** Where the built site is; a run beside other work may build into a folder of its own. */
const site = process.env['HINDCAST_E2E_SITE'] ?? 'dist';

interface Served {
  readonly folder: string;
  readonly port: number;
  readonly mount: string;
  readonly headers: boolean;
  readonly address: string;
}

function place(folder: string, port: number, mount: string, headers: boolean): Served {
  return { folder, port, mount, headers, address: `http://127.0.0.1:${port}${mount}` };
}

export const servers = {
  /** Any static host: a sub-path, no headers. */
  plain: place(site, first, '/tools/hindcast/', false),
  /** What `npm start` serves. */
  withHeaders: place(site, first + 1, '/', true),
  /** The page of `e2e/probe`, built with the same policy. */
  probe: place('build/probe', first + 2, '/deep/down/', false),
} as const;
