/** The result of a replay, as recorded with its branch, in the words of the page. Used wherever a branch is named. */
export function branchStatusToWords(status: string): string {
  // `blocked` is the engine's word: nothing is broken, the branch stops where no record has an answer.
  return status === 'blocked' ? 'waits for answers' : status.replaceAll('-', ' ');
}
