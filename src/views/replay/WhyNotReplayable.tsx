/** Says why a trace can be previewed and not replayed, and what would have to be recorded. */
import { Icon } from '../../ui/Icons.tsx';
import type { ReplaySession } from './session.ts';
import styles from './Changes.module.css';

export function WhyNotReplayable({ session }: { readonly session: ReplaySession }) {
  const { missing } = session.facts;
  return (
    <div className={styles['notice']}>
      <Icon name="info" size={16} />
      <div>
        <p>
          This trace carries no control program, so what falls with an edit can be told from what the records say they
          used, and the edit cannot be replayed. If you have the program, paste it here, or take a reference program for
          this kind of loop where one is offered, and verify it: until its replay is identical, results are labelled{' '}
          <b>unverified program</b>.
        </p>
        {missing.length === 0 ? undefined : (
          <>
            <p>Not recorded, and needed for a replay:</p>
            <ul>
              {missing.map((field) => (
                <li key={field}>{field}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  );
}
