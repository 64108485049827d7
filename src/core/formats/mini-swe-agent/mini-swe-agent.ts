/**
 * mini-swe-agent trajectories: version 2, `{info, messages, trajectory_format}`, and version 1, a list of messages.
 *
 * Each message is a record, and what stands around them is one. The loop is a conversation: an answer with commands, their outputs.
 */
import { isJsonObject } from '../../base/json.ts';
import type { Format, Sniff, SourceFile } from '../format.ts';
import { createSessionFormat } from '../session/read.ts';
import { type CountBytes, readDocumentEntries, type SessionEntry } from '../session/source.ts';
import { hasAll, textToTopKeys } from '../session/top-keys.ts';
import { recordToReading } from './reading.ts';

export const miniSweAgent: Format = createSessionFormat({
  id: 'mini-swe-agent',
  loop: 'task',
  label: 'mini-swe-agent trajectory',
  program: 'mini-swe-agent',
  detect: detectTrajectory,
  entries: readEntries,
  read: ({ value, where }) => (isJsonObject(value) ? recordToReading(value, where) : undefined),
  grade: (kinds) =>
    kinds.has('trajectory')
      ? {
          replayGrade: 'nearly',
          missingForReplay: ['the control program of mini-swe-agent'],
        }
      : {
          replayGrade: 'mostly',
          missingForReplay: [
            'the control program of mini-swe-agent',
            'the model and its settings',
            'the raw answers of the model',
            'times',
          ],
        },
});

const lists: ReadonlySet<string> = new Set(['', 'messages']);

async function* readEntries(file: SourceFile, count: CountBytes): AsyncGenerator<readonly SessionEntry[]> {
  yield await readDocumentEntries(file, count, lists);
}

function detectTrajectory({ text }: Sniff): number {
  if (!/^\s*[[{]/.test(text)) return 0;
  const { isList, keys } = textToTopKeys(text);
  if (isList) {
    const isCommands = /```(mswea_bash_command|bash)\\n/.test(text) && /<returncode>/.test(text);
    return hasAll(keys, 'role', 'content') && isCommands ? 0.8 : 0;
  }
  if (/"trajectory_format"\s*:\s*"mini-swe-agent/.test(text)) return 0.97;
  if (!hasAll(keys, 'info')) return 0;
  // The name of the format stands at the end of long files.
  return /"(agent_type|model_type|mini_version)"\s*:\s*"(minisweagent|\d)/.test(text) ? 0.9 : 0;
}
