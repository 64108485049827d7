/**
 * The two tables a reader of `hindcast recovery` looks at first: which boundary of which effect was struck and what came of it, and how the
 * time to go on changes with the number of the kill.
 */
import { behindLast, startOfEndDigits } from '../core/base/text-end.ts';
import { type Cell, computeKillChange, killPoints, type StrategyReport } from '../core/recovery/index.ts';

/** One row a strategy and effect, one column a point; only valid trials with kills placed on purpose or verified at random. */
export function gridToLines(strategies: readonly StrategyReport[]): readonly string[] {
  const faulted = strategies.filter(({ grid }) => grid.some((cell) => countIn(cell) > 0));
  const effects = [...new Set(faulted.flatMap(({ grid }) => grid.map(({ effect }) => effect)))];
  const struck = effects.filter((effect) =>
    faulted.some(({ grid }) => grid.some((cell) => cell.effect === effect && countIn(cell) > 0)),
  );
  if (struck.length === 0) return [];
  const rows = faulted.flatMap(({ name, grid }) =>
    struck.flatMap((effect) => {
      const own = grid.filter((cell) => cell.effect === effect);
      return [...new Set(own.map(({ beside }) => beside))].map((beside) => [
        `${effects.length > 1 ? `${name}, ${effect}` : name}${beside === undefined ? '' : `, with ${beside}`}`,
        ...own.filter((cell) => cell.beside === beside).map(cellToText),
      ]);
    }),
  );
  const bare = effects.filter((effect) => !struck.includes(effect));
  return [
    '',
    'Boundaries struck, by the records (n = valid trials)',
    ...toAligned([['design', ...killPoints], ...rows]),
    '  ok once   2x executed twice (6x: six times)   +2x another effect executed twice   lost missing   ? not known',
    '  X not completed   m model asked again   r placed at random only   - not struck',
    ...(bare.length === 0 ? [] : [`  Not struck at any boundary: ${bare.join(', ')}.`]),
  ];
}

const goesOn = 'next-acknowledged';

/**
 * Runs that were killed several times: each time by itself, in the column of its kill. Independent runs are no repetitions and not here.
 */
export function ordinalsToLines(strategies: readonly StrategyReport[]): readonly string[] {
  const found = strategies.map(({ name, ordinals }) => ({
    name,
    own: ordinals.filter(({ metric, grouping, fault }) => {
      const isRepeat = grouping === 'several kills in one run';
      return metric === goesOn && isRepeat && fault === undefined;
    }),
  }));
  const numbers = [...new Set(found.flatMap(({ own }) => own.map(({ ordinal }) => ordinal)))].sort((a, b) => a - b);
  if (numbers.length === 0) return [];
  const rows = found
    .filter(({ own }) => own.length > 0)
    .map(({ name, own }) => [
      name,
      ...numbers.map((number) => {
        const times = own.filter(({ ordinal }) => ordinal === number).flatMap(({ observations }) => observations);
        return times.length === 0
          ? '-'
          : times
              .map(({ ms, basis }) => `${String(Math.round(ms))}${basis === undefined ? '' : ' (wall)'}`)
              .join(' / ');
      }),
    ]);
  return [
    '',
    'By the number of the kill in one run: ms from the kill to the next acknowledged attempt (every observation; anchors below)',
    ...toAligned([['design', ...numbers.map((number) => `kill ${number}`)], ...rows]),
    ...strategies.flatMap((strategy) => {
      const change = computeKillChange(strategy, goesOn);
      if (change === undefined) return [];
      const anchors = change.observations.map(({ start, end }) => `${start.event} to ${end.event}`).join('; ');
      return [`  ${strategy.name}: ${change.text} [${anchors}]`];
    }),
  ];
}

function toAligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0),
  );
  return rows.map((row) => `  ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}

function countIn({ fixed, repeated, random }: Cell): number {
  return fixed.length + repeated.length + random.length;
}

/** Of the trials that executed it more than once. */
function timesOf(executions: readonly number[]): string {
  const more = executions.filter((n) => n > 1).sort((a, b) => a - b);
  const [least = 2, most = 2] = [more[0], more.at(-1)];
  return least === most ? String(least) : `${least}-${most}`;
}

/** `tickets.create` of `/write:tickets.create#0`. */
function nameOf(effect: string): string {
  const at = startOfEndDigits(effect) - 1;
  if (at < 1 || at === effect.length - 1 || effect.charAt(at) !== '#') return effect;
  return behindLast(effect.slice(0, at), '/:') || effect;
}

function cellToText({
  fixed,
  repeated,
  random,
  completed,
  withDuplicates,
  executions,
  otherDuplicates,
  withLosses,
  notKnown,
  withExtraModelCalls,
  extraModelCallsNotKnown,
}: Cell): string {
  const n = fixed.length + repeated.length + random.length;
  if (n === 0) return '-';
  const marks: string[] = [];
  const part = (count: number): string => (count === n ? '' : ` ${count}/${n}`);
  if (withDuplicates > 0) marks.push(`${timesOf(executions)}x${part(withDuplicates)}`);
  for (const { name, trials } of othersByName(otherDuplicates)) marks.push(`+2x ${name}${part(trials)}`);
  if (withLosses > 0) marks.push(`lost${part(withLosses)}`);
  if (notKnown > 0) marks.push(`?${part(notKnown)}`);
  if (completed < n) marks.push(`X${part(n - completed)}`);
  if (marks.length === 0) marks.push('ok');
  if (withExtraModelCalls > 0) marks.push(`m${part(withExtraModelCalls)}`);
  if (extraModelCallsNotKnown > 0) marks.push(`m?${part(extraModelCallsNotKnown)}`);
  if (fixed.length + repeated.length === 0) marks.push('r');
  return `${marks.join(' ')} n=${n}`;
}

/** Of one name once, with how many effects it stands for: a loop makes many. In at least so many trials. */
function othersByName(others: Cell['otherDuplicates']): readonly { readonly name: string; readonly trials: number }[] {
  const byName = new Map<string, { readonly effects: number; readonly trials: number }>();
  for (const { effect, trials } of others) {
    const known = byName.get(nameOf(effect)) ?? { effects: 0, trials: 0 };
    byName.set(nameOf(effect), { effects: known.effects + 1, trials: Math.max(known.trials, trials) });
  }
  return [...byName].map(([name, { effects, trials }]) => ({
    name: effects === 1 ? name : `${name} (${effects} effects)`,
    trials,
  }));
}
