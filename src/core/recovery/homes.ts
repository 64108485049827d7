/**
 * The campaign that each trial stands in: the recorded one, else that of trials of equal envelope (rule `campaign-by-envelope`).
 *
 * Whoever injects nothing may record neither a campaign nor what the injector needs: a control stands beside the trials that name it, else
 * beside those of its design whose envelope is its own but for what is told of the fault. Invariant: between two campaigns nothing chooses;
 * a control that stands alone says why. Called by campaign.ts.
 */
import { compareEnvelopes, differencesToText, envelopeToCampaignKey, isControlOf } from './envelope.ts';
import { armOf } from './control.ts';
import { nameOf, strategyOf } from './trial.ts';
import { textIn, type TrialRecords } from './trial-records.ts';

export interface Home {
  readonly campaign: string;
  /** Of a control beside which no trial with a fault stands. */
  readonly whyAlone?: string | undefined;
}

export function homesOf(trials: readonly TrialRecords[]): ReadonlyMap<string, Home> {
  const faulted = trials.filter((trial) => armOf(trial).value !== 'control');
  return new Map(
    trials.map((trial) => [trial.run, faulted.includes(trial) ? { campaign: keyOf(trial) } : homeOf(trial, faulted)]),
  );
}

function keyOf({ data, envelope }: TrialRecords): string {
  return data.campaign === undefined ? `e:${envelopeToCampaignKey(envelope)}` : `c:${data.campaign}`;
}

function homeOf(control: TrialRecords, faulted: readonly TrialRecords[]): Home {
  const own = keyOf(control);
  const isBeside = faulted.some((trial) => keyOf(trial) === own);
  if (isBeside) return { campaign: own };
  if (control.data.campaign !== undefined)
    return { campaign: own, whyAlone: 'no trial with a fault records the campaign that it records' };
  const named = faulted.filter(({ data }) => [control.run, nameOf(control)].includes(textIn(data, 'control') ?? ''));
  const alike = faulted.filter((trial) => isOfDesign(trial, control) && isControlOf(control.envelope, trial.envelope));
  const [only, another] = [...new Set((named.length > 0 ? named : alike).map(keyOf))];
  if (only !== undefined && another === undefined) return { campaign: only };
  return { campaign: own, whyAlone: another === undefined ? whyNone(control, faulted) : whySeveral(named.length > 0) };
}

function isOfDesign(trial: TrialRecords, control: TrialRecords): boolean {
  return strategyOf(trial) === strategyOf(control);
}

function whySeveral(isNamed: boolean): string {
  return isNamed
    ? 'trials of several campaigns name it'
    : 'no trial names it, and trials of several campaigns have its envelope';
}

function whyNone(control: TrialRecords, faulted: readonly TrialRecords[]): string {
  if (faulted.length === 0) return 'no trial with a fault is among the traces';
  const ofDesign = faulted.filter((trial) => isOfDesign(trial, control));
  if (ofDesign.length === 0) return 'no trial names it, and none with a fault is of its design';
  const [nearest = []] = ofDesign
    .map((trial) => compareEnvelopes(control.envelope, trial.envelope, false))
    .sort((a, b) => a.length - b.length);
  return `no trial names it, and the envelopes of its design are others (${differencesToText(nearest)})`;
}
