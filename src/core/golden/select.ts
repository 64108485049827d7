/**
 * Which properties of a replayed run are pinned: by selectors, or all that a reader would call its behaviour.
 */
import { type Result, err, ok } from '../base/result.ts';
import type { CommandReport, ReplayReport } from '../replay/index.ts';
import { type GoldenProperty, type PropertyKind, propertyKinds } from './schema.ts';
import { type Seen, chosenOf, isBefore, reportToSeen } from './seen.ts';

export interface Selector {
  readonly kind: PropertyKind;
  /** A path, a name, `*`, or for an order `FIRST < SECOND`. */
  readonly target: string;
}

const defaults: readonly Selector[] = (['decision', 'effect', 'key', 'state', 'order'] as const).map((kind) => ({
  kind,
  target: '*',
}));

/** `kind:target`, as it is typed. */
export function textToSelector(text: string): Result<Selector, string> {
  const colon = text.indexOf(':');
  const kind = propertyKinds.find((one) => one === text.slice(0, colon));
  const target = text.slice(colon + 1).trim();
  if (kind !== undefined && target !== '') return ok({ kind, target });
  return err(`"${text}" is no property. Write KIND:TARGET with one of ${propertyKinds.join(', ')}.`);
}

export function selectProperties(
  report: ReplayReport,
  selectors: readonly Selector[] = defaults,
): Result<readonly GoldenProperty[], string> {
  const seen = reportToSeen(report);
  const properties = new Map<string, GoldenProperty>();
  for (const selector of selectors) {
    const made = selectorToProperties(selector, seen);
    if (!made.ok) return made;
    for (const property of made.value) properties.set(property.id, property);
  }
  if (properties.size > 0) return ok([...properties.values()]);
  return err('There is nothing to pin: the run has no decision, no effect and no state, and no property was named.');
}

function selectorToProperties({ kind, target }: Selector, seen: Seen): Result<readonly GoldenProperty[], string> {
  switch (kind) {
    case 'decision':
      return found(
        pathsOf(seen, 'decide', target).flatMap((command) => decisionOf(command)),
        kind,
        target,
      );
    case 'effect':
      return found(
        pathsOf(seen, 'write', target).flatMap((command) => effectOf(command, seen)),
        kind,
        target,
      );
    case 'key':
      return found(
        pathsOf(seen, 'write', target).flatMap((command) => keyOf(command)),
        kind,
        target,
      );
    case 'state': {
      const names = seen.stateNames().filter((name) => target === '*' || name === target);
      return found(
        names.flatMap((name) => stateOf(name, seen)),
        kind,
        target,
      );
    }
    case 'invariant':
      return ok([{ id: `invariant:${target}`, kind, target, expected: 'absent' }]);
    case 'absence':
      return ok([{ id: `absence:${target}`, kind, target, expected: 'absent' }]);
    case 'order':
      return target === '*' ? ok(effectOrders(seen)) : textToOrder(target, seen);
  }
}

function found(
  properties: readonly GoldenProperty[],
  kind: PropertyKind,
  target: string,
): Result<readonly GoldenProperty[], string> {
  if (properties.length > 0 || target === '*') return ok(properties);
  return err(`The record has no ${kind} "${target}" to pin.`);
}

function pathsOf(seen: Seen, kind: string, target: string): readonly CommandReport[] {
  return seen.commands.filter((command) => command.kind === kind && (target === '*' || command.path === target));
}

function decisionOf(command: CommandReport): readonly GoldenProperty[] {
  const chosen = chosenOf(command);
  if (chosen === undefined) return [];
  // Cast: recorded JSON; the schema's type only lacks `readonly`.
  const expected = chosen as Extract<GoldenProperty, { kind: 'decision' }>['expected'];
  return [{ id: `decision:${command.path}`, kind: 'decision', target: command.path, expected }];
}

/** A write that still waits for its value was not made; what it would be is not pinned. */
function effectOf({ path, name, argsDigest, delivered }: CommandReport, seen: Seen): readonly GoldenProperty[] {
  if (argsDigest === undefined || delivered === undefined) return [];
  const expected = { kind: name, args: argsDigest, count: seen.countSame(name, argsDigest) };
  return [{ id: `effect:${path}`, kind: 'effect', target: path, expected }];
}

/** Protection that the program gives; a key that only the runtime makes is none of the program's. */
function keyOf({ path, idempotencyKey, delivered }: CommandReport): readonly GoldenProperty[] {
  if (idempotencyKey === undefined || delivered === undefined) return [];
  return [{ id: `key:${path}`, kind: 'key', target: path, expected: 'present' }];
}

function stateOf(name: string, seen: Seen): readonly GoldenProperty[] {
  const expected = seen.state(name);
  return expected === undefined || !seen.ended ? [] : [{ id: `state:${name}`, kind: 'state', target: name, expected }];
}

/** Each effect that was asked for when the one before it had been answered. Parallel effects have no order to keep. */
function effectOrders(seen: Seen): readonly GoldenProperty[] {
  const writes = seen.commands.filter(({ kind, delivered }) => kind === 'write' && delivered !== undefined);
  return writes.flatMap((second, n): readonly GoldenProperty[] => {
    const first = writes[n - 1];
    return first !== undefined && isBefore(first, second) ? [orderOf(first.path, second.path)] : [];
  });
}

function textToOrder(target: string, seen: Seen): Result<readonly GoldenProperty[], string> {
  const [first = '', second = '', ...rest] = target.split(' < ').map((part) => part.trim());
  if (first === '' || second === '' || rest.length > 0)
    return err(`"${target}" is no order. Write FIRST < SECOND with two paths.`);
  const absent = [first, second].find((path) => seen.command(path) === undefined);
  if (absent !== undefined) return err(`The record has no command "${absent}" to pin an order of.`);
  return ok([orderOf(first, second)]);
}

function orderOf(first: string, second: string): GoldenProperty {
  return { id: `order:${first} < ${second}`, kind: 'order', target: [first, second], expected: 'before' };
}
