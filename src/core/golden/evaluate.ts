/**
 * Properties against a replay: each holds, is broken, is not decided, or is exempt, with a sentence that says why.
 *
 * Invariant: what is absent is broken only when the run came to its end; a run that waits for a value has not decided it. Used by `run.ts`
 * and, to refuse what does not hold in the record itself, by `pin.ts`.
 */
import type { JsonValue } from '../base/json.ts';
import { digest } from '../model/index.ts';
import type { GoldenProperty } from './schema.ts';
import { type Seen, chosenOf, isBefore, movedToText } from './seen.ts';

export type PropertyStatus = 'holds' | 'broken' | 'not-decided' | 'exempt';

export interface PropertyResult {
  readonly property: GoldenProperty;
  readonly status: PropertyStatus;
  readonly sentence: string;
  /** What is there instead, where something is. */
  readonly actual?: JsonValue;
}

/** A finding of the audit, as far as an invariant needs it. */
export interface GoldenFinding {
  readonly rule: string;
  readonly text: string;
}

export interface EvaluateInput {
  readonly seen: Seen;
  /** Of the audit of the branch. */
  readonly findings: readonly GoldenFinding[];
  /** Paths and property ids that may differ. */
  readonly exempt: ReadonlySet<string>;
}

export function evaluateProperty(property: GoldenProperty, input: EvaluateInput): PropertyResult {
  const found = { property, ...judge(property, input) };
  // What was not reached is not decided, whether it may differ or not.
  if (found.status !== 'broken' || !isExempt(property, input)) return found;
  return { ...found, status: 'exempt', sentence: `It may differ, by an intended change. ${found.sentence}` };
}

function isExempt({ id, kind, target }: GoldenProperty, { exempt, seen }: EvaluateInput): boolean {
  if (exempt.has(id)) return true;
  if (kind === 'invariant') return false;
  if (kind === 'order') return target.some((path) => exempt.has(path));
  return exempt.has(target) || (kind === 'state' && seen.transitions(target).some((path) => exempt.has(path)));
}

type Judgement = Omit<PropertyResult, 'property'>;

function judge(property: GoldenProperty, input: EvaluateInput): Judgement {
  const { seen } = input;
  switch (property.kind) {
    case 'decision':
      return judgeDecision(property, seen);
    case 'effect':
      return judgeEffect(property, seen);
    case 'key':
      return judgeKey(property.target, seen);
    case 'state':
      return judgeState(property, seen);
    case 'invariant': {
      const finding = input.findings.find(({ rule }) => rule === property.target);
      if (finding !== undefined) return { status: 'broken', sentence: finding.text };
      return absent(seen, `No finding of ${property.target}.`);
    }
    case 'absence':
      return judgeAbsence(property.target, seen);
    case 'order':
      return judgeOrder(property.target, seen);
  }
}

function judgeDecision({ target, expected }: Extract<GoldenProperty, { kind: 'decision' }>, seen: Seen): Judgement {
  const chosen = chosenOf(seen.command(target));
  if (chosen === undefined) return missing(seen, `The decision ${target}`);
  if (digest(chosen) === digest(expected))
    return { status: 'holds', sentence: `${target} chooses ${textOf(chosen)}${movedToText(seen, target)}.` };
  const sentence = `${target} chooses ${textOf(chosen)} instead of ${textOf(expected)}.`;
  return { status: 'broken', sentence, actual: chosen };
}

function judgeEffect({ target, expected }: Extract<GoldenProperty, { kind: 'effect' }>, seen: Seen): Judgement {
  const command = seen.command(target);
  if (command?.kind !== 'write') return missing(seen, `The effect ${target}`);
  const args = command.argsDigest ?? '';
  const count = seen.countSame(expected.kind, expected.args);
  const actual = { kind: command.name, args, count };
  if (command.name !== expected.kind)
    return { status: 'broken', sentence: `${target} is ${command.name} instead of ${expected.kind}.`, actual };
  if (args !== expected.args)
    return { status: 'broken', sentence: `${target} is asked for with other arguments.`, actual };
  if (count > expected.count) {
    const sentence = `${target}: ${String(count)} effects with these arguments instead of ${String(expected.count)}.`;
    return { status: 'broken', sentence, actual };
  }
  if (count < expected.count) {
    const sentence = `${target}: ${String(count)} of ${String(expected.count)} effects are there`;
    return seen.ended
      ? { status: 'broken', sentence: `${sentence}, the others are removed.`, actual }
      : { status: 'not-decided', sentence: `${sentence}, the others are not reached.`, actual };
  }
  return { status: 'holds', sentence: `${target} is asked for as recorded${movedToText(seen, target)}.` };
}

function judgeKey(target: string, seen: Seen): Judgement {
  const command = seen.command(target);
  if (command === undefined) return missing(seen, `The effect ${target}`);
  const moved = movedToText(seen, target);
  return command.idempotencyKey === undefined
    ? { status: 'broken', sentence: `${target} is asked for without an idempotency key${moved}.` }
    : { status: 'holds', sentence: `${target} is asked for with an idempotency key${moved}.` };
}

function judgeState({ target, expected }: Extract<GoldenProperty, { kind: 'state' }>, seen: Seen): Judgement {
  const actual = seen.state(target);
  // A later version may still come.
  if (!seen.ended) return { status: 'not-decided', sentence: `The run has not ended, so ${target} may still change.` };
  if (actual === expected) return { status: 'holds', sentence: `The last ${target} is the recorded one.` };
  if (actual === undefined) return { status: 'broken', sentence: `The state ${target} is never made.` };
  return { status: 'broken', sentence: `The last ${target} has another value.`, actual };
}

function judgeAbsence(target: string, seen: Seen): Judgement {
  const found = seen.commands.find(({ kind, path, name }) => kind === 'write' && (path === target || name === target));
  if (found !== undefined)
    return { status: 'broken', sentence: `${found.path} asks for an effect that must not be.`, actual: found.path };
  return absent(seen, `${target} is not asked for.`);
}

function judgeOrder([first, second]: readonly [string, string], seen: Seen): Judgement {
  const [a, b] = [seen.command(first), seen.command(second)];
  if (b === undefined) return missing(seen, second);
  if (a === undefined)
    return { status: 'broken', sentence: `${second} is asked for, and ${first} was not asked for before it.` };
  if (isBefore(a, b)) return { status: 'holds', sentence: `${first} was answered before ${second} was asked for.` };
  return { status: 'broken', sentence: `${second} is asked for before ${first} was answered.` };
}

/** Nothing there: removed, and so broken, at the end of the run; before it not reached, and only not decided. */
function missing({ ended }: Seen, what: string): Judgement {
  return ended
    ? { status: 'broken', sentence: `${what} is removed: the program no longer asks for it.` }
    : { status: 'not-decided', sentence: `${what} is not reached: the run has not come to its end.` };
}

function absent({ ended }: Seen, sentence: string): Judgement {
  return ended
    ? { status: 'holds', sentence }
    : { status: 'not-decided', sentence: `${sentence} The run has not come to its end.` };
}

function textOf(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
