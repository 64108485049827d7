/** The named rules by which the importer of Inngest runs infers what no record says. Everything else is recorded. */
export const rules = {
  'row-before':
    'Rows of different groups are joined by nothing but their ids, which begin with a time: the first row of a group is drawn after the last answer of the function before it. Clock only.',
  'first-row-of-group': 'Within a group, a row that is no answer follows the row of the group before it.',
  'run-of-rows': 'Rows without a run id that stand in one document are of one run.',
} as const;

export type RuleName = keyof typeof rules;
