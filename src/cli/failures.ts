/**
 * What the host says about a file that a command reads besides its input, or writes, as a sentence: what, where, what to do.
 *
 * Called by every command that takes a file by an option. The input itself is opened by `platform/files`, which has its own sentences.
 */

/** `what` names the file by the part it has: "The edit file". */
export function readFailure(what: string, path: string, error: unknown): string {
  switch (toCode(error)) {
    case 'ENOENT':
      return `${what} is not there: there is no file at ${named(path)}. Look at the name, and at the folder you are in.`;
    case 'EISDIR':
      return `${what} cannot be read: ${path} is a folder. Name a file in it.`;
    case 'ENOTDIR':
      return `${what} is not there: a part of ${path} is a file and no folder.`;
    case 'EACCES':
    case 'EPERM':
      return `${what} may not be read by this user: ${path}.`;
    default:
      return `${what} cannot be read: ${path}: ${textOf(error)}.`;
  }
}

/** `what` names what was to be written: "The copy". Nothing is left of it. */
export function writeFailure(what: string, path: string, error: unknown): string {
  switch (toCode(error)) {
    case 'EEXIST':
      return `${path} exists already. Choose another name, or remove it first.`;
    case 'ENOENT':
      return `${what} cannot be written to ${named(path)}: the folder it would stand in does not exist. Make it first, or choose another.`;
    case 'EISDIR':
      return `${what} cannot be written to ${path}: it is a folder. Name a file in it.`;
    case 'ENOTDIR':
      return `${what} cannot be written to ${path}: a part of the path is a file and no folder. Choose another.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `${what} cannot be written to ${path}: this user may not write there. Choose another folder.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `${what} cannot be written to ${path}: there is no room left. Make some, or choose another disk.`;
    case 'ENAMETOOLONG':
      return `${what} cannot be written: the name is too long. Choose a shorter one.`;
    default:
      return `${what} cannot be written to ${path}: ${textOf(error)}. Choose a name in a folder that exists and may be written to.`;
  }
}

function toCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function named(path: string): string {
  return path === '' ? 'an empty path' : path;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
