/** Engines' own tables beside the ledger of the service: what each run's engine remembers, what was executed, and where the two part. */
import {
  type EngineOperation,
  type EngineReport,
  type LedgerReport,
  nameOfEngine,
  type RecoveryReport,
} from '../../core/recovery/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip, type Tone } from '../../ui/Chip.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { countOf, shortId } from '../../ui/format.ts';
import { Message } from '../../ui/Message.tsx';
import type { Claimed } from './ClaimPart.tsx';
import { EventRef, EventRefs } from './EventRef.tsx';
import { FileButton } from './FileButton.tsx';
import { engineKey, type Links } from './links.ts';
import { Part, PartNav } from './Part.tsx';
import styles from './Parts.module.css';

const parts = [
  ['ledger', 'The ledger'],
  ['runs', 'Runs'],
] as const;

export interface EnginesPanelProps {
  readonly engines: RecoveryReport['engines'];
  readonly links: Links;
  readonly claimed: Claimed;
  readonly onClaimed: (claimed: Claimed) => void;
  readonly problem: string | undefined;
}

export function EnginesPanel({ engines, links, claimed, onClaimed, problem }: EnginesPanelProps) {
  const { runs, ledger } = engines;
  return (
    <>
      <header className={styles['head']}>
        <h1>Engines’ own tables</h1>
        <p className={styles['facts']}>
          <span>
            {countOf(runs.length, 'run')} · {[...new Set(runs.map(({ engine }) => nameOfEngine(engine)))].join(', ')}
          </span>
        </p>
        <PartNav parts={parts} />
      </header>
      <Part
        id="ledger"
        title="The ledger"
        lead="An engine’s tables say what it remembers. How often something was executed outside is told by the service that did it: by its ledger, or by its records in a stream that is open too."
      >
        <div className={styles['acts']}>
          <FileButton
            id="ledger-file"
            label={claimed.ledger === undefined ? 'Choose a ledger' : 'Choose another ledger'}
            accept=".csv,.tsv,.json,.jsonl,.ndjson,text/csv,application/json"
            onText={(text, name) => onClaimed({ ...claimed, ledger: { name, text } })}
          />
          {claimed.ledger === undefined ? undefined : (
            <Button kind="quiet" onPress={() => onClaimed(withoutLedger(claimed))}>
              Take the ledger away
            </Button>
          )}
        </div>
        {problem === undefined ? undefined : (
          <Message title="The ledger could not be read" tone="problem" icon="warning">
            {problem}
          </Message>
        )}
        <p>{ledger === undefined ? howToWrite : ledgerToText(ledger)}</p>
      </Part>
      <Part
        id="runs"
        title="Runs"
        lead="A row of the ledger is joined to a step by the id that the step’s result holds, else by name; each join says which. These tables hold no kill: whether a process was struck, and where, only the streams of a trial can show."
      >
        {runs.toSorted(byDuplicates).map((run) => (
          <Run key={engineKey(run)} run={run} links={links} />
        ))}
      </Part>
    </>
  );
}

const howToWrite =
  'CSV, JSON or JSON lines, one row for each thing the service did, with a column of the run (“run”, “workflow_id”, “thread_id”) and of what was done (“command”, “operation”) or its “id”. Rows whose “status” says that a saved answer was given or a request refused are no executions.';

function ledgerToText({ name, basis, executions, notExecuted, otherRuns }: LedgerReport): string {
  return [
    `${name}: ${countOf(executions, 'execution')} (${basis}).`,
    ...(notExecuted === 0 ? [] : [`${countOf(notExecuted, 'row')} that say that nothing new was done.`]),
    ...(otherRuns.length === 0 ? [] : [`${countOf(otherRuns.length, 'run')} of it in no table that is open.`]),
  ].join(' ');
}

const statusTones: Readonly<Record<EngineReport['status'], Tone>> = {
  completed: 'ok',
  failed: 'danger',
  'not completed': 'warning',
  'not recorded': 'neutral',
};

const verdictTones: Readonly<Record<EngineOperation['verdict'], Tone>> = {
  once: 'ok',
  'more often': 'effect',
  missing: 'danger',
  'under way': 'warning',
  'not joined': 'neutral',
};

function Run({ run, links }: { readonly run: EngineReport; readonly links: Links }) {
  const { engine, executions, status, operations, steps, notes, text } = run;
  const trial = engineKey(run);
  const open = operations.filter(({ verdict }) => verdict !== 'once');
  return (
    <section className={styles['block']} aria-label={`${engine}, run ${run.run}`}>
      <h3>
        {nameOfEngine(engine)} · {shortId(executions[0] ?? run.run)}{' '}
        <Chip tone={statusTones[status]}>
          {status === 'not recorded' ? 'status not recorded' : `${status}, it says`}
        </Chip>
        {(run.duplicates ?? 0) > 0 ? <Chip tone="effect">executed more than once</Chip> : undefined}
      </h3>
      <p>{text}</p>
      {operations.length === 0 ? undefined : (
        <DataTable label={`What ${engine} remembers beside the ledger`}>
          <thead>
            <tr>
              <th scope="col">Effect</th>
              <th scope="col">Verdict</th>
              <th scope="col">By the ledger</th>
              <th scope="col">By the engine</th>
              <th scope="col">Evidence</th>
            </tr>
          </thead>
          <tbody>
            {operations.map((operation) => (
              <tr key={`${operation.name} ${operation.events[0] ?? ''}`}>
                <th scope="row">{operation.name}</th>
                <td>
                  <Chip tone={verdictTones[operation.verdict]}>{operation.verdict}</Chip>
                </td>
                <td>{executionsToText(operation)}</td>
                <td>
                  {stepsToText(operation)}
                  {operation.rule === undefined ? undefined : (
                    <span className={styles['faint']}> (rule {operation.rule})</span>
                  )}
                </td>
                <td>
                  <EventRefs links={links} trial={trial} events={operation.events} />
                </td>
              </tr>
            ))}
          </tbody>
        </DataTable>
      )}
      {notes.length + open.length === 0 ? undefined : (
        <ul className={styles['bullets']}>
          {open.map((operation) => (
            <li key={operation.name}>{operation.text}</li>
          ))}
          {notes.map((note) => (
            <li key={note.events.join(' ') + note.text}>
              {nameOfEngine(engine)} says: {note.text} <EventRefs links={links} trial={trial} events={note.events} />
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>{countOf(steps.length, 'step')} that it remembers</summary>
        <ul className={styles['bullets']}>
          {steps.map(({ name, state, events }) => (
            <li key={events.join(' ')}>
              {name}: {state} <EventRef links={links} trial={trial} event={events.at(-1) ?? ''} label="its row" />
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

function stepsToText({ steps, executions }: EngineOperation): string {
  if (steps.length === 0) return 'no step';
  const held = executions.filter(({ heldBy }) => heldBy !== undefined).flatMap(({ id }) => id ?? []);
  const names = steps.map(({ name, state }) => (state === 'completed' ? name : `${name}, ${state}`)).join(', ');
  return `${names}${held.length === 0 ? '' : `: holds ${held.join(', ')}`}`;
}

/** Those first that were executed more often than their engine shows. */
function byDuplicates(a: EngineReport, b: EngineReport): number {
  return (b.duplicates ?? 0) - (a.duplicates ?? 0);
}

function executionsToText({ executions }: EngineOperation): string {
  if (executions.length === 0) return 'nothing';
  const ids = executions.map(({ id, event }) => id ?? event);
  return `${countOf(executions.length, 'execution')}: ${ids.join(', ')}`;
}

function withoutLedger({ claim, present }: Claimed): Claimed {
  return { ...(claim === undefined ? {} : { claim }), ...(present === undefined ? {} : { present }) };
}
