/**
 * The formats this build reads, one line each. Order has no meaning: `detect` decides.
 */
import { claudeCode } from './claude-code/claude-code.ts';
import type { Format } from './format.ts';
import { hindcast } from './hindcast/hindcast.ts';
import { recoveryLab } from './recovery-lab/recovery-lab.ts';

export const formats: readonly Format[] = [hindcast, claudeCode, recoveryLab];
