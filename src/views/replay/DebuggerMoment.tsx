/** What is so at one position: what this step delivered and did, open commands, states with what changed, time, deliveries, console. */
import type { ReactNode } from 'react';
import { passageToShown, lineToShown } from '../../core/base/shown-text.ts';
import { computeJsonDifferences } from '../../core/replay/json-diff.ts';
import type { DebugCommand, DebugOverview, DebugStep, DebugView } from '../../data/index.ts';
import { Chip, StatusBadge } from '../../ui/Chip.tsx';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { countOf, countToText } from '../../ui/format.ts';
import { JsonView } from '../../ui/JsonView.tsx';
import { Difference } from './Divergences.tsx';
import { JsonDiff } from './JsonDiff.tsx';
import { More } from '../../ui/More.tsx';
import { kindToFamily, kindToWords } from './kinds.ts';
import { commandToBadge, pendingToWords } from './words.ts';
import styles from './Debugger.module.css';

export interface MomentProps {
  readonly view: DebugView;
  readonly overview: DebugOverview;
  readonly onPosition: (position: number) => void;
}

export function Moment({ view, overview, onPosition }: MomentProps) {
  const { step, state } = view;
  const here = overview.marks.flatMap((mark) =>
    mark.position === step.position && mark.divergence !== undefined ? [mark.divergence] : [],
  );
  return (
    <div className={styles['moment']}>
      <ThisStep step={step} />
      {here.length === 0 ? undefined : (
        <Part title={`${countOf(here.length, 'difference')} from the record at this step`}>
          {here.map((one, n) => (
            <Difference key={`${one.kind} ${one.path} ${n}`} divergence={one} ended={isEnded(overview.result)} />
          ))}
        </Part>
      )}
      <Part title={`Open commands (${countToText(state.open.length)})`}>
        {state.open.length === 0 ? (
          <p className={styles['soft']}>Nothing is waited for.</p>
        ) : (
          <More items={state.open} noun="command">
            {(part) => <Commands label="Open commands" commands={part} />}
          </More>
        )}
      </Part>
      <States step={step} states={state.states} />
      <Deliveries view={view} onPosition={onPosition} />
      <Console view={view} />
    </div>
  );
}

/** A replay that waits or was stopped has not come to the rest of the record. */
function isEnded(result: DebugOverview['result']): boolean {
  return result !== 'blocked' && result !== 'limit';
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles['part']} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function ThisStep({ step }: { readonly step: DebugStep }) {
  const { delivered, issued, decided, joined, ended, vt } = step;
  return (
    <Part title="This step">
      <p className={styles['soft']}>Virtual time {timeToText(vt)}, constant within a step.</p>
      {delivered === undefined ? (
        <p>The program starts with its input.</p>
      ) : (
        <>
          <p>
            Delivered: the answer to <Named command={delivered} />
          </p>
          <Observation observation={delivered.observation} />
        </>
      )}
      {decided.map(({ path, name, computed, given }) => (
        <div key={path} className={styles['line']}>
          <FamilyIcon family={kindToFamily('decide')} size="small" />
          <span>
            Decided <b>{lineToShown(name)}</b>
            {given === undefined ? '' : ', and was given the edited value'}
          </span>
          <JsonView label={`Decision ${lineToShown(name)}`} value={given ?? computed} depth={1} />
        </div>
      ))}
      {joined.length === 0 ? undefined : <Commands label="Children that ended" commands={joined} />}
      {issued.length === 0 ? (
        <p className={styles['soft']}>It asked for nothing new.</p>
      ) : (
        <>
          <p>Then it asked for {countOf(issued.length, 'command')}:</p>
          <More items={issued} noun="command">
            {(part) => <Commands label="Issued in this step" commands={part} withArgs />}
          </More>
        </>
      )}
      {ended === undefined ? undefined : <Ended ended={ended} />}
    </Part>
  );
}

function Observation({ observation }: { readonly observation: NonNullable<DebugStep['delivered']>['observation'] }) {
  if (observation.kind === 'cancelled') return <p className={styles['soft']}>It was cancelled.</p>;
  if (observation.kind === 'ok') return <JsonView label="Delivered value" value={observation.value} depth={1} />;
  const { name, message } = observation.error;
  return <p className={styles['failed']}>{passageToShown(`${name}: ${message}`)}</p>;
}

function Ended({ ended: { settled, limit } }: { readonly ended: NonNullable<DebugStep['ended']> }) {
  if (limit !== undefined)
    return <p className={styles['failed']}>The run ended here: {passageToShown(limit.message)}</p>;
  if (settled?.kind === 'ok') {
    return (
      <>
        <p>The program ended with this result.</p>
        <JsonView label="Result of the program" value={settled.value} depth={2} />
      </>
    );
  }
  if (settled?.kind === 'err') {
    return (
      <p className={styles['failed']}>
        The program ended with an error: {passageToShown(`${settled.error.name}: ${settled.error.message}`)}
      </p>
    );
  }
  return <p>{settled?.kind === 'rolled-over' ? 'The program rolled over into its next segment.' : settled?.message}</p>;
}

interface CommandsProps {
  readonly label: string;
  readonly commands: readonly DebugCommand[];
  readonly withArgs?: boolean;
}

function Commands({ label, commands, withArgs = false }: CommandsProps) {
  return (
    <ul className={styles['list']} aria-label={label}>
      {commands.map((command, n) => (
        <li key={`${command.path} ${n}`}>
          <Named command={command} />
          {command.status === undefined ? undefined : (
            <StatusBadge status={commandToBadge({ status: command.status, rule: command.rule })} />
          )}
          {command.waitsFor === undefined ? undefined : (
            <p className={styles['soft']}>{pendingToWords(command.waitsFor)}</p>
          )}
          {withArgs ? (
            <JsonView label={`Arguments of ${lineToShown(command.name)}`} value={command.args} depth={1} />
          ) : undefined}
        </li>
      ))}
    </ul>
  );
}

function Named({ command }: { readonly command: DebugCommand }) {
  const { kind, name, path, alias } = command;
  return (
    <span className={styles['named']}>
      <FamilyIcon family={kindToFamily(kind)} size="small" />
      <span>
        {kindToWords(kind)} <b>{lineToShown(name)}</b> <code>{lineToShown(path)}</code>
        {alias === undefined ? undefined : <Chip>number {lineToShown(alias)}</Chip>}
      </span>
    </span>
  );
}

function States({ step, states }: { readonly step: DebugStep; readonly states: DebugView['state']['states'] }) {
  const changed = new Map(step.states.map((state) => [state.name, state]));
  return (
    <Part title={`State (${countToText(states.length)})`}>
      {states.length === 0 ? <p className={styles['soft']}>No state was kept up to here.</p> : undefined}
      {states.map(({ name, n, value }) => {
        const change = changed.get(name);
        return (
          <div key={name} className={styles['state']}>
            <p>
              <b>{lineToShown(name)}</b> version {n}{' '}
              {change === undefined ? undefined : <Chip tone="accent">changed here</Chip>}
            </p>
            {change?.before === undefined ? (
              <JsonView label={`State ${lineToShown(name)}`} value={value} depth={1} />
            ) : (
              <JsonDiff
                label={`State ${lineToShown(name)}`}
                differences={computeJsonDifferences(change.before, change.value)}
                before="before this step"
                after="now"
              />
            )}
          </div>
        );
      })}
    </Part>
  );
}

function Deliveries({ view, onPosition }: { readonly view: DebugView; readonly onPosition: (at: number) => void }) {
  const { deliveries, step } = view;
  const before = (deliveries[0]?.position ?? 1) - 1;
  return (
    <Part title={`Deliveries so far (${countToText(view.state.delivered)} in this segment)`}>
      {before > 0 ? (
        <p className={styles['soft']}>{countOf(before, 'earlier step')} not listed; the slider goes there.</p>
      ) : undefined}
      {deliveries.length === 0 ? <p className={styles['soft']}>Nothing was delivered yet.</p> : undefined}
      <ol className={styles['deliveries']} aria-label="Deliveries so far">
        {deliveries.toReversed().map(({ position, path, name, kind, outcome }) => (
          <li key={position}>
            <button
              type="button"
              aria-current={position === step.position ? 'step' : undefined}
              onClick={() => onPosition(position)}
            >
              <span className={styles['number']}>{position}</span>
              <FamilyIcon family={kindToFamily(kind)} failed={outcome === 'err'} size="small" />
              <span>{lineToShown(name)}</span>
              <code>{lineToShown(path)}</code>
            </button>
          </li>
        ))}
      </ol>
    </Part>
  );
}

function Console({ view }: { readonly view: DebugView }) {
  const { state, printedBefore, step } = view;
  const lines = state.printed;
  const fresh = lines.length - step.printed.length;
  return (
    <Part title={`Console (${countToText(lines.length + printedBefore)})`}>
      {lines.length === 0 ? (
        <p className={styles['soft']}>
          The program printed nothing up to here. <code>console.log</code> in a program is kept with the replay.
        </p>
      ) : undefined}
      {printedBefore > 0 ? (
        <p className={styles['soft']}>{countOf(printedBefore, 'earlier line')} not listed.</p>
      ) : undefined}
      <ol className={styles['console']} aria-label="Console">
        {lines.map(({ level, text, site }, n) => (
          <li key={`${n} ${text}`} data-level={level} data-fresh={n >= fresh}>
            <span className={styles['number']}>{site === undefined ? '' : `line ${site.line}`}</span>
            <span>
              {level === 'log' ? '' : `${level}: `}
              {text}
            </span>
          </li>
        ))}
      </ol>
    </Part>
  );
}

/** To the millisecond, and in words of no time zone. */
function timeToText(vt: number): string {
  const date = new Date(vt);
  return Number.isNaN(date.getTime()) ? `${vt} ms` : date.toISOString().replace('T', ' ').replace('Z', ' UTC');
}
