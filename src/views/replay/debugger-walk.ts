/**
 * Walking a replay: the position, and every way to another one, as buttons, keys and palette offer it.
 *
 * Invariant: the position is within the replay whatever the address says, and a search that finds nothing says so and leaves it alone.
 */
import { useCallback, useMemo, useState } from 'react';
import type { EventId } from '../../core/model/index.ts';
import {
  type DebugOverview,
  type DebugSearch,
  type ReplayRequest,
  type TraceId,
  useDebugSearch,
} from '../../data/index.ts';
import { useBreakpoints } from '../../state/breakpoints.ts';
import { type Command, useCommands } from '../../ui/commands.ts';
import { countToText } from '../../ui/format.ts';
import { announce } from '../../ui/notices.ts';

export interface Walk {
  readonly position: number;
  readonly last: number;
  readonly goTo: (position: number) => void;
  /** By the id of its command. */
  readonly commands: ReadonlyMap<string, Command>;
  /** Why the last search went nowhere. */
  readonly note: string | undefined;
}

export interface WalkOptions {
  readonly trace: TraceId;
  readonly request: ReplayRequest;
  readonly overview: DebugOverview;
  readonly event: EventId | undefined;
  readonly place: string | undefined;
  readonly onPlace: (place: string) => void;
}

export function useWalk({ trace, request, overview, event, place, onPlace }: WalkOptions): Walk {
  const last = overview.length - 1;
  const position = placeToPosition(place, last);
  const [note, setNote] = useState<string>();
  const search = useDebugSearch(request);
  const breakpoints = useBreakpoints(trace);
  const goTo = useCallback(
    (to: number) => {
      setNote(undefined);
      onPlace(String(to));
      announce(`Step ${countToText(to)} of ${countToText(last)}`);
    },
    [onPlace, last],
  );
  const find = useCallback(
    (target: DebugSearch['target'], direction: 1 | -1, nothing: string) => {
      search({ target, from: position, direction }).then(
        (found) => {
          if (found !== undefined) goTo(found);
          else {
            setNote(nothing);
            announce(nothing);
          }
        },
        (error: unknown) => setNote(error instanceof Error ? error.message : String(error)),
      );
    },
    [search, position, goTo],
  );
  const list = useMemo<readonly Command[]>(() => {
    const conditions = breakpoints.filter(({ isOn }) => isOn).map(({ condition }) => condition);
    const toBreakpoint = { kind: 'breakpoint', conditions } as const;
    const noBreakpoint = conditions.length === 0 ? 'no breakpoint is switched on' : undefined;
    const atStart = position === 0 ? 'this is the start' : undefined;
    const atEnd = position === last ? 'this is the last step' : undefined;
    const isNone = (kind: (typeof overview.marks)[number]['kind']): boolean =>
      overview.marks.every((mark) => mark.kind !== kind);
    const noDifference = isNone('divergence') ? 'nothing differs from the record' : undefined;
    const noPending = isNone('pending') ? 'no command is without its value' : undefined;
    const group = 'Debugger';
    return [
      { id: 'back', name: 'Step back', keys: ['p'], unavailable: atStart, run: () => goTo(position - 1) },
      { id: 'forward', name: 'Step forward', keys: ['n'], unavailable: atEnd, run: () => goTo(position + 1) },
      {
        id: 'difference',
        name: 'Next difference',
        keys: ['d'],
        unavailable: noDifference,
        run: () => find({ kind: 'divergence' }, 1, 'No difference from the record behind this step.'),
      },
      {
        id: 'difference-back',
        name: 'Previous difference',
        keys: ['D'],
        unavailable: noDifference,
        run: () => find({ kind: 'divergence' }, -1, 'No difference from the record before this step.'),
      },
      {
        id: 'pending',
        name: 'Next pending',
        keys: ['w'],
        unavailable: noPending,
        run: () => find({ kind: 'pending' }, 1, 'No command that gets no value behind this step.'),
      },
      {
        id: 'pending-back',
        name: 'Previous pending',
        keys: ['W'],
        unavailable: noPending,
        run: () => find({ kind: 'pending' }, -1, 'No command that gets no value before this step.'),
      },
      {
        id: 'breakpoint',
        name: 'Run to breakpoint',
        keys: ['x'],
        unavailable: noBreakpoint,
        run: () => find(toBreakpoint, 1, 'No step behind this one meets a breakpoint.'),
      },
      {
        id: 'breakpoint-back',
        name: 'Run back to breakpoint',
        keys: ['X'],
        unavailable: noBreakpoint,
        run: () => find(toBreakpoint, -1, 'No step before this one meets a breakpoint.'),
      },
      {
        id: 'selection',
        name: 'Run to selection',
        keys: ['g'],
        unavailable: event === undefined ? 'no step is selected on the left' : undefined,
        run: () => {
          if (event !== undefined)
            find({ kind: 'selection', event }, 1, 'The selected event is no step of this replay.');
        },
      },
    ].map((command) => ({ ...command, id: `debugger.${command.id}`, group }));
  }, [breakpoints, position, last, overview, goTo, find, event]);
  useCommands('debugger', list, 'part');
  const commands = useMemo(
    () => new Map(list.map((command) => [command.id.replace('debugger.', ''), command])),
    [list],
  );
  return { position, last, goTo, commands, note };
}

function placeToPosition(place: string | undefined, last: number): number {
  const asked = place !== undefined && /^\d{1,9}$/.test(place) ? Number(place) : 0;
  return Math.min(asked, last);
}
