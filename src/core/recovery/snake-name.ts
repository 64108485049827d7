/** Names in one spelling, so that a part of a name is found however it is joined. */

/** `gitCommit` as `git_Commit`, `RTTMs` as `RTT_Ms`. */
export function toSnake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/([A-Z])([A-Z][a-z])/g, '$1_$2');
}
