/**
 * `npm run formats:table`: opens every real trace beside the project and writes what became of it into the README of the formats.
 * Fails when the records of a file do not add up; says so and does nothing where there are no traces.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

const traces = join(root, '../shared/traces');
const readme = join(root, 'src/core/formats/README.md');
const [begin, end] = ['<!-- table: begin -->', '<!-- table: end -->'];

if (!existsSync(traces)) {
  console.log('There are no traces beside the project (../shared/traces); the table stays as it is.');
  process.exit(0);
}
const args = [join(root, 'src/tools/hindcast.mjs'), 'survey', traces, '--markdown'];
const { status, stdout } = spawnSync(process.execPath, args, {
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (stdout.startsWith('|')) {
  const text = readFileSync(readme, 'utf8');
  const before = text.slice(0, text.indexOf(begin) + begin.length);
  const after = text.slice(text.indexOf(end));
  writeFileSync(readme, `${before}\n\n${stdout}\n${after}`);
  const { format, resolveConfig } = await import('prettier');
  const written = await format(readFileSync(readme, 'utf8'), { ...(await resolveConfig(readme)), filepath: readme });
  writeFileSync(readme, written);
  console.log(`Written: ${stdout.trim().split('\n').length - 2} files.`);
}
process.exit(status ?? 1);
