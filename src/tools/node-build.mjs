/**
 * Builds and runs the programs of this project that run in Node: the command line and the recording runtime.
 *
 * They are written in TypeScript like the page and share its core, so they are bundled by the same tool. Each program
 * goes to a folder of its own below `build/node`. A build is made beside the old one and put in its place by renaming,
 * so that a program started meanwhile never meets half a build.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { computeSignature, isFresh, markFresh } from './freshness.mjs';
import { ensureDependencies, root } from './install.mjs';

const shared = ['src/core', 'src/platform', 'src/recorder', 'src/tools/node-build.mjs', 'package-lock.json'];

const programs = {
  cli: { main: 'src/cli/main.ts', sources: [...shared, 'src/cli'] },
  bench: { main: 'fixtures/bench/main.ts', sources: [...shared, 'fixtures/bench'] },
  // The runtime starts its workers and services as processes: each is an entry of its own. The worker is started more than a hundred times
  // in a campaign: in one file with all it needs it takes a third less to start.
  lab: {
    main: 'fixtures/lab/main.ts',
    entries: 'fixtures/lab/entries',
    alone: 'worker',
    sources: [...shared, 'fixtures/lab'],
  },
};

function listEntries({ main, entries }) {
  const more = entries !== undefined && existsSync(join(root, entries)) ? readdirSync(join(root, entries)) : [];
  const files = more.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return Object.fromEntries(
    [main, ...files.map((name) => join(entries, name))].map((file) => [basename(file, '.ts'), join(root, file)]),
  );
}

async function buildInto(folder, { alone, ...program }) {
  const { [alone]: single, ...entries } = listEntries(program);
  await buildEntries(folder, entries, {});
  if (single !== undefined) await buildEntries(folder, { [alone]: single }, { codeSplitting: false });
}

/** Without splitting, everything that is not Node's own is in the one file. */
async function buildEntries(folder, entries, output) {
  const { build } = await import('vite');
  const isAlone = output.codeSplitting === false;
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    ssr: { noExternal: isAlone ? true : [] },
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      emptyOutDir: !isAlone,
      copyPublicDir: false,
      sourcemap: true,
      minify: false,
      rolldownOptions: {
        input: entries,
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js', ...output },
      },
    },
  });
}

/** Renames, and tells whether it did: another process may be doing the same at this moment. */
function tryRename(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code)) return false;
    throw error;
  }
}

/** Puts a new build in its place. Where another process was faster, its build stays: it is of the same sources. */
function replaceFolder(fresh, folder) {
  const old = `${folder}.old-${process.pid}`;
  tryRename(folder, old);
  tryRename(fresh, folder);
  rmSync(old, { recursive: true, force: true });
}

/** Builds a program where it is missing or older than its sources; returns the path of its main file. */
async function ensureProgram(name) {
  const program = programs[name];
  const folder = join(root, 'build/node', name);
  const main = join(folder, 'main.js');
  const stamp = join('build/node', name, 'stamp');
  const signature = computeSignature(program.sources);
  const isReady = () => existsSync(main) && isFresh(stamp, signature);
  if (isReady()) return main;
  const fresh = `${folder}.new-${process.pid}`;
  mkdirSync(join(root, 'build/node'), { recursive: true });
  try {
    await buildInto(fresh, program);
    markFresh(join('build/node', basename(fresh), 'stamp'), signature);
    if (!isReady()) replaceFolder(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return main;
}

/** Runs a program in this process, with the arguments of this process. */
export async function runProgram(name) {
  ensureDependencies();
  let main;
  try {
    main = await ensureProgram(name);
  } catch (error) {
    console.error(`${name} could not be built: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(70); // Not one of the codes of the programs: this is a defect of the project.
  }
  process.setSourceMapsEnabled(true);
  process.argv[1] = main;
  await import(pathToFileURL(main).href);
}
