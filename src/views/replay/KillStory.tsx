/** What would have happened in one cell of the matrix, life by life. */
import { passageToShown, lineToShown } from '../../core/base/shown-text.ts';
import { type SimulatedTrial, boundaryLabels, boundaryWords, traitsOf } from '../../core/simulate/index.ts';
import { countOf } from '../../ui/format.ts';
import type { ReplaySession } from './session.ts';
import styles from './Kill.module.css';

export interface KillStoryProps {
  readonly trial: SimulatedTrial;
  readonly session: ReplaySession;
}

export function KillStory({ trial }: KillStoryProps) {
  const { strategy, kill, sentence, story, modelCalls, equalsRecorded } = trial;
  const lives = [...new Set(story.map(({ life }) => life))];
  return (
    <section className={styles['story']} aria-label="Story of this kill" aria-live="polite">
      <h4>
        {traitsOf[strategy].label},{' '}
        {kill === undefined
          ? 'nothing killed'
          : `killed at ${boundaryLabels[kill.boundary]}: ${boundaryWords[kill.boundary]}`}
      </h4>
      <p>
        {passageToShown(sentence)} {countOf(modelCalls, 'model call')} in all; the outcome is{' '}
        {equalsRecorded ? 'the recorded one' : 'not the recorded one'}.
      </p>
      <div className={styles['lives']}>
        {lives.map((life) => (
          <div key={life}>
            <h5>Worker {life}</h5>
            <ol>
              {story
                .filter((event) => event.life === life)
                .map(({ type, path, text }, n) => (
                  <li
                    key={n}
                    data-fault={/killed|fault/.test(type)}
                    data-struck={path !== undefined && path === kill?.path}
                  >
                    <span>{type}</span>
                    <p>
                      {passageToShown(text)} {path === undefined ? undefined : <code>{lineToShown(path)}</code>}
                    </p>
                  </li>
                ))}
            </ol>
          </div>
        ))}
      </div>
    </section>
  );
}
