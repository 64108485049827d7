/** Outside requests without any record of the system that received them (R31). */
import { isRequested } from '../../projections/effects/attempt.ts';
import type { EffectCommand, EffectLedger } from '../../projections/effects/ledger.ts';
import { countToText } from '../../projections/effects/words.ts';
import { type Rule, createFinding } from '../rule.ts';

export const noServiceRecords: Rule = {
  id: 'no-service-records',
  title: 'Records of the services that were asked',
  severity: 'notice',
  establishes: 'A run holds requests of this tool, and the trace no record of the system that would execute them.',
  leavesOpen: 'Whether these requests were executed, once or more than once: only the caller tells of them.',
  requirements: ['R31', 'R100'],
  run: ({ ledger }) => {
    const byTool = new Map<string, EffectCommand[]>();
    for (const command of ledger.commands) {
      if (command.hasServiceRecords || command.stopped !== undefined || !command.attempts.some(isRequested)) continue;
      const list = byTool.get(command.tool);
      if (list === undefined) byTool.set(command.tool, [command]);
      else list.push(command);
    }
    return [...byTool].map(([tool, commands]) =>
      createFinding(noServiceRecords, {
        subject: tool,
        title: `"${tool}": no records of the service`,
        text: `${countToText(commands.length, 'request')} of "${tool}" left; no record of the service that received ${commands.length === 1 ? 'it' : 'them'} is in this trace${isElsewhere(ledger, tool) ? '; those of other runs say nothing of this one' : ''}. What was executed is told by the caller alone.`,
        evidence: commands.map(({ first }) => first.id),
        known: toKnown(tool, commands),
        unknown: [
          'Whether the service executed them as the caller tells, and how often: no record of its own says it.',
        ],
        ...(commands.length === 1 ? { command: commands[0]?.path } : {}),
      }),
    );
  },
};

/** The service told of another run. */
function isElsewhere({ commands }: EffectLedger, tool: string): boolean {
  return commands.some((command) => command.tool === tool && command.hasServiceRecords);
}

/** What the caller tells of them, in the words of the effects table. */
function toKnown(tool: string, commands: readonly EffectCommand[]): string[] {
  const answered = commands.filter(({ verdict }) => verdict === 'executed once').length;
  const open = commands.filter(({ verdict }) => verdict === 'uncertain').length;
  return [
    `${countToText(commands.length, 'command')} of "${tool}" dispatched.`,
    ...(answered === 0 ? [] : [`${countToText(answered, 'command')} answered: executed, as the caller tells.`]),
    ...(open === 0 ? [] : [`${countToText(open, 'command')} uncertain: no single answer is recorded.`]),
  ];
}
