import { expect, it } from 'vitest';
import type { ImportRequest } from './import-methods.ts';
import { requestToName, requestToSource } from './import-names.ts';

function requestOf(...paths: readonly string[]): ImportRequest {
  return {
    files: paths.map((path) => ({ path, blob: new Blob(['12']) })),
    origin: 'opened',
    choice: { format: 'hindcast', trace: 't' },
  };
}

it('a place is of the file that it names, or of the archive that holds it, and of no file that begins like it', () => {
  const request = requestOf('a', 'a/b', 'a.zip', 'other/a', 'c');
  const filesOf = (...used: readonly string[]): readonly string[] => requestToSource(request, 10, used).files;
  expect(filesOf('a/b/c')).toEqual(['a', 'a/b']);
  expect(filesOf('a.zip/x/y.jsonl', 'c')).toEqual(['a.zip', 'c']);
  expect(filesOf('a.zipped', 'other/a')).toEqual(['other/a']);
  expect(requestToSource(request, 10, ['c']).sourceBytes).toBe(2);
  // Of nothing that is known, it is of all.
  expect(filesOf()).toHaveLength(5);
  expect(requestToName(request, ['a.zip/x'])).toBe('a.zip and 4 more');
});

it('thousands of files and as many places are not held against each other', { timeout: 3000 }, () => {
  const paths = Array.from({ length: 8000 }, (_, n) => `folder/session-${n}.jsonl`);
  const request = requestOf(...paths);
  const used = paths.slice(4000).map((path) => `${path}/inside`);
  expect(requestToSource(request, 0, used).files).toHaveLength(4000);
  expect(requestToName(request, used)).toBe('folder');
  expect(requestToSource(request, 0, ['x'.repeat(40) + '/'.repeat(60_000)]).files).toHaveLength(8000);
});
