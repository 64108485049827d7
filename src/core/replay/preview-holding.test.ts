import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseLossless } from '../base/lossless.ts';
import { type HindcastEvent, parseEvent } from '../model/index.ts';
import { previewEdits } from './testing/preview.ts';

const sample = new URL('../../../public/samples/wrong-observation.hindcast.jsonl', import.meta.url);

function readEvents(): HindcastEvent[] {
  return readFileSync(sample, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const json = parseLossless(line);
      const event = json.ok ? parseEvent(json.value) : undefined;
      return event?.ok === true ? [event.value] : [];
    });
}

const events = readEvents();
function byType(type: string, name: string): string | undefined {
  return events.find(
    (event) => event.type === type && (event.data?.['name'] === name || event.step?.includes(name) === true),
  )?.id;
}

function previewOf(path: string) {
  const preview = previewEdits(events, { edits: [{ target: { path }, value: {} }], supply: [] });
  if (!preview.ok) throw new Error(preview.error);
  return preview.value;
}

describe('starts that stand while something in them falls', () => {
  it('R39 names the sub-agent and the steps that hold what falls, and no other', () => {
    const { holding, events: fallen } = previewOf('/par:account/child:account#0/read:customers.lookup#0');
    const held = holding.map(({ event }) => event);
    expect(held).toContain(byType('agent.spawned', 'account'));
    expect(held).not.toContain(byType('agent.spawned', 'device'));
    expect(held).toContain(byType('step.started', 'decide-resolution'));
    expect(held.some((id) => fallen.some(({ event }) => event === id))).toBe(false);
    for (const { because } of holding) expect(fallen.map(({ event }) => event)).toContain(because.event);
  });

  it('a start that falls itself is told as falling', () => {
    const { holding, events: fallen } = previewOf('/read:cases.get#0');
    const start = byType('agent.spawned', 'account');
    expect(fallen.find(({ event }) => event === start)?.status).toBe('falls');
    expect(holding.map(({ event }) => event)).not.toContain(start);
  });
});
