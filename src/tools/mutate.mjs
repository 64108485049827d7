/**
 * `npm run mutate [-- [--all] FILE…]`: mutation testing of `src/core/replay` and `src/core/causal`, file by file.
 *
 * Not part of `npm test`: it takes hours. Its packages are no dependency of the project; they are installed into `build/mutation` when they
 * are missing, from `fixtures/mutation`. Files are mutated in the order of what they decide: matching, the world rule, delivery, the journal,
 * statuses, then the rest. One result file each in `build/mutation/results`; a file that has one of its present text is not run again.
 *
 * A file whose rules are tested without running programs is tried on those tests alone, which takes minutes; `--all` tries every file on the
 * conformance cases too.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDependencies, root } from './install.mjs';

const home = join(root, 'build/mutation');
const results = join(home, 'results');
const folders = ['src/core/replay', 'src/core/causal'];
/** Tests that run no program, by the file whose rules they hold. */
const ownTests = {
  'src/core/replay/matching.ts': ['src/core/replay/matching.test.ts'],
  'src/core/replay/world.ts': ['src/core/replay/world.test.ts'],
  'src/core/replay/resources.ts': ['src/core/replay/world.test.ts'],
  'src/core/replay/edit-file.ts': ['src/core/replay/edit-file.test.ts'],
  'src/core/replay/debug/condition.ts': ['src/core/replay/debug/condition.test.ts'],
};
const first = [
  'matching',
  'world',
  'pass',
  'journal',
  'journal-order',
  'lives',
  'statuses',
  'segment-run',
  'resources',
];
const triesAll = process.argv.includes('--all');

function ensurePackages() {
  mkdirSync(results, { recursive: true });
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'vitest.config.mjs'])
    cpSync(join(root, 'fixtures/mutation', name), join(home, name));
  if (existsSync(join(home, 'node_modules/@stryker-mutator/vitest-runner'))) return;
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status } = spawnSync(npm, ['ci', '--no-audit', '--no-fund'], { cwd: home, stdio: 'inherit' });
  if (status !== 0) {
    console.error('The packages for mutation testing could not be installed; nothing was measured.');
    process.exit(1);
  }
}

function listFiles() {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('/testing/')),
  );
  const rank = (file) => {
    const at = first.findIndex((name) => file === `src/core/replay/${name}.ts`);
    return at < 0 ? first.length : at;
  };
  return files.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function resultFile(file) {
  return join(results, `${file.replaceAll('/', '__')}.json`);
}

function digestOf(file) {
  return createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('hex');
}

function mutate(file) {
  const config = join(home, 'stryker.config.json');
  const report = join(home, 'report.json');
  const settings = {
    packageManager: 'npm',
    plugins: [join(home, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    testRunner: 'vitest',
    vitest: { configFile: 'fixtures/mutation/vitest.config.mjs', related: true },
    mutate: [file],
    mutator: { excludedMutations: ['StringLiteral'] },
    coverageAnalysis: 'perTest',
    concurrency: 1,
    dryRunTimeoutMinutes: 60,
    timeoutMS: 60_000,
    timeoutFactor: 4,
    ignoreStatic: true,
    ignorePatterns: ['/build', '/dist', '/e2e', '/test-results', '/.git', '/public/*.png'],
    tempDirName: 'build/mutation/tmp',
    reporters: ['json', 'clear-text'],
    clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
    jsonReporter: { fileName: report },
    checkers: [],
    disableTypeChecks: false,
    allowEmpty: true,
  };
  writeFileSync(config, JSON.stringify(settings, undefined, 2));
  const bin = join(home, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const own = file.startsWith('src/core/causal/') ? ['src/core/causal/**/*.test.ts'] : ownTests[file];
  const env = own === undefined || triesAll ? process.env : { ...process.env, HINDCAST_MUTATION_TESTS: own.join(',') };
  const { status } = spawnSync(process.execPath, [bin, 'run', config], { cwd: root, stdio: 'inherit', env });
  if (status !== 0 || !existsSync(report)) return undefined;
  const mutants = Object.values(JSON.parse(readFileSync(report, 'utf8')).files).flatMap((one) => one.mutants);
  const kept = mutants.map(({ mutatorName, replacement, status: fate, location }) => ({
    mutatorName,
    replacement,
    status: fate,
    line: location.start.line,
    column: location.start.column,
  }));
  writeFileSync(resultFile(file), JSON.stringify({ file, digest: digestOf(file), mutants: kept }));
  return kept;
}

function readResult(file) {
  if (!existsSync(resultFile(file))) return undefined;
  const { digest, mutants } = JSON.parse(readFileSync(resultFile(file), 'utf8'));
  return digest === digestOf(file) ? mutants : undefined;
}

function tell(file, mutants) {
  const count = (...fates) => mutants.filter(({ status }) => fates.includes(status)).length;
  const killed = count('Killed', 'Timeout');
  const alive = count('Survived', 'NoCoverage');
  const score = killed + alive === 0 ? 100 : (100 * killed) / (killed + alive);
  console.log(
    `${file}: ${score.toFixed(1)} % (${killed} killed, ${count('Survived')} survived, ${count('NoCoverage')} not covered)`,
  );
}

ensureDependencies();
ensurePackages();
const asked = process.argv.slice(2).filter((argument) => argument !== '--all');
const files =
  asked.length === 0 ? listFiles() : listFiles().filter((file) => asked.some((part) => file.endsWith(part)));
let failed = 0;
for (const file of files) {
  const mutants = readResult(file) ?? mutate(file);
  if (mutants === undefined) {
    console.log(`${file}: could not be measured`);
    failed++;
  } else tell(file, mutants);
}
process.exitCode = failed === 0 ? 0 : 1;
