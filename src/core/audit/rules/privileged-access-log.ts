/** Without an access log, the use of privileged access cannot be answered (R60). */
import { type Rule, createFinding } from '../rule.ts';

export const privilegedAccessLog: Rule = {
  id: 'privileged-access-log',
  title: 'A record of the use of privileged access',
  severity: 'notice',
  establishes: 'The trace holds no record of privileged access.',
  leavesOpen: 'Whether there was any: a stream that never recorded it and a run without it look alike.',
  requirements: ['R60', 'R54'],
  run: (audit) => {
    const logged = new Set(audit.events('access.exercised').map(({ run }) => run));
    const named = audit
      .events('tool_call.dispatched')
      .filter(({ principal, run }) => principal?.privileged_path !== undefined && !logged.has(run));
    // The log of one run is none of another that was opened together with it.
    if (logged.size > 0 && named.length === 0) return [];
    const paths = [...new Set(named.map(({ principal }) => principal?.privileged_path ?? ''))];
    return [
      createFinding(privilegedAccessLog, {
        subject: 'trace',
        title: 'Use of privileged access not recorded',
        text:
          paths.length === 0
            ? 'No record tells of privileged access by a person or a process. Whether there was any cannot be answered from this trace.'
            : `Calls name the privileged path ${paths.map((path) => `"${path}"`).join(', ')}, and no access log ${logged.size > 0 ? 'of their run ' : ''}is in this trace.`,
        evidence: named.map(({ id }) => id),
        known: paths.map((path) => `Named on a call: "${path}".`),
        unknown: ['Use of privileged access: not recorded.'],
      }),
    ];
  },
};
