/** A killed producer that does not write every record through may have taken records with it (R30). */
import { capitalise } from '../../projections/effects/words.ts';
import { killToSentence } from '../attempt-words.ts';
import { type Rule, createFinding } from '../rule.ts';

export const bufferedProducerKilled: Rule = {
  id: 'buffered-producer-killed',
  title: 'Records that may be lost with a killed process',
  severity: 'notice',
  establishes:
    'A process was killed that declares buffered writing, or declares nothing about it. What is missing from it is absent or lost.',
  leavesOpen: 'Whether any record was in fact lost.',
  requirements: ['R30', 'R66'],
  run: ({ ledger }) =>
    ledger.lives.all
      .filter(({ killed, component }) => killed && ledger.declarations.producers.get(component) !== 'fsync')
      .map((life) => {
        const flush = ledger.declarations.producers.get(life.component);
        return createFinding(bufferedProducerKilled, {
          subject: life.key,
          title: `${capitalise(life.label)} was killed with records possibly unwritten`,
          text: `${killToSentence(life)} ${flush === undefined ? 'How it writes its records is not declared' : `It declares flush "${flush}"`}: what is missing from it reads "absent or lost".`,
          evidence: [life.injected, life.exited].flatMap((event) => (event === undefined ? [] : [event.id])),
          known: [killToSentence(life)],
          unknown: ['Whether records were lost with its memory.'],
        });
      }),
};
