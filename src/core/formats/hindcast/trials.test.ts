/** Several trial files opened together: each is a trace of its own; a shared ledger goes with each by its run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SourceFile } from '../format.ts';
import { listTraces } from '../import.ts';
import { openFiles, textToSource } from '../testing/opening.ts';

const folder = join(import.meta.dirname, '../../../../public/samples');
const names = ['ticket-incident', 'ticket-with-key', 'clean-control'];

function sample(name: string): string {
  return readFileSync(join(folder, `${name}.hindcast.jsonl`), 'utf8');
}

async function list(files: readonly SourceFile[]) {
  const found = await listTraces(files);
  if (!found.ok) throw new Error(found.error.message);
  return found.value.flatMap(({ traces }) => traces);
}

describe('trials in several files', () => {
  it('are listed one by one, with the files that hold them', async () => {
    const traces = await list(names.map((name) => textToSource(name, sample(name))));
    expect(traces.map(({ title, files }) => [title, files])).toEqual(names.map((name) => [name, [name]]));
    expect(traces.map(({ records }) => records)).toEqual(
      names.map((name) => sample(name).trimEnd().split('\n').length),
    );
  });

  it('are called by what can be shown in a line', async () => {
    const turned = sample('ticket-incident').replaceAll('"trial":"ticket-incident"', '"trial":"tick\\u202e\\net"');
    const traces = await list([textToSource('a', turned), textToSource('b', sample('clean-control'))]);
    expect(traces.map(({ title }) => title)).toEqual(['tick\\u202e et', 'clean-control']);
  });

  it('open each as it was recorded, whatever the others hold', async () => {
    const files = names.map((name) => textToSource(name, sample(name)));
    const [, keyed] = await list(files);
    const opened = await openFiles(files, { trace: keyed?.key });
    expect(opened.events.map(({ line }) => line)).toEqual(sample('ticket-with-key').trimEnd().split('\n'));
  });

  it('get what a file without the start of a trial holds of their run', async () => {
    const lines = sample('ticket-incident').trimEnd().split('\n');
    const isLedger = (line: string): boolean => line.includes('"type":"effect.');
    const ledger = [...lines, ...sample('ticket-with-key').trimEnd().split('\n')].filter(isLedger);
    const files = [
      textToSource('a', lines.filter((line) => !isLedger(line)).join('\n')),
      textToSource('b', sample('clean-control')),
      textToSource('ledger', ledger.join('\n')),
    ];
    const traces = await list(files);
    expect(traces[0]?.files).toEqual(['a', 'ledger']);
    const opened = await openFiles(files, { trace: traces[0]?.key });
    expect(opened.events.map(({ line }) => line).toSorted()).toEqual(lines.toSorted());
  });

  it('in one file, and several streams of one run, stay one trace', async () => {
    expect(await list([textToSource('all', names.map(sample).join(''))])).toEqual([]);
    const lines = sample('ticket-incident').trimEnd().split('\n');
    const halves = [lines.slice(0, 60), lines.slice(60)].map((half, i) => textToSource(`part${i}`, half.join('\n')));
    expect(await list(halves)).toEqual([]);
  });
});
