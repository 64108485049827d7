/** The words that the share panel and the page in its preview frame say to each other. */
/** Address at which a share file is opened that came without a link. */
export const shareFileFragment = '#share-file';
export const previewFragment = '#preview';
export const previewReady = 'hindcast-preview-ready';
export const previewShown = 'hindcast-preview-shown';
const previewAnswered = 'hindcast-preview-answered';

/** What became in the frame of the copy that was handed over with this number. */
export interface PreviewAnswer {
  readonly turn: number;
  /** Why it could not be opened; undefined where it is shown. */
  readonly problem: string | undefined;
}

export function previewAnswerToData({ turn, problem }: PreviewAnswer): object {
  return { kind: previewAnswered, turn, problem };
}

/** Undefined for any other message: whatever runs in a page may send some. */
export function dataToPreviewAnswer(data: unknown): PreviewAnswer | undefined {
  if (typeof data !== 'object' || data === null || !('kind' in data) || data.kind !== previewAnswered) return undefined;
  if (!('turn' in data) || typeof data.turn !== 'number') return undefined;
  const problem = 'problem' in data && typeof data.problem === 'string' ? data.problem : undefined;
  return { turn: data.turn, problem };
}
