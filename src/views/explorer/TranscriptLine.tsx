/** One line of the transcript. Pressing it anywhere selects its first event; further events have links of their own. */
import { controlsToEscapes, lineToShown } from '../../core/base/shown-text.ts';
import { agentToText } from '../../core/projections/title-words.ts';
import type { TranscriptLine } from '../../core/projections/trace-reader.ts';
import { NotKnown, NotRecorded } from '../../ui/Chip.tsx';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { countToText } from '../../ui/format.ts';
import { Icon, type IconName } from '../../ui/Icons.tsx';
import { InlineButton } from '../../ui/InlineButton.tsx';
import { StepIn } from './StepIn.tsx';
import { EventIdLink } from './EventLink.tsx';
import type { Explorer } from './explorer.ts';
import { MarkSign } from './MarkBadge.tsx';
import { reasonsToText } from './overlay.ts';
import { Reveal, revealing } from './Reveal.tsx';
import { titleOverText } from './title.ts';
import styles from './Transcript.module.css';

const signs: Partial<Readonly<Record<TranscriptLine['kind'], IconName>>> = {
  gap: 'close',
  'executed-twice': 'warning',
  'recorded-twice': 'copy',
  'cannot-answer': 'help',
  problem: 'warning',
  folded: 'menu',
};

/** Events of a fold that are listed; a filter by type shows every one as a line. */
const mostListed = 60;

/** What one line stands for, listed on demand. */
function Folded({ events, explorer }: Pick<TranscriptLine, 'events'> & { readonly explorer: Explorer }) {
  const isHere = explorer.event !== undefined && events.includes(explorer.event);
  return (
    <details className={styles['folded']} open={isHere}>
      <summary>List them</summary>
      <p className={styles['chips']}>
        {events.slice(0, mostListed).map((event) => (
          <EventIdLink key={event} event={event} explorer={explorer} />
        ))}
        {events.length > mostListed ? (
          <span>and {countToText(events.length - mostListed)} more; a filter by type shows each as a line</span>
        ) : undefined}
      </p>
    </details>
  );
}

export interface LineProps {
  readonly line: TranscriptLine;
  readonly id: string;
  readonly isCurrent: boolean;
  /** What is kept ends above it. */
  readonly isFrontier: boolean;
  readonly explorer: Explorer;
}

export function Line({ line, id, isCurrent, isFrontier, explorer }: LineProps) {
  const { kind, family, title, text, cut, agent, agentName, events, notRecorded, under } = line;
  const [first] = events;
  const sign = signs[kind];
  const shown = text === undefined || text === '' ? title : titleOverText(title, text);
  // Said once: not again at the end of a line that begins with it.
  const who = agent === undefined ? undefined : (agentName ?? agentToText(agent));
  const isFinding = kind === 'gap' || kind === 'executed-twice' || kind === 'problem';
  const mark = explorer.overlay?.markOf(first);
  const reasons = first === undefined || mark === undefined ? [] : (explorer.overlay?.reasonsOf(first) ?? []);
  return (
    <div
      id={id}
      role="listitem"
      aria-current={isCurrent}
      className={`${styles['line'] ?? ''} ${reasons.length === 0 ? '' : revealing}`}
      data-kind={kind}
      data-look={mark?.look}
      data-frontier={isFrontier}
      style={{ paddingLeft: 12 + Math.min(line.depth, 8) * 16 }}
    >
      {Array.from({ length: Math.min(line.depth, 8) }, (_, at) => (
        <span key={at} className={styles['guide']} style={{ left: 21 + at * 16 }} />
      ))}
      {sign === undefined ? (
        <FamilyIcon family={family} effect={family === 'effect'} />
      ) : (
        <span className={styles['sign']}>
          <Icon name={sign} />
        </span>
      )}
      <div className={styles['body']}>
        {under === undefined ? undefined : (
          <p className={styles['under']}>
            <span aria-hidden="true">↳</span> under{' '}
            <button type="button" title={lineToShown(under.event)} onClick={() => explorer.select(under.event)}>
              {under.title}
            </button>
          </p>
        )}
        <p className={styles['title']}>
          <span className={styles['end']}>
            {line.canStepIn === true ? <StepIn /> : undefined}
            {mark === undefined ? undefined : <MarkSign mark={mark} />}
            {who === undefined || shown.startsWith(who) ? undefined : (
              <span className={styles['agent']} title={who}>
                {who}
              </span>
            )}
          </span>
          {first === undefined ? (
            shown
          ) : (
            <InlineButton
              className={styles['press']}
              onPress={() => explorer.select(first)}
              describedBy={reasons.length === 0 ? undefined : `${id}-why`}
            >
              {shown}
            </InlineButton>
          )}
        </p>
        {mark === undefined || reasons.length === 0 ? undefined : (
          <Reveal id={`${id}-why`} text={`${mark.word}: ${reasonsToText(reasons, explorer.titleOf)}`} />
        )}
        {text === undefined || text === '' ? undefined : (
          <p className={styles['text']}>
            {controlsToEscapes(text)}
            {cut === undefined || cut === 0 ? undefined : (
              <span className={styles['cut']}> … {countToText(cut)} more characters in the inspector</span>
            )}
          </p>
        )}
        {notRecorded.length === 0 ? undefined : (
          <ul className={styles['absent']}>
            {notRecorded.map((what) => (
              <li key={what}>
                {isFinding ? <NotKnown /> : <NotRecorded />} <span>{what}</span>
              </li>
            ))}
          </ul>
        )}
        {kind === 'folded' ? <Folded events={events} explorer={explorer} /> : undefined}
        {kind !== 'event' && kind !== 'folded' && events.length > 1 ? (
          <p className={styles['chips']}>
            {events.slice(0, 6).map((event) => (
              <EventIdLink key={event} event={event} explorer={explorer} />
            ))}
          </p>
        ) : undefined}
      </div>
    </div>
  );
}
