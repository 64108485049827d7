/** Where an unedited replay, or a changed program, leaves the record: the first difference is the headline, the rest is kept. */
import { passageToShown, lineToShown } from '../../core/base/shown-text.ts';
import { divergenceToWord, hasEnded } from '../../core/replay/change-words.ts';
import { computeJsonDifferences } from '../../core/replay/json-diff.ts';
import type { DivergenceSide } from '../../core/replay/report-types.ts';
import type { Divergence, ReplayReport } from '../../data/index.ts';
import { Chip, NotRecorded } from '../../ui/Chip.tsx';
import { countOf } from '../../ui/format.ts';
import { JsonView } from '../../ui/JsonView.tsx';
import { JsonDiff } from './JsonDiff.tsx';
import { EventRef } from './Links.tsx';
import { More } from '../../ui/More.tsx';
import { kindToWords } from './kinds.ts';
import styles from './Divergences.module.css';

export function Divergences({ report }: { readonly report: Pick<ReplayReport, 'divergences' | 'outcome' | 'cause'> }) {
  const [first, ...later] = report.divergences;
  if (first === undefined) return undefined;
  // What a text that is no program did not ask for follows from that alone.
  const rest = report.outcome.status === 'no-program' ? [] : later;
  const ended = hasEnded(report.outcome);
  return (
    <section className={styles['divergences']} aria-label="Differences from the record">
      <h3>First difference</h3>
      <Difference divergence={first} ended={ended} />
      {report.cause === undefined ? undefined : (
        <p className={styles['cause']}>
          <b>{causeToWords(report.cause.kind)}:</b> {passageToShown(report.cause.message)}
        </p>
      )}
      {rest.length === 0 ? undefined : (
        <details>
          <summary>{countOf(rest.length, 'later difference')}</summary>
          <More items={rest} noun="difference">
            {(part) =>
              part.map((one, n) => <Difference key={`${one.kind} ${one.path} ${n}`} divergence={one} ended={ended} />)
            }
          </More>
        </details>
      )}
    </section>
  );
}

function causeToWords(kind: NonNullable<ReplayReport['cause']>['kind']): string {
  switch (kind) {
    case 'nondeterministic':
      return 'The program is not deterministic';
    case 'code-change':
      return 'The program changed';
    case 'no-program':
      return 'The program does not fit the record';
    case 'record-gap':
      return 'The record has a gap';
  }
}

/** One difference: expected beside produced, where the arguments differ, what matched last. */
export function Difference({ divergence, ended }: { readonly divergence: Divergence; readonly ended: boolean }) {
  const { kind, message, expected, actual, differences, lastMatch, deliveriesSince } = divergence;
  const isMove = kind === 'moved' || kind === 'shifted';
  const args =
    differences ??
    (expected?.args !== undefined && actual?.args !== undefined
      ? computeJsonDifferences(expected.args, actual.args)
      : []);
  return (
    <article className={styles['difference']}>
      <p>
        <Chip tone={isMove ? 'neutral' : 'danger'}>{divergenceToWord(kind, ended)}</Chip> {passageToShown(message)}
      </p>
      <div className={styles['sides']}>
        <Side title="Expected, from the record" side={expected} />
        <Side title="Produced by the replay" side={actual} />
      </div>
      {args.length === 0 ? undefined : (
        <JsonDiff label="Differences" differences={args} before="recorded" after="produced" />
      )}
      <dl>
        {lastMatch === undefined ? undefined : (
          <div>
            <dt>Last that matched</dt>
            <dd>
              <EventRef event={lastMatch} />
            </dd>
          </div>
        )}
        {deliveriesSince === undefined || deliveriesSince.length === 0 ? undefined : (
          <div>
            <dt>Delivered since</dt>
            <dd>
              <code>{lineToShown(deliveriesSince.join(', '))}</code>
            </dd>
          </div>
        )}
      </dl>
    </article>
  );
}

function Side({ title, side }: { readonly title: string; readonly side: DivergenceSide | undefined }) {
  return (
    <div className={styles['side']}>
      <h4>{title}</h4>
      {side === undefined ? (
        <p className={styles['none']}>nothing at this place</p>
      ) : (
        <>
          <p>
            {kindToWords(side.kind)} <b>{lineToShown(side.name)}</b> <code>{lineToShown(side.path)}</code>
          </p>
          {side.args === undefined ? undefined : <JsonView label={`${title}: arguments`} value={side.args} depth={2} />}
          {side.value === undefined ? undefined : <JsonView label={`${title}: value`} value={side.value} depth={2} />}
          {side.args === undefined && side.value === undefined ? <NotRecorded what="value" /> : undefined}
          {side.alias === undefined ? undefined : (
            <p className={styles['none']}>number {lineToShown(side.alias)} in the engine that recorded it</p>
          )}
          {side.site === undefined ? undefined : (
            <p className={styles['none']}>
              {side.site.function === '' || side.site.function === '<anonymous>'
                ? ''
                : `in ${lineToShown(side.site.function)}, `}
              line {side.site.line}
            </p>
          )}
        </>
      )}
    </div>
  );
}
