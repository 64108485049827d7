/**
 * Tells of commands whose kind no version of the model has: they are kept and shown, and no replay can issue them.
 *
 * Such a kind may be of a newer writer, so it is a notice and nothing is refused; each kind is told once. Called by `hindcast.ts`.
 */
import { type HindcastEvent, commandKinds } from '../../model/index.ts';
import { nameToShown } from '../../base/shown-text.ts';
import type { InputPlace, Problem } from '../format.ts';

export interface KindWatch {
  readonly see: (event: HindcastEvent, place: InputPlace) => void;
  readonly rest: () => readonly Problem[];
}

const known: ReadonlySet<string> = new Set(commandKinds);

/** Kinds told one by one. */
const mostTold = 20;

interface Seen {
  readonly first: Pick<Problem, 'place' | 'events'>;
  events: number;
}

export function createKindWatch(): KindWatch {
  const kinds = new Map<string, Seen>();
  let more = 0;
  return {
    see: ({ id, command }, place) => {
      const kind = command?.kind;
      if (kind === undefined || known.has(kind)) return;
      const seen = kinds.get(kind);
      if (seen !== undefined) seen.events++;
      else if (kinds.size < mostTold) kinds.set(kind, { first: { place, events: [id] }, events: 1 });
      else more++;
    },
    rest: () => {
      const told = [...kinds].map(([kind, { first, events }]): Problem => {
        const whose = events === 1 ? 'The command of one event is' : `The commands of ${String(events)} events are`;
        const message = `${whose} of the kind "${nameToShown(kind)}", which is not known here. They are kept and shown; a replay cannot issue such a command.`;
        return { code: 'unknown-command-kind', message, severity: 'notice', ...first };
      });
      if (more === 0) return told;
      const rest = `${more.toLocaleString('en')} more events have commands of other kinds that are not known here.`;
      return [...told, { code: 'unknown-command-kind', message: rest, severity: 'notice' }];
    },
  };
}
