/** The shipped programs that a trace may be replayed with: read once, the one whose loop fits first, and which of them is in the editor. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useReferencePrograms } from '../../data/index.ts';
import { findFitting } from './reference-fit.ts';
import type { ReplaySession } from './session.ts';

export interface Reference {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly fits: boolean;
}

type ReadReference = Omit<Reference, 'fits'>;

const none: readonly ReadReference[] = [];

export function useReferences({ trace, facts, draft, preview }: ReplaySession): {
  readonly choices: readonly Reference[];
  readonly chosen: Reference | undefined;
  /** Why they cannot be offered. */
  readonly problem: string | undefined;
} {
  const { fitting, read } = useReferencePrograms(trace);
  const isWanted = facts.program.source === undefined && fitting.length > 0;
  // Files of this site: few and small, read where one may be chosen.
  const { data: programs = none, error } = useQuery({
    queryKey: ['reference programs', ...fitting.map(({ id }) => id)],
    queryFn: () => Promise.all(fitting.map(async (one) => ({ id: one.id, title: one.title, source: await read(one) }))),
    enabled: isWanted,
    staleTime: Infinity,
  });
  const items = preview.data?.items;
  return useMemo(() => {
    const fits = programs.length > 1 ? findFitting(programs, items ?? []) : undefined;
    const choices = programs
      .map((program) => ({ ...program, fits: program === fits }))
      .sort((one, other) => Number(other.fits) - Number(one.fits));
    return { choices, chosen: choices.find(({ source }) => source === draft.program), problem: error?.message };
  }, [programs, items, draft.program, error]);
}
