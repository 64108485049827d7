import { describe, expect, it } from 'vitest';
import { entriesToFiles, itemsToFiles, listToFiles, skippedToSentence, transferToItems } from './dropped-files.ts';

/** A tree as browsers hand it over: entries with callbacks, members in batches. */
function fileEntry(name: string): FileSystemFileEntry {
  const entry: Partial<FileSystemFileEntry> = {
    isFile: true,
    isDirectory: false,
    name,
    file: (resolve) => resolve(new File(['{}'], name)),
  };
  return entry as FileSystemFileEntry;
}

function folderEntry(name: string, ...members: readonly FileSystemEntry[]): FileSystemDirectoryEntry {
  const batches = [members, []];
  const reader: FileSystemDirectoryReader = { readEntries: (resolve) => resolve([...(batches.shift() ?? [])]) };
  const entry: Partial<FileSystemDirectoryEntry> = {
    isFile: false,
    isDirectory: true,
    name,
    createReader: () => reader,
  };
  return entry as FileSystemDirectoryEntry;
}

function picked(path: string): File {
  const file = new File(['{}'], path.split('/').at(-1) ?? '');
  Object.defineProperty(file, 'webkitRelativePath', { value: path });
  return file;
}

describe('a file dropped without an entry', () => {
  it('is opened all the same, beside one that has an entry', async () => {
    const bare: Partial<DataTransferItem> = { kind: 'file', getAsFile: () => picked('bare.jsonl') };
    const empty = { ...bare, webkitGetAsEntry: () => null, getAsFile: () => picked('empty.jsonl') };
    const whole: Partial<DataTransferItem> = { kind: 'file', webkitGetAsEntry: () => fileEntry('whole.jsonl') };
    const text: Partial<DataTransferItem> = { kind: 'string', getAsFile: () => null };
    const pathsOf = async (items: readonly Partial<DataTransferItem>[], list: readonly File[] = []) => {
      const transfer = { items, files: list } as unknown;
      const { files } = await itemsToFiles(transferToItems(transfer as DataTransfer));
      return files.map(({ path }) => path);
    };
    expect(await pathsOf([text, bare, empty, whole])).toEqual(['whole.jsonl', 'bare.jsonl', 'empty.jsonl']);
    expect(await pathsOf([text], [picked('listed.jsonl')])).toEqual(['listed.jsonl']);
  });
});

describe('a folder that was dropped or picked', () => {
  it('is opened without the folders of tools in it, which are named', async () => {
    const tree = folderEntry(
      'project',
      folderEntry('.git', fileEntry('HEAD')),
      folderEntry('runs', fileEntry('a.jsonl'), folderEntry('node_modules', fileEntry('b.json'))),
      fileEntry('.gitignore'),
    );
    const { files, skipped } = await entriesToFiles([tree]);
    expect(files.map(({ path }) => path)).toEqual(['project/.gitignore', 'project/runs/a.jsonl']);
    expect(skipped).toEqual(['project/.git', 'project/runs/node_modules']);
    const list = listToFiles([
      picked('p/.git/HEAD'),
      picked('p/.git/objects/a'),
      picked('p/node_modules'),
      picked('p/x'),
    ]);
    expect(list.files.map(({ path }) => path)).toEqual(['p/node_modules', 'p/x']);
    expect(list.skipped).toEqual(['p/.git']);
  });

  it('is opened whole where it is such a folder itself', async () => {
    const { files, skipped } = await entriesToFiles([folderEntry('node_modules', fileEntry('a.jsonl'))]);
    expect([files.map(({ path }) => path), skipped]).toEqual([['node_modules/a.jsonl'], []]);
    expect(listToFiles([picked('node_modules/a/x.jsonl')]).files).toHaveLength(1);
  });

  it('says what was left out', () => {
    expect(skippedToSentence(['a/.git'])).toBe(
      'A folder was left out: a/.git. Drop one by itself to open what it holds.',
    );
    expect(skippedToSentence(['a', 'b', 'c', 'd'])).toContain('4 folders were left out: a, b, c and 1 more.');
  });
});
