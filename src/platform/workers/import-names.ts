/**
 * What a trace is called and which files it is of: decided by what was asked for and by where its events came from.
 *
 * Both lists may have thousands of entries, so neither is held against the other entry by entry. Called at the end of an import.
 */
import { lineToShown, nameToShown } from '../../core/base/shown-text.ts';
import type { NewTrace } from '../storage/index.ts';
import type { ImportRequest, OpenedFile } from './import-methods.ts';

/**
 * The files a trace is of, and what was read of them. Of a trace chosen among several those that its events came from: the others were
 * looked through and hold nothing of it.
 */
export function requestToSource(
  { files, choice }: ImportRequest,
  read: number,
  used: readonly string[] = [],
): Pick<NewTrace, 'files' | 'sourceBytes'> {
  const own = choice === undefined ? files : filesOfPlaces(files, used);
  if (own.length === 0 || own.length === files.length)
    return { files: files.map(({ path }) => path), sourceBytes: read };
  const sizeOf = (some: typeof files): number => some.reduce((sum, { blob }) => sum + blob.size, 0);
  // How much each unpacked to is not known apart; where nothing was packed, that is their size.
  const sourceBytes = sizeOf(files) === read ? sizeOf(own) : read;
  return { files: own.map(({ path }) => path), sourceBytes };
}

/** The name asked for, the folder all files share, or the name of the first file that events came from. */
export function requestToName({ name = '', files }: ImportRequest, used: readonly string[] = []): string {
  const asked = nameToShown(name);
  if (asked !== '') return asked;
  const first = filesOfPlaces(files, used)[0] ?? files[0];
  if (first === undefined) return 'Nothing';
  const folder = first.path.includes('/') ? first.path.slice(0, first.path.indexOf('/')) : undefined;
  if (folder !== undefined && files.length > 1 && files.every(({ path }) => path.startsWith(`${folder}/`)))
    return nameToShown(folder);
  const file = (first.path.split('/').at(-1) ?? first.path)
    .replace(/\.(?:gz|zst)$/, '')
    .replace(/\.(?:hindcast\.)?jsonl?$/, '');
  const shown = nameToShown(file);
  return files.length === 1 ? shown : `${shown} and ${files.length - 1} more`;
}

/** A place names the file, and in an archive what is inside. */
function filesOfPlaces(files: readonly OpenedFile[], places: readonly string[]): readonly OpenedFile[] {
  if (places.length === 0) return [];
  const shown = files.map(({ path }) => lineToShown(path));
  // Only as much of a place is cut off as some file is long: a place may have thousands of parts.
  const lengths = new Set(shown.map(({ length }) => length));
  const used = new Set<string>();
  for (const place of places) {
    used.add(place);
    for (let at = place.indexOf('/'); at >= 0; at = place.indexOf('/', at + 1))
      if (lengths.has(at)) used.add(place.slice(0, at));
  }
  return files.filter((_, n) => used.has(shown[n] ?? ''));
}
