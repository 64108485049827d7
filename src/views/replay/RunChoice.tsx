/** Which run of a trace that has several is replayed: named, with its place among them, and the others to choose from. */
import type { RunSummary } from '../../core/projections/trace-reader.ts';
import { countOf, countToText } from '../../ui/format.ts';
import type { ReplaySession } from './session.ts';
import styles from './Changes.module.css';

export interface RunChoiceProps {
  readonly session: ReplaySession;
  readonly onRun: (run: string) => void;
}

export function RunChoice({ session, onRun }: RunChoiceProps) {
  const { runs, facts } = session;
  if (runs.length < 2) return undefined;
  return (
    <label className={styles['run-choice']}>
      <span>
        Run {countToText(runs.findIndex(({ run }) => run === facts.run) + 1)} of {countToText(runs.length)}
      </span>
      <select value={facts.run ?? ''} onChange={(event) => onRun(event.target.value)}>
        {facts.run === undefined ? <option value="">…</option> : undefined}
        {runs.map((one) => (
          <option key={one.run} value={one.run}>
            {runToText(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

function runToText({ run, events, program, outcome }: RunSummary): string {
  const name =
    program === undefined ? '' : `${program.name}${program.version === undefined ? '' : ` ${program.version}`}`;
  return [run, name, countOf(events, 'event'), outcome === 'not recorded' ? 'no end recorded' : outcome]
    .filter((part) => part !== '')
    .join(' · ');
}

/** Of a long id its beginning; the choice shows it whole. */
function idToText(run: string): string {
  return run.length > 20 ? `${run.slice(0, 12)}…` : run;
}

/** How the run is spoken of: by name only where there is another. */
export function runToName({ runs, facts }: Pick<ReplaySession, 'runs' | 'facts'>): string {
  if (runs.length < 2 || facts.run === undefined) return 'The run';
  const place = runs.findIndex(({ run }) => run === facts.run) + 1;
  return `Run ${countToText(place)} of the ${countToText(runs.length)} in this trace, ${idToText(facts.run)},`;
}
