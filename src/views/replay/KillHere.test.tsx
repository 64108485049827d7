/** A sweep of simulated kills over names that turn text around, and over names of megabytes, as the page draws it. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventId, mainBranch } from '../../core/model/index.ts';
import type { SimulatedSweep, SimulatedTrial } from '../../core/simulate/index.ts';
import type { TraceId } from '../../data/index.ts';
import { emptyDraft } from '../../state/replay-draft.ts';
import { type KillJob, KillHere } from './KillHere.tsx';
import type { ReplaySession } from './session.ts';

afterEach(cleanup);

/** No layout here: nothing ever has a size. */
class NoSizes {
  readonly observe = vi.fn();
  readonly disconnect = vi.fn();
}

vi.stubGlobal('ResizeObserver', NoSizes);

const turning = /[\u0000-\u0008\u000e-\u001f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

function unused(): never {
  throw new Error('not used by this test');
}

function trialOf(name: string, killed: boolean): SimulatedTrial {
  const path = `/write:${name}#0`;
  return {
    strategy: 'naive',
    kill: killed ? { path, boundary: '1' } : undefined,
    reached: killed,
    commitments: { [path]: 1 },
    committed: 1,
    duplicates: 0,
    losses: [name],
    deduplicated: 0,
    refused: 0,
    modelCalls: 0,
    extraModelCalls: 0,
    ending: 'completed',
    completed: true,
    equalsRecorded: true,
    sentence: `It made ${name} once.`,
    story: [{ life: 1, type: 'effect.committed', path, text: `The service made ${name}.` }],
    assumptions: [`${name} is answered from the record.`],
  };
}

function sweepOf(name: string): SimulatedSweep {
  const path = `/write:${name}#0`;
  return {
    run: 'r',
    program: `${name} ${name}`,
    boundaries: ['1'],
    strategies: ['naive'],
    effects: [path],
    notSwept: [{ path, why: `its tool ${name} is not known` }],
    controls: [trialOf(name, false)],
    trials: [trialOf(name, true)],
    suspect: true,
    causes: [`The naive restart did not duplicate ${name}.`],
    modelVaries: false,
  };
}

function sessionOf(name: string): ReplaySession {
  const items = ['0', '1'].map((n) => ({
    path: `/write:${name}#${n}`,
    kind: 'write',
    name,
    event: eventId(n),
    status: 'stands' as const,
    reasons: [],
  }));
  const counts = { stands: 2, edited: 0, falls: 0, 'may-fall': 0, unknown: 0 };
  const preview = { items, events: [], holding: [], counts, insufficient: false };
  return {
    // Cast: the brand factory is in platform/storage, which views do not import.
    trace: 't-1' as TraceId,
    branch: mainBranch,
    facts: {
      isLoading: false,
      problem: null,
      run: 'r',
      start: undefined,
      input: undefined,
      program: { name, version: name, source: 'async function main() {}', isOfBranch: false },
      end: undefined,
      missing: [],
    },
    runs: [],
    hasBranch: () => true,
    titles: new Map(),
    draft: emptyDraft,
    change: unused,
    reading: { request: undefined, problems: new Map(), changes: 0 },
    preview: { data: preview, problem: undefined, isAsked: true },
    state: { status: 'idle' },
    result: undefined,
    elsewhere: undefined,
    isResultOld: false,
    isUnverified: false,
    hasProgram: true,
    canReplay: true,
    person: undefined,
    namePerson: unused,
    replay: unused,
    verify: unused,
    runAgain: unused,
    cancel: unused,
    dismiss: unused,
  };
}

function show(name: string): HTMLElement {
  const session = sessionOf(name);
  const ask = { trace: session.trace, run: 'r', branch: mainBranch, modelVaries: false };
  const job: KillJob = {
    state: { status: 'done', ask, answer: sweepOf(name) },
    start: unused,
    cancel: unused,
    clear: unused,
  };
  const { container } = render(
    <KillHere session={session} job={job} path={undefined} onPath={unused} onProgram={unused} />,
  );
  fireEvent.click(screen.getByRole('button', { name: /no kill/ }));
  return container;
}

/** All a person can read or hear: texts and attributes. */
function listShown(root: HTMLElement): readonly string[] {
  const attributes = [...root.querySelectorAll('*')].flatMap((element) => [...element.attributes]);
  return [...attributes.map(({ value }) => value), ...[...root.querySelectorAll('*')].map(ownText)];
}

function ownText(element: Element): string {
  return [...element.childNodes]
    .map((node) => (node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : ''))
    .join('');
}

describe('Kill here', () => {
  it('R145 shows a name that turns text around as its escape: in buttons, sentences, causes, assumptions and the story', () => {
    const shown = listShown(show('\u202eevil\u2066'));
    expect(shown.filter((text) => turning.test(text))).toEqual([]);
    const told = shown.join('\n');
    for (const sentence of ['Program: ', 'did not duplicate ', 'is answered', 'is not struck', 'The service made '])
      expect(told).toContain(sentence);
    expect(told.match(/\\u202eevil\\u2066/g)?.length).toBeGreaterThan(8);
  });

  it('R146 puts no name of megabytes into the page', () => {
    const shown = listShown(show('x'.repeat(1_000_000)));
    expect(Math.max(...shown.map(({ length }) => length))).toBeLessThan(5000);
  });
});
