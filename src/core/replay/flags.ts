/**
 * Replay flags: every change that can alter the result of replaying an old record gets a number here, is part of every
 * operation, and is never reused.
 */
export interface ReplayFlag {
  readonly id: number;
  readonly name: string;
  readonly since: string;
  readonly enabled: boolean;
  readonly reason: string;
}

export const replayFlags: readonly ReplayFlag[] = [
  {
    id: 1,
    name: 'one-number-at-delivery',
    since: '0.1.0',
    enabled: true,
    reason: 'A command recorded by one event takes its only position when it is delivered.',
  },
  {
    id: 2,
    name: 'bare-draws-follow-delivery',
    since: '0.1.0',
    enabled: true,
    reason: 'Math.random() and Date.now() without a ctx count to the scope whose command is being delivered.',
  },
  {
    id: 3,
    name: 'scopes-go-on-counting',
    since: '0.1.0',
    enabled: true,
    reason: 'A scope entered again after it ended continues its counters instead of repeating paths.',
  },
  {
    id: 4,
    name: 'catch-cleans-stack',
    since: '0.1.0',
    enabled: true,
    reason: 'Catch clauses clean the stack of errors the interpreter throws, so that lines may shift.',
  },
  {
    id: 5,
    name: 'console-is-kept',
    since: '0.1.0',
    enabled: true,
    reason: 'Control code has a console, whose lines are kept beside the replay; before, naming it was an error.',
  },
  {
    id: 6,
    name: 'shorter-crossings',
    since: '0.1.0',
    enabled: true,
    reason: 'A command computes less and less crosses for it, so that the limits of computing and of bytes fall later.',
  },
  {
    id: 7,
    name: 'acts-are-limited',
    since: '0.1.0',
    enabled: true,
    reason:
      'Acts that wait for nothing have a limit of their own; before, only computing and bytes ended a flood of them.',
  },
  {
    id: 8,
    name: 'ends-belong-to-segments',
    since: '0.1.0',
    enabled: true,
    reason:
      'The end that a branch records is that of the segment it ended, and a roll-over that carries something else is recorded; before, one end counted for every segment.',
  },
  {
    id: 9,
    name: 'changed-reads-in-two-events',
    since: '0.1.0',
    enabled: true,
    reason: 'A read recorded by one event that is asked otherwise on a branch is written as a request and its answer.',
  },
  {
    id: 10,
    name: 'withheld-draws-stop',
    since: '0.1.0',
    enabled: true,
    reason: 'A draw whose recorded value is withheld or missing stops the run there; before, another was computed.',
  },
  {
    id: 11,
    name: 'thrown-values-in-words',
    since: '0.1.0',
    enabled: true,
    reason:
      'A thrown value that is no error is told as its JSON; before, objects were "[object Object]" and others could not be told. A roll-over with what is not JSON is an error of the call, and calls that take functions or a list refuse what is none.',
  },
  {
    id: 12,
    name: 'notes-are-replayed',
    since: '0.1.0',
    enabled: true,
    reason:
      'A branch shows the steps, artifacts and other notes that its own program made, and inherits no record that rests on what it left out; before, it kept the recorded ones.',
  },
  {
    id: 13,
    name: 'given-values-stay',
    since: '0.1.0',
    enabled: true,
    reason:
      'A branch keeps the decisions and outcomes of sub-agents that a person gave it when it is replayed or edited further, and an edited decision is matched by its path alone; before, they were computed again.',
  },
  {
    id: 14,
    name: 'passed-positions-are-left',
    since: '0.1.0',
    enabled: true,
    reason:
      'What is delivered on a branch when its recorded position has passed is written with the position it came to; before, with the recorded one, in which order the branch could not be replayed.',
  },
  {
    id: 15,
    name: 'generators-are-no-programs',
    since: '0.1.0',
    enabled: true,
    reason:
      'A main that is a generator is told as no control program; before, it completed although no line of it ran.',
  },
  {
    id: 16,
    name: 'notes-by-their-own-log',
    since: '0.1.0',
    enabled: true,
    reason:
      'Notes of a type of the program itself are matched as the others are, and each belongs to the segment that its path or its own log says; before, they stood twice, and the order of lines decided.',
  },
  {
    id: 17,
    name: 'held-values-stay',
    since: '0.1.0',
    enabled: true,
    reason:
      'A decision or an outcome of a sub-agent that is edited to what was recorded is held to it beside a change that would make it another; before, such an edit counted for nothing.',
  },
];

export function enabledFlags(): readonly string[] {
  return replayFlags.filter((flag) => flag.enabled).map((flag) => `${String(flag.id)}:${flag.name}`);
}
