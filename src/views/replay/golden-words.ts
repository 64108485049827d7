/** Properties of golden cases in words: what is pinned, and what became of it. */
import type { GoldenProperty, PropertyStatus } from '../../core/golden/index.ts';
import type { Tone } from '../../ui/Chip.tsx';
import { jsonToLine } from '../../ui/json-text.ts';

export const statusTones: Readonly<Record<PropertyStatus, Tone>> = {
  broken: 'danger',
  'not-decided': 'warning',
  exempt: 'neutral',
  holds: 'ok',
};

/** What needs reading comes first. */
export const statusOrder: readonly PropertyStatus[] = ['broken', 'not-decided', 'exempt', 'holds'];

/** For one property; for several, `hold`. */
export function statusToWords(status: PropertyStatus, count = 1): string {
  if (status === 'holds' && count !== 1) return 'hold';
  return status.replace('-', ' ');
}

export function propertyToText(property: GoldenProperty): string {
  switch (property.kind) {
    case 'decision':
      return `chooses ${jsonToLine(property.expected, 80)}`;
    case 'effect':
      return `${property.expected.kind} is asked for with the same arguments${property.expected.count === 1 ? ', once' : `, at most ${String(property.expected.count)} times`}`;
    case 'key':
      return 'is asked for with an idempotency key';
    case 'state':
      return 'ends with the same value';
    case 'invariant':
      return 'the audit finds nothing of it';
    case 'absence':
      return 'is never asked for';
    case 'order':
      return 'the first is answered before the second is asked for';
  }
}

export function targetToText({ target }: GoldenProperty): string {
  return typeof target === 'string' ? target : target.join(' < ');
}

/** As the pinning engine takes it. */
export function propertyToSelector(property: GoldenProperty) {
  return { kind: property.kind, target: targetToText(property) };
}
