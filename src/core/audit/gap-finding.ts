/**
 * A gap as a finding: what is known, what is not, between which two records (R26, R27). One place for the four rules.
 *
 * Invariant: the text names no action to take. Whether the effect happened is stated only as far as the service told it.
 */
import type { Finding } from '../projections/trace-reader.ts';
import { capitalise } from '../projections/effects/words.ts';
import {
  absenceToSentence,
  absenceWord,
  attemptToEvidence,
  attemptToKnown,
  commandToAct,
  commandToName,
  executionIds,
  killToSentence,
  laterToKnown,
  lifeToName,
  outcomeToUnknown,
} from './attempt-words.ts';
import type { AuditView } from './audit-view.ts';
import { type Gap, type GapKind, computeGaps } from './gaps.ts';
import { type Rule, createFinding } from './rule.ts';

export function gapFindings(audit: AuditView, rule: Pick<Rule, 'id' | 'severity'>, kind: GapKind): Finding[] {
  return computeGaps(audit)
    .filter((gap) => gap.kind === kind)
    .map((gap) => gapToFinding(audit, rule, gap));
}

function gapToFinding(audit: AuditView, rule: Pick<Rule, 'id' | 'severity'>, gap: Gap): Finding {
  const { command, attempt } = gap;
  const { declarations } = audit.ledger;
  const missing = missingRecord(gap);
  const word = absenceWord(attempt.life, declarations);
  const name = commandToName(command);
  const first = attempt.records.dispatched[0]?.id ?? attempt.reemitted[0]?.id ?? '';
  const killed = attempt.life?.killed === true ? ` ${killToSentence(attempt.life)}` : '';
  return createFinding(rule, {
    subject: first,
    title: `${name}: ${missing} ${word}`,
    text: `${lastKnown(gap)} ${capitalise(missing)} of ${lifeToName(attempt.life)}: ${word}.${killed}`,
    evidence: [...attemptToEvidence(attempt), ...gap.filledBy],
    known: [...attemptToKnown(attempt), ...lateKnown(gap), ...laterToKnown(command, attempt), ...filledKnown(gap)],
    unknown: [absenceToSentence(missing, attempt.life, declarations), ...openQuestions(gap)],
    command: command.path,
    interval: intervalOf(gap),
  });
}

function missingRecord({ kind }: Gap): string {
  switch (kind) {
    case 'request':
    case 'commitment':
      return 'acknowledgement';
    case 'acknowledgement':
      return 'persisted result';
    case 'result':
      return 'state transition';
  }
}

function lastKnown({ kind, command, attempt }: Gap): string {
  const act = commandToAct(command);
  const who = lifeToName(attempt.life);
  const { committed, deduplicated } = attempt.records;
  switch (kind) {
    case 'request':
      return `${capitalise(act)} was dispatched by ${who}.`;
    case 'commitment':
      return committed.length > 0
        ? `The service committed ${executionIds(committed)} for the ${act} that ${who} dispatched.`
        : `The service returned the saved answer for ${executionIds(deduplicated)} to ${who}.`;
    case 'acknowledgement':
      return `The answer to the ${act} reached ${who}.`;
    case 'result':
      return `The result of the ${act} was persisted by ${who}.`;
  }
}

function intervalOf({ kind, attempt }: Gap): string {
  const { committed } = attempt.records;
  switch (kind) {
    case 'request':
      return 'between the dispatch and its acknowledgement';
    case 'commitment':
      return committed.length > 0
        ? `between the commitment of ${executionIds(committed)} and its acknowledgement`
        : 'between the saved answer and its acknowledgement';
    case 'acknowledgement':
      return 'between the acknowledgement and the persisted result';
    case 'result':
      return 'between the persisted result and the state transition';
  }
}

function openQuestions({ kind, command, attempt }: Gap): string[] {
  const status = command.statuses.get(attempt);
  if (kind === 'request' && status === 'uncertain') {
    return [outcomeToUnknown(command, 'this request')];
  }
  if (kind === 'commitment') return ['Whether the answer ever reached the caller.'];
  if (kind === 'acknowledgement') return ['Whether the answer was kept anywhere that a later life could read.'];
  return [];
}

function lateKnown({ command, attempt }: Gap): string[] {
  const late = attempt.records.committed.filter(({ id }) => command.late.has(id) && !command.markedLate.has(id));
  return late.length === 0 ? [] : [`The commitment of ${executionIds(late)} came after the next attempt had begun.`];
}

function filledKnown({ filledBy }: Gap): string[] {
  return filledBy.length === 0 ? [] : ['Later: another life made the transition from this result.'];
}
