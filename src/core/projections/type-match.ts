/** How a word names types of events: in full, by its beginning, or with underscores for dots. Called wherever a filter is applied. */

/** A type matches its own name, a prefix before a dot or underscore (`tool_call`), and with underscores for dots (`run_started`). */
export function matchesType(type: string, wanted: string): boolean {
  if (type === wanted || type.replaceAll('.', '_') === wanted) return true;
  return type.startsWith(wanted) && /^[._]/.test(type.slice(wanted.length));
}
