/** A transition names the version it consumed and the version it made (R6). */
import { countToText } from '../../projections/effects/words.ts';
import { type Rule, createFinding } from '../rule.ts';

export const stateVersionNotRecorded: Rule = {
  id: 'state-version-not-recorded',
  title: 'State versions consumed and made by transitions',
  severity: 'notice',
  establishes: 'Transitions lack the version they consumed or the version they made.',
  leavesOpen: 'On which state they were built.',
  requirements: ['R6'],
  run: (audit) => {
    const lacking = audit
      .events('state.transitioned')
      .filter(({ data }) => data.from === undefined || data.to === undefined);
    if (lacking.length === 0) return [];
    return [
      createFinding(stateVersionNotRecorded, {
        subject: 'trace',
        title: `State version not recorded on ${countToText(lacking.length, 'transition')}`,
        text: `${countToText(lacking.length, 'transition')} of state without the version consumed or the version made.`,
        evidence: lacking.map(({ id }) => id),
        known: [],
        unknown: ['Which versions these transitions joined.'],
      }),
    ];
  },
};
