/**
 * What is known of Claude Code's own tools from their names (rule `tool-effects`), and of their error answers (rule `error-answer`).
 */

const inner: ReadonlySet<string> = new Set([
  'read',
  'glob',
  'grep',
  'ls',
  'notebookread',
  'webfetch',
  'websearch',
  'bashoutput',
  'taskoutput',
  'todoread',
  'todowrite',
  'toolsearch',
  'exitplanmode',
  'enterplanmode',
  'listmcpresources',
  'readmcpresource',
]);

const outer: ReadonlySet<string> = new Set([
  'bash',
  'write',
  'edit',
  'multiedit',
  'notebookedit',
  'killbash',
  'killshell',
]);

/** Undefined where the name does not tell: the session does not record it. */
export function toolToEffect(name: string): 'none' | 'external' | undefined {
  const known = name.toLowerCase();
  return inner.has(known) ? 'none' : outer.has(known) ? 'external' : undefined;
}

/** The person, or a permission not given, kept the call from running. */
export function isRefusal(text: string, denied: boolean): boolean {
  return denied || /doesn't want to proceed|haven't granted it/.test(text);
}

/** Whether a call that was answered with an error ran; undefined where the answer does not tell. */
export function errorToExecuted(tool: string, text: string, denied: boolean): boolean | undefined {
  if (isRefusal(text, denied) || text.startsWith('<tool_use_error>')) return false;
  if (text.startsWith('[Request interrupted')) return undefined;
  return tool.toLowerCase() === 'bash' ? true : undefined;
}
