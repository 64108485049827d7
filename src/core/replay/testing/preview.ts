/** The preview of an edit file as the worker makes it, over events. */
import type { HindcastEvent } from '../../model/index.ts';
import type { Result } from '../../base/result.ts';
import type { EditFile } from '../edit-file.ts';
import type { PreviewReport } from '../preview.ts';
import { previewEdits as previewOn } from '../preview-edits.ts';
import { readBase } from '../replay-base.ts';

export function previewEdits(events: readonly HindcastEvent[], file: EditFile): Result<PreviewReport, string> {
  const base = readBase(events, undefined, 'main');
  return base.ok ? previewOn(base.value, file, false) : base;
}
