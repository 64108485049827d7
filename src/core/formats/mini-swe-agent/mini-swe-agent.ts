/**
 * mini-swe-agent trajectories: version 2, `{info, messages, trajectory_format}`, and version 1, a list of messages.
 *
 * Each message is a record, and what stands around them is one. The loop is a conversation: an answer with commands, their outputs.
 */
import { isJsonObject } from '../../base/json.ts';
import type { Format, Sniff, SourceFile } from '../format.ts';
import { memberAt, objectAt, textAt, withoutUndefined } from '../members.ts';
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
  read: ({ value, where, beside }) => (isJsonObject(value) ? recordToReading(value, where, beside) : undefined),
  grade: (kinds) =>
    kinds.has('trajectory')
      ? {
          replayGrade: 'nearly',
          missingForReplay: [
            'the control program of mini-swe-agent',
            ...(kinds.has('console') ? ['the console at which a person steered the run'] : []),
          ],
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
  yield notedBeside(await readDocumentEntries(file, count, lists));
}

/** Version 1 has no last message of its own for the end of the run, and marks no command that a person gave. */
function notedBeside(entries: readonly SessionEntry[]): readonly SessionEntry[] {
  const around = entries.find(({ record }) => record?.where === 'document')?.record?.value;
  const info = objectAt(around, 'info');
  const messages = entries.flatMap(({ record }) => (record?.where === 'messages' ? [record] : []));
  const last = messages.at(-1);
  // Of a document that is cut or damaged, the last message may not be the last.
  const isWhole = entries.every(({ record }) => record !== undefined);
  const isEnded = isWhole && textAt(info, 'exit_status') !== undefined && textAt(last?.value, 'role') !== 'exit';
  const end = isEnded ? info : undefined;
  const isConsole = memberAt(objectAt(objectAt(info, 'config'), 'agent'), 'mode') !== undefined;
  const noted = messages.some(({ value }) => memberAt(objectAt(value, 'extra'), 'response') !== undefined);
  const atConsole = isConsole && noted ? true : undefined;
  if (end === undefined && atConsole === undefined) return entries;
  return entries.map((entry) => {
    if (entry.record?.where !== 'messages') return entry;
    const beside = withoutUndefined({ console: atConsole, end: entry.record === last ? end : undefined });
    return { ...entry, record: { ...entry.record, beside } };
  });
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
