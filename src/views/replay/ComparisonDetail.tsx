/** One command in full: arguments and value on both sides with their differences, what matched it, where the program asked it. */
import { lineToShown } from '../../core/base/shown-text.ts';
import { computeJsonDifferences } from '../../core/replay/json-diff.ts';
import type { CommandReport } from '../../core/replay/report-types.ts';
import { NotRecorded } from '../../ui/Chip.tsx';
import { JsonView } from '../../ui/JsonView.tsx';
import { Waiting } from '../../ui/Progress.tsx';
import type { AlignedRow } from './align.ts';
import { baseToWords } from './base-words.ts';
import { commandToValue } from './command-value.ts';
import { JsonDiff } from './JsonDiff.tsx';
import { EventRef } from './Links.tsx';
import type { ReplaySession } from './session.ts';
import { useRecordedCall } from './use-recorded-call.ts';
import { Shown } from './TwoSides.tsx';
import { ruleToWords } from './words.ts';
import styles from './Comparison.module.css';

export interface ComparisonDetailProps {
  readonly row: AlignedRow;
  readonly place: Pick<ReplaySession, 'trace' | 'branch'>;
}

export function ComparisonDetail({ row, place }: ComparisonDetailProps) {
  const { command, record, orphan } = row;
  const base = baseToWords(place.branch);
  const recorded = useRecordedCall(place, record?.event);
  if (recorded.isLoading) return <Waiting label="Reading the record" lines={3} />;
  // The value of a state is its argument.
  const now = command === undefined || command.kind === 'state' ? undefined : commandToValue(command);
  const before =
    command?.kind === 'state'
      ? undefined
      : (recorded.value ?? (recorded.error === undefined ? undefined : { error: recorded.error }));
  const isReused = row.status === 'reused' || row.status === 'moved';
  return (
    <div className={styles['full']}>
      {command?.args !== undefined && recorded.args !== undefined ? (
        <JsonDiff
          label="Arguments"
          differences={computeJsonDifferences(recorded.args, command.args)}
          before={base.name}
          after="this branch"
        />
      ) : undefined}
      {before !== undefined && now !== undefined && !isReused ? (
        <JsonDiff
          label="Value"
          differences={computeJsonDifferences(before, now)}
          before={base.name}
          after="this branch"
        />
      ) : undefined}
      <div className={styles['sides']}>
        <div>
          <h4>{base.title}</h4>
          {record === undefined ? <p className={styles['none']}>not there</p> : <EventRef event={record.event} />}
          {recorded.args === undefined ? undefined : (
            <Shown title="asked with">
              <JsonView label="Recorded arguments" value={recorded.args} depth={2} />
            </Shown>
          )}
          {before === undefined ? (
            record === undefined ? undefined : (
              <NotRecorded what="value" />
            )
          ) : (
            <Shown title="received">
              <JsonView label="Recorded value" value={before} depth={2} />
            </Shown>
          )}
        </div>
        <div>
          <h4>This branch</h4>
          {isReused ? <p className={styles['none']}>points at that record; nothing was copied</p> : undefined}
          {command === undefined ? (
            <p className={styles['none']}>
              {row.status === 'not reached'
                ? 'not reached: the branch has not come that far'
                : 'the program no longer asks for it'}
            </p>
          ) : (
            <Facts command={command} />
          )}
          {isReused || command?.args === undefined ? undefined : (
            <Shown title="asked with">
              <JsonView label="Arguments on this branch" value={command.args} depth={2} />
            </Shown>
          )}
          {isReused || now === undefined ? undefined : (
            <Shown title="received">
              <JsonView label="Value on this branch" value={now} depth={2} />
            </Shown>
          )}
        </div>
      </div>
      {orphan === undefined ? undefined : (
        <p className={styles['orphan']}>
          The world still has{' '}
          {orphan.effects.map(({ kind, id }) => [kind, id].filter((part) => part !== undefined).join(' ')).join(', ')};
          this branch {row.status === 'not reached' ? 'has not reached it' : 'does not ask for it'}. A replay cannot
          take it back.{' '}
          {orphan.effects.map(({ event }) => (
            <EventRef key={event} event={event} />
          ))}
        </p>
      )}
    </div>
  );
}

function Facts({ command }: { readonly command: CommandReport }) {
  const { rule, flags, site, issued, delivered } = command;
  const facts = [
    rule === undefined ? undefined : `the record counts: ${ruleToWords(rule)} (rule ${rule})`,
    site === undefined
      ? undefined
      : `asked in ${/^<.*>$/.test(site.function) ? 'a function without a name' : site.function}, line ${site.line}`,
    `position ${issued}${delivered === undefined ? '' : `, delivered at ${delivered}`}`,
    flags.length === 0 ? undefined : flags.join(', '),
  ].filter((fact) => fact !== undefined);
  return <p className={styles['none']}>{lineToShown(facts.join(' · '))}</p>;
}
