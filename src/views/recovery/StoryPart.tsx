/**
 * The picture of a trial's story, and the same as a list of kills: what was struck, what is absent, what fills the gap. The marks are
 * links in the order of the records, so that Tab walks the story.
 */
import type { TrialReport } from '../../core/recovery/index.ts';
import { Chip } from '../../ui/Chip.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { EventRef, EventRefs } from './EventRef.tsx';
import type { Links } from './links.ts';
import { type StoryKill, type StoryMark, trialToStory } from './story-model.ts';
import { pointOf } from './words.ts';
import parts from './Parts.module.css';
import styles from './Story.module.css';

const step = 18;
const laneHeight = 34;
const headHeight = 26;

const signs: Readonly<Record<StoryMark['role'], string>> = {
  kill: '✖',
  witness: '◎',
  exit: '⊗',
  restart: '↻',
  request: '→',
  effect: '◆',
  answer: '←',
  state: '▣',
  end: '■',
  other: '·',
};

const roleWords: Readonly<Record<StoryMark['role'], string>> = {
  kill: 'kill',
  witness: 'fault armed, or its point reached',
  exit: 'process ended',
  restart: 'process started, recovery',
  request: 'request sent',
  effect: 'told by a service',
  answer: 'answer',
  state: 'state or checkpoint',
  end: 'run',
  other: 'other',
};

export function StoryPart({ trial, links }: { readonly trial: TrialReport; readonly links: Links }) {
  const story = trialToStory(trial);
  const width = story.columns * step + step;
  return (
    <>
      <div className={styles['frame']}>
        <ul className={styles['lanes']} aria-hidden="true" style={{ paddingTop: headHeight }}>
          {story.lanes.map((lane) => (
            <li key={lane} style={{ height: laneHeight }} title={lane}>
              {lane}
            </li>
          ))}
        </ul>
        <ScrollRegion label="Time line of the trial">
          <div className={styles['canvas']} style={{ width, height: headHeight + story.lanes.length * laneHeight }}>
            {story.lanes.map((lane, at) => (
              <span
                key={lane}
                className={styles['lane']}
                style={{ top: headHeight + at * laneHeight + laneHeight / 2 }}
              />
            ))}
            {story.kills.map((kill) => (
              <Kill key={kill.ordinal} kill={kill} />
            ))}
            <ol aria-label="Records in their order">
              {story.marks.map((mark) => (
                <li key={mark.event}>
                  <Mark mark={mark} lane={story.lanes[mark.lane] ?? ''} trial={trial.id} links={links} />
                </li>
              ))}
            </ol>
          </div>
        </ScrollRegion>
      </div>
      <ul className={styles['legend']} aria-label="Signs on the time line">
        {[...new Set(story.marks.map(({ role }) => role))].map((role) => (
          <li key={role}>
            <span className={styles['sign']} data-role={role} aria-hidden="true">
              {signs[role]}
            </span>
            {roleWords[role]}
          </li>
        ))}
        <li>
          <span className={styles['gapSign']} aria-hidden="true" /> interval that was struck
        </li>
        <li>
          <span className={styles['fillSign']} aria-hidden="true" /> fills the gap
        </li>
      </ul>
      <Kills trial={trial} links={links} />
    </>
  );
}

function Mark({
  mark,
  lane,
  trial,
  links,
}: {
  readonly mark: StoryMark;
  readonly lane: string;
  readonly trial: string;
  readonly links: Links;
}) {
  const { event, role, at, fills, isLast, words } = mark;
  const left = at * step + step;
  const props = {
    className: styles['mark'] ?? '',
    style: { left, top: headHeight + mark.lane * laneHeight + laneHeight / 2 },
    'data-role': role,
    'data-fills': fills.length > 0,
    'data-last': isLast,
    title: words,
  };
  const href = links.toEvent(trial, event);
  if (href === undefined) return <span {...props}>{signs[role]}</span>;
  return (
    <a {...props} href={href} aria-label={words === '' ? lane : words}>
      <span aria-hidden="true">{signs[role]}</span>
    </a>
  );
}

function Kill({ kill: { at, from, lane, label, isVerified } }: { readonly kill: StoryKill }) {
  const x = at * step + step;
  return (
    <>
      <span className={styles['killLine']} data-verified={isVerified} style={{ left: x }} aria-hidden="true" />
      <span className={styles['killLabel']} style={{ left: x }} aria-hidden="true">
        {label}
      </span>
      {lane === undefined ? undefined : (
        <span
          className={styles['interval']}
          aria-hidden="true"
          style={{
            left: from * step + step,
            width: Math.max((at - from) * step, 4),
            top: headHeight + lane * laneHeight + 5,
          }}
        />
      )}
    </>
  );
}

/** Each kill in words, with its evidence: the text form of the picture. */
function Kills({ trial, links }: { readonly trial: TrialReport; readonly links: Links }) {
  if (trial.placements.length === 0) {
    const { arm, faults } = trial;
    if (faults.length === 0)
      return (
        <p>
          {arm === 'control'
            ? 'No fault was injected: this is a control.'
            : 'No fault of this trial is on record. What that means stands under “Validity”.'}
        </p>
      );
    return (
      <p>
        No process was killed. {faults.length === 1 ? 'The fault' : 'The faults'}:{' '}
        {faults.map(({ class: name, event }) => (
          <EventRef key={event} links={links} trial={trial.id} event={event} label={name} />
        ))}
      </p>
    );
  }
  return (
    <ol className={styles['kills']} aria-label="Kills">
      {trial.placements.map(
        ({ ordinal, verdict, point, text, gap, life, alsoStruck, injected, exited, duringModelCall, ...rest }) => (
          <li key={ordinal}>
            <h3>
              Kill {ordinal} of {life ?? 'a life not recorded'}: {pointOf({ point, verdict, duringModelCall })}{' '}
              <Chip tone={verdict === 'verified' ? 'ok' : verdict === 'contradicted' ? 'danger' : 'warning'}>
                {verdict}
              </Chip>
            </h3>
            <p>{text}</p>
            <dl className={parts['pairs']}>
              <div>
                <dt>Interval struck</dt>
                <dd>
                  {gap.interval}
                  {duringModelCall && point !== undefined ? ', during a model call' : ''}
                </dd>
              </div>
              <div>
                <dt>Sent and confirmed</dt>
                <dd>
                  {rest.signal ?? 'signal not recorded'}{' '}
                  <EventRefs
                    links={links}
                    trial={trial.id}
                    events={[injected, ...(exited === undefined ? [] : [exited])]}
                  />
                </dd>
              </div>
              <div>
                <dt>Last record of that life</dt>
                <dd>
                  {gap.lastRecord === undefined ? (
                    'none'
                  ) : (
                    <EventRef links={links} trial={trial.id} event={gap.lastRecord} />
                  )}
                </dd>
              </div>
              <div>
                <dt>Not there</dt>
                <dd>
                  {gap.expected === undefined ? 'nothing is missing at this point' : `${gap.expected}: ${gap.wording}`}
                </dd>
              </div>
              <div>
                <dt>What fills the gap</dt>
                <dd>
                  {gap.filledBy.length === 0 ? (
                    'no record of another producer'
                  ) : (
                    <EventRefs links={links} trial={trial.id} events={gap.filledBy} />
                  )}
                </dd>
              </div>
              {alsoStruck.length === 0 ? undefined : (
                <div>
                  <dt>Also under way</dt>
                  <dd>{alsoStruck.map((one) => `${one.effect} at ${pointOf({ point: one.point })}`).join('; ')}</dd>
                </div>
              )}
            </dl>
          </li>
        ),
      )}
    </ol>
  );
}
