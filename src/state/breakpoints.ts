/**
 * Breakpoints of the replay debugger, by trace: conditions as text, each switched on or off.
 *
 * Invariant: they live in memory alone and survive a walk to another view; a text that is no condition never gets in.
 */
import { create } from 'zustand';

export interface Breakpoint {
  readonly id: number;
  readonly condition: string;
  readonly isOn: boolean;
}

interface Breakpoints {
  readonly byTrace: Readonly<Record<string, readonly Breakpoint[]>>;
  readonly next: number;
}

const useStore = create<Breakpoints>(() => ({ byTrace: {}, next: 1 }));
const none: readonly Breakpoint[] = [];

export function useBreakpoints(trace: string): readonly Breakpoint[] {
  return useStore(({ byTrace }) => byTrace[trace] ?? none);
}

/** One that is there already is switched on. */
export function addBreakpoint(trace: string, condition: string): void {
  useStore.setState(({ byTrace, next }) => {
    const known = byTrace[trace] ?? none;
    const rest = known.filter((one) => one.condition !== condition);
    return { byTrace: { ...byTrace, [trace]: [...rest, { id: next, condition, isOn: true }] }, next: next + 1 };
  });
}

export function switchBreakpoint(trace: string, id: number, isOn: boolean): void {
  changeBreakpoints(trace, (all) => all.map((one) => (one.id === id ? { ...one, isOn } : one)));
}

export function removeBreakpoint(trace: string, id: number): void {
  changeBreakpoints(trace, (all) => all.filter((one) => one.id !== id));
}

function changeBreakpoints(trace: string, change: (all: readonly Breakpoint[]) => readonly Breakpoint[]): void {
  useStore.setState(({ byTrace }) => ({ byTrace: { ...byTrace, [trace]: change(byTrace[trace] ?? none) } }));
}
