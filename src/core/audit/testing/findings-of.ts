/** Findings of one rule in a drawn trace, or on one branch of it. */
import { viewToLedger } from '../../projections/effects/view-ledger.ts';
import { drawView, viewToProblems } from '../../projections/testing/drawn-view.ts';
import type { Finding } from '../../projections/trace-reader.ts';
import { computeFindings } from '../registry.ts';
import { viewToAudit } from '../view-audit.ts';

export function findingsOf(rule: string, drawing: string, branch?: string): readonly Finding[] {
  const view = drawView(drawing, branch);
  const all = computeFindings(viewToAudit(view, viewToLedger(view), viewToProblems(view)));
  return all.filter((finding) => finding.rule === rule);
}
