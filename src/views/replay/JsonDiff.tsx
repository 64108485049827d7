/** Where two values differ, place by place, side by side. Both sides are inert text. */
import { lineToShown } from '../../core/base/shown-text.ts';
import type { JsonValue } from '../../core/base/json.ts';
import type { JsonDifference } from '../../core/replay/json-diff.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { valueToShown } from './shown-value.ts';
import styles from './JsonDiff.module.css';

export interface JsonDiffProps {
  readonly label: string;
  readonly differences: readonly JsonDifference[];
  /** Name of each side. */
  readonly before: string;
  readonly after: string;
}

/** As many as the comparison lists. */
const listed = 50;

export function JsonDiff({ label, differences, before, after }: JsonDiffProps) {
  if (differences.length === 0) return <p className={styles['equal']}>{label}: no difference.</p>;
  return (
    <DataTable label={label} place="plain" isSmall className={styles['diff']}>
      <thead>
        <tr>
          <th scope="col">{label}</th>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ pointer, recorded, now }) => (
          <tr key={pointer}>
            <th scope="row">{pointer === '' ? 'whole value' : lineToShown(pointer)}</th>
            <td data-side="before">
              <Side value={recorded} />
            </td>
            <td data-side="after">
              <Side value={now} />
            </td>
          </tr>
        ))}
      </tbody>
      {differences.length < listed ? undefined : <caption>The first {listed} differences.</caption>}
    </DataTable>
  );
}

function Side({ value }: { readonly value: JsonValue | undefined }) {
  return value === undefined ? <i>absent</i> : <code>{valueToShown(value)}</code>;
}
