/** A record that does not say what it was made of is unknown after an edit, and never said to stand. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseLossless } from '../base/lossless.ts';
import { type HindcastEvent, parseEvent } from '../model/index.ts';
import { alter } from './testing/replay-case.ts';
import { previewEdits } from './testing/preview.ts';

const sample = new URL('../../../public/samples/clean-control.hindcast.jsonl', import.meta.url);

const events = readFileSync(sample, 'utf8')
  .trim()
  .split('\n')
  .map((line): HindcastEvent => {
    const json = parseLossless(line);
    const event = json.ok ? parseEvent(json.value) : undefined;
    if (event?.ok !== true) throw new Error(`not an event: ${line.slice(0, 80)}`);
    return event.value;
  });

/** What stays are causes that say where a record stands, what it answers and who allowed it. */
function stripUses(event: HindcastEvent): HindcastEvent {
  const { causes } = event;
  if (causes === undefined) return event;
  const left = causes.filter(({ as }) => as !== 'consumed' && as !== 'informed_by');
  return alter(event, { causes: left.map(({ event: of, as }) => ({ event: of, as })) });
}

function previewOf(from: readonly HindcastEvent[], path: string) {
  const preview = previewEdits(from, { edits: [{ target: { path }, value: { other: 1 } }], supply: [] });
  if (!preview.ok) throw new Error(preview.error);
  return preview.value;
}

describe('I6 R45 references that are not recorded', () => {
  it('I6 R45 without any, what comes later in the same line of work is unknown', () => {
    const { counts, insufficient, items } = previewOf(events.map(stripUses), '/model:triage#0');
    expect(insufficient).toBe(true);
    expect(counts.unknown).toBeGreaterThan(20);
    const standing = items.filter(({ status }) => status === 'stands').map(({ path }) => path);
    // Asked before the edited answer came.
    expect(standing).toEqual(['/read:cases.get#0']);
  });

  it('I6 R45 a step says where a decision stands, not what it used', () => {
    const { items } = previewOf(events, '/model:triage#0');
    expect(items.find(({ path }) => path === '/decide:quality-review#0')?.status).toBe('unknown');
  });

  it('I6 a command that was chosen by a decision which names its grounds is as the decision is', () => {
    const { items } = previewOf(events, '/decide:quality-review#0');
    expect(items.find(({ path }) => path === '/write:tickets.create#0')?.status).toBe('stands');
  });
});
