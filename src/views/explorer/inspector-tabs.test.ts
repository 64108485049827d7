import { describe, expect, it } from 'vitest';
import { inspectorTabs, stepTab, textToInspectorTab } from './inspector-tabs.ts';
import { panelToPane, paneToElementId } from './pane-focus.ts';

describe('tabs of the inspector', () => {
  it('are walked both ways round, from the first where the address names none', () => {
    const forth: string[] = ['why'];
    for (let at = 0; at < inspectorTabs.length; at++) forth.push(stepTab(forth.at(-1), 1));
    expect(forth).toEqual([...inspectorTabs, 'why']);
    expect([stepTab(undefined, -1), stepTab('payload', -1), textToInspectorTab('nonsense')]).toEqual([
      'raw',
      'why',
      'why',
    ]);
  });
});

describe('the pane a key goes to', () => {
  it('is the transcript’s own where there are three, else the one of the views', () => {
    expect([panelToPane('transcript', true), panelToPane('transcript', false), panelToPane('state', true)]).toEqual([
      'transcript',
      'left',
      'left',
    ]);
    expect(paneToElementId('left')).not.toBe(paneToElementId('inspector'));
  });
});
