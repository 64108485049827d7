/** The thirteen fields of the envelope, one column a design: what is missing is told, what differs is marked. */
import type { StrategyReport } from '../../core/recovery/index.ts';
import { Chip, NotRecorded } from '../../ui/Chip.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { valueToText } from './words.ts';
import styles from './Parts.module.css';

export function EnvelopePart({ strategies }: { readonly strategies: readonly StrategyReport[] }) {
  const [first] = strategies;
  if (first === undefined) return undefined;
  return (
    <DataTable label="Envelope by design">
      <thead>
        <tr>
          <th scope="col">Field</th>
          {strategies.map(({ id, name, envelope }) => (
            <th key={id} scope="col">
              {name}{' '}
              {envelope.complete ? (
                <Chip tone="ok">complete</Chip>
              ) : (
                <Chip tone="warning">{envelope.missing.length} not recorded</Chip>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {first.envelope.fields.map(({ id, title }) => {
          const values = strategies.map(({ envelope }) => envelope.fields.find((field) => field.id === id)?.value);
          const texts = values.map((value) => (value === undefined ? undefined : valueToText(value)));
          const differs = new Set(texts).size > 1;
          return (
            <tr key={id}>
              <th scope="row">
                {title} {differs ? <Chip tone="accent">differs</Chip> : undefined}
              </th>
              {texts.map((text, at) => (
                <td key={strategies[at]?.id} className={styles['value']}>
                  {text ?? <NotRecorded />}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </DataTable>
  );
}
