/**
 * All rules, gravest first. The list of what was checked is made from it; a rule that is not here does not run.
 */
import type { Finding } from '../projections/trace-reader.ts';
import type { AuditView } from './audit-view.ts';
import type { Rule } from './rule.ts';
import { acknowledgementWithoutResult } from './rules/acknowledgement-without-result.ts';
import { actingIdentity } from './rules/acting-identity.ts';
import { agentWithoutRecords } from './rules/agent-without-records.ts';
import { answeredFromKey } from './rules/answered-from-key.ts';
import { bufferedProducerKilled } from './rules/buffered-producer-killed.ts';
import { checkpointCoverage } from './rules/checkpoint-coverage.ts';
import { claimsCompared } from './rules/claims-compared.ts';
import { commitmentWithoutAcknowledgement } from './rules/commitment-without-acknowledgement.ts';
import { decisionEvidence } from './rules/decision-evidence.ts';
import { dispatchWithoutAcknowledgement } from './rules/dispatch-without-acknowledgement.ts';
import { editedRecords } from './rules/edited-records.ts';
import { effectWithoutRequest } from './rules/effect-without-request.ts';
import { executedTwice } from './rules/executed-twice.ts';
import { identityNotRecorded } from './rules/identity-not-recorded.ts';
import { inFlightNotRefused } from './rules/in-flight-not-refused.ts';
import { insufficientForInvalidation } from './rules/insufficient-for-invalidation.ts';
import { keyWithOtherBody } from './rules/key-with-other-body.ts';
import { lateAnswer } from './rules/late-answer.ts';
import { missingEffect } from './rules/missing-effect.ts';
import { noServiceRecords } from './rules/no-service-records.ts';
import { oldObservation } from './rules/old-observation.ts';
import { openCall } from './rules/open-call.ts';
import { orderProblems } from './rules/order-problems.ts';
import { privilegedAccessLog } from './rules/privileged-access-log.ts';
import { recordedTwice } from './rules/recorded-twice.ts';
import { restorePoint } from './rules/restore-point.ts';
import { retryAfterWindow } from './rules/retry-after-window.ts';
import { resultWithoutTransition } from './rules/result-without-transition.ts';
import { secondCommitmentUnderKey } from './rules/second-commitment-under-key.ts';
import { stateVersionNotRecorded } from './rules/state-version-not-recorded.ts';
import { summaryWithoutCommitments } from './rules/summary-without-commitments.ts';
import { unauthorisedCall } from './rules/unauthorised-call.ts';
import { uncertainEffect } from './rules/uncertain-effect.ts';
import { unstableKey } from './rules/unstable-key.ts';

export const rules: readonly Rule[] = [
  executedTwice,
  missingEffect,
  unauthorisedCall,
  secondCommitmentUnderKey,
  inFlightNotRefused,
  keyWithOtherBody,
  unstableKey,
  editedRecords,
  actingIdentity,
  orderProblems,
  commitmentWithoutAcknowledgement,
  dispatchWithoutAcknowledgement,
  uncertainEffect,
  acknowledgementWithoutResult,
  resultWithoutTransition,
  effectWithoutRequest,
  restorePoint,
  summaryWithoutCommitments,
  openCall,
  answeredFromKey,
  retryAfterWindow,
  recordedTwice,
  lateAnswer,
  oldObservation,
  noServiceRecords,
  agentWithoutRecords,
  bufferedProducerKilled,
  claimsCompared,
  privilegedAccessLog,
  insufficientForInvalidation,
  identityNotRecorded,
  decisionEvidence,
  checkpointCoverage,
  stateVersionNotRecorded,
];

const weights = { violation: 0, gap: 1, notice: 2 } as const;

/** Findings of all rules: violations, then gaps, then notices; within each, in the order of the rules. */
export function computeFindings(audit: AuditView): Finding[] {
  const found = rules.flatMap((rule) => rule.run(audit));
  return found.sort((a, b) => weights[a.severity] - weights[b.severity]);
}
