/** Verdicts that producers wrote into the stream, compared with what the records establish. Never an input of a verdict. */
import type { HindcastEvent } from '../../model/index.ts';
import type { EffectCommand } from '../../projections/effects/ledger.ts';
import { openToClauses } from '../../projections/effects/open-words.ts';
import { capitalise, listToText, timesToText, verdictToText } from '../../projections/effects/words.ts';
import { commandToName } from '../attempt-words.ts';
import type { AuditView } from '../audit-view.ts';
import { type Rule, createFinding } from '../rule.ts';

export const claimsCompared: Rule = {
  id: 'claims-compared',
  title: 'Claims of duplicates in the stream, compared with the records',
  severity: 'notice',
  establishes:
    'A producer recorded that an effect was a duplicate, and the records of the effect do not show one, or the reverse.',
  leavesOpen: 'Which is right: the claim may rest on what this trace does not hold.',
  requirements: ['R100', 'R137'],
  run: (audit) =>
    audit.events('duplicate.detected').flatMap((claim) => {
      const claimed = idsOf(claim);
      const commands = commandsOf(audit, claim, claimed);
      if (commands.some(({ verdict }) => verdict === 'executed twice')) return [];
      const isOpen = commands.some(isUndecided);
      return [
        createFinding(claimsCompared, {
          subject: claim.id,
          title: isOpen
            ? 'A recorded claim of a duplicate is not confirmed by the records'
            : 'A recorded claim of a duplicate does not agree with the records',
          text: `${claim.id} claims a duplicate effect${claimed.length === 0 ? '' : ` (${listToText(claimed)})`}; ${recordsToText(commands)}.`,
          evidence: [
            claim.id,
            ...commands.flatMap(({ executions }) => executions.flatMap(({ records }) => records.map(({ id }) => id))),
          ],
          known: [`Claimed by ${claim.source.component}.`, ...missingToKnown(commands, claimed)],
          unknown: [
            'On what the claim rests.',
            ...commands.flatMap(openToClauses).map((clause) => `${capitalise(clause)}.`),
          ],
          command: commands[0]?.path,
        }),
      ];
    }),
};

function recordsToText(commands: readonly EffectCommand[]): string {
  if (commands.length === 0) return 'it names no effect of this trace';
  const shown = commands.map((command) => {
    const ids = executedIds(command);
    const clauses = openToClauses(command).map((clause) => `; ${clause}`);
    return `the records of "${commandToName(command)}" show: ${verdictOf(command)}${ids.length === 0 ? '' : ` (${listToText(ids)})`}${clauses.join('')}`;
  });
  return shown.join('; ');
}

/** What is open is told in clauses of its own. */
function verdictOf(command: EffectCommand): string {
  const times = command.ofOneKind.length;
  if (isUndecided(command) && times > 0) return `executed at least ${timesToText(times)}`;
  return verdictToText({ ...command, times, noServiceRecords: !command.hasServiceRecords });
}

function isUndecided({ verdict }: EffectCommand): boolean {
  return verdict === 'uncertain' || verdict === 'not decidable in this copy';
}

function missingToKnown(commands: readonly EffectCommand[], claimed: readonly string[]): string[] {
  const known = new Set(commands.flatMap(executedIds));
  const missing = claimed.filter((id) => !known.has(id));
  if (commands.length === 0 || missing.length === 0) return [];
  return [`Of ${listToText(missing)} no commitment is recorded.`];
}

/** By the commitment that it names as its cause, else by the effects that it names: of its run, and of the kind it tells. */
function commandsOf(audit: AuditView, claim: HindcastEvent, claimed: readonly string[]): readonly EffectCommand[] {
  const causes = new Set((claim.causes ?? []).map(({ event }) => event));
  const ofRun = audit.ledger.commands.filter(({ run }) => run === claim.run);
  const named = audit.ledger.commands.filter(
    ({ executions, attempts }) =>
      executions.some(({ records }) => records.some(({ id }) => causes.has(id))) ||
      attempts.some(({ records }) => [...records.dispatched, ...records.requested].some(({ id }) => causes.has(id))),
  );
  if (named.length > 0) return named;
  const ids = new Set(claimed);
  const kind = textOf(claim, 'kind');
  const anyKind = ofRun.filter((command) => namedBy(command, ids, undefined));
  // Another word for its kind hides no effect that it names.
  const ofKind = anyKind.filter((command) => namedBy(command, ids, kind));
  const holding = ofKind.length > 0 ? ofKind : anyKind;
  // An id is a service's own: where the claim is one's, another's effect of that id is not meant.
  const own = holding.filter(({ service }) => service === claim.source.component);
  return own.length > 0 ? own : holding;
}

function namedBy({ executions, told }: EffectCommand, ids: ReadonlySet<string>, kind: string | undefined): boolean {
  const isOfKind = (own: string | undefined): boolean => kind === undefined || own === undefined || own === kind;
  return (
    executions.some(({ effectId, kind: own }) => effectId !== undefined && ids.has(effectId) && isOfKind(own)) ||
    told.some(({ id }) => ids.has(id))
  );
}

function executedIds({ executions }: EffectCommand): readonly string[] {
  return executions.flatMap(({ effectId }) => effectId ?? []);
}

/** `data.effects`, and the one effect of `data.effect` or `data.effect_id`. */
function idsOf(claim: HindcastEvent): readonly string[] {
  const effects: unknown = claim.data?.['effects'];
  const list: readonly unknown[] = Array.isArray(effects) ? effects : [];
  const all = [...list, claim.data?.['effect'], claim.data?.['effect_id']];
  return [...new Set(all.flatMap(toId))];
}

function toId(value: unknown): readonly string[] {
  const id: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'id') : value;
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? [String(id)] : [];
}

function textOf(claim: HindcastEvent, field: string): string | undefined {
  const value: unknown = claim.data?.[field];
  return typeof value === 'string' ? value : undefined;
}
