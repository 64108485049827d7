/** What was not measured, by section, with the reason. */
import type { CampaignReport, Section } from '../../core/recovery/index.ts';
import styles from './Parts.module.css';

/** What a full report would hold and these streams cannot: said, so that its absence is no silence. */
export function NotMeasured({
  campaign,
  section,
}: {
  readonly campaign: Pick<CampaignReport, 'notMeasured'>;
  readonly section: Section;
}) {
  const own = campaign.notMeasured.filter((one) => one.section === section);
  if (own.length === 0) return undefined;
  return (
    <dl className={styles['missing']} aria-label="Not measured">
      {own.map(({ what, why }) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>not measured: {why}</dd>
        </div>
      ))}
    </dl>
  );
}
