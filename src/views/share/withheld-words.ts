/** What a copy withholds, in lines: how many values of which class, and why. The largest group first. */
import { type Hole, valueClasses } from '../../core/redaction/index.ts';

export interface WithheldLine {
  readonly count: number;
  readonly what: string;
  readonly why: string;
}

export function holesToLines(holes: readonly Pick<Hole, 'class' | 'reason'>[]): readonly WithheldLine[] {
  const lines = new Map<string, { count: number; readonly what: string; readonly why: string }>();
  for (const { class: cls, reason } of holes) {
    const key = `${cls}\n${reason}`;
    const known = lines.get(key);
    if (known === undefined)
      lines.set(key, { count: 1, what: valueClasses.find(({ id }) => id === cls)?.label ?? cls, why: reason });
    else known.count += 1;
  }
  return [...lines.values()].toSorted((a, b) => b.count - a.count);
}
