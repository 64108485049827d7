/** The picture the product is about, drawn: an effect committed twice because an acknowledgement was lost. Illustrated. */
import styles from './CausePicture.module.css';

export function CausePicture() {
  return (
    <figure className={styles['figure']}>
      <svg
        viewBox="0 0 440 176"
        role="img"
        aria-label="Drawing: step open-ticket dispatches a tool call, the service commits ticket 8421, worker 1 is killed before the acknowledgement; worker 2 dispatches again and the service commits ticket 8422."
      >
        <g className={styles['lanes']}>
          <path d="M0 30h440M0 88h440M0 146h440" />
        </g>
        <g className={styles['labels']}>
          <text x="0" y="18">
            worker 1
          </text>
          <text x="0" y="76">
            ticket service
          </text>
          <text x="0" y="134">
            worker 2
          </text>
        </g>
        <g className={styles['edges']}>
          <path d="M110 30h34M166 30c20 0 4 58 26 58" />
          <path className={styles['recovery']} d="M262 36c20 20 0 110 24 110" />
          <path d="M308 146c22 0 4-58 28-58" />
        </g>
        <path className={styles['gap']} d="M214 88c20 0 14-58 34-58" />
        <g>
          <path className={styles['step']} d="m99 19 11 11-11 11-11-11Z" />
          <rect className={styles['tool']} x="144" y="20" width="22" height="20" rx="4" />
          <rect className={styles['effect']} x="192" y="78" width="22" height="20" rx="4" />
          <path className={styles['kill']} d="m250 23 14 14m0-14-14 14" />
          <rect className={styles['tool']} x="286" y="136" width="22" height="20" rx="4" />
          <rect className={styles['effect']} x="336" y="78" width="22" height="20" rx="4" />
        </g>
        <g className={styles['words']}>
          <text x="62" y="58">
            step open-ticket
          </text>
          <text x="156" y="116">
            committed 8421
          </text>
          <text x="272" y="22">
            killed before
          </text>
          <text x="272" y="38">
            the answer
          </text>
          <text x="266" y="172">
            sent again
          </text>
          <text x="338" y="116">
            committed 8422
          </text>
        </g>
      </svg>
      <figcaption>
        Drawn by process. The explorer has a lane for each agent: there a commitment stands with the agent that asked
        for it.
      </figcaption>
    </figure>
  );
}
