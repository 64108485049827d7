/** The shipped trials and, where they are, the real ones of other engines, judged; for tests only. */
import { analyseRecovery } from '../../../core/recovery/index.ts';
import type { CampaignReport, RecoveryReport, TrialReport } from '../../../core/recovery/index.ts';
import { openTrace, samplesFolder, sharedFolder } from '../../../core/recovery/testing/opened-trials.ts';

export async function judgeSamples(): Promise<RecoveryReport> {
  const names = ['ticket-incident', 'ticket-with-key', 'clean-control'];
  return analyseRecovery(await Promise.all(names.map((name) => openTrace(samplesFolder, `${name}.hindcast.jsonl`))));
}

export async function judgeShared(names: readonly string[]): Promise<RecoveryReport> {
  return analyseRecovery(await Promise.all(names.map((name) => openTrace(sharedFolder, `${name}.jsonl`))));
}

export function onlyCampaign({ campaigns }: RecoveryReport): CampaignReport {
  const [only] = campaigns;
  if (only === undefined || campaigns.length > 1) throw new Error(`${campaigns.length} campaigns`);
  return only;
}

export function trialNamed({ trials }: CampaignReport, name: string): TrialReport {
  const found = trials.find((trial) => trial.name === name);
  if (found === undefined) throw new Error(`no trial ${name}`);
  return found;
}
