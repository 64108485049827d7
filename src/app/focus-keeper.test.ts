import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useFocusKeeper } from './focus-keeper.ts';

function get(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the test needs #${id}`);
  return found;
}

/** Lets the observer tell, and those who give the focus back have their time. */
async function settle(): Promise<void> {
  await Promise.resolve();
  await vi.advanceTimersByTimeAsync(100);
}

describe('the focus', () => {
  let leave: () => void;
  beforeEach(() => {
    vi.useFakeTimers();
    document.body.innerHTML =
      '<main id="main"><section id="part"><button id="clear">Clear</button></section><input id="other"></main>';
    leave = renderHook(() => useFocusKeeper()).unmount;
  });
  afterEach(() => {
    leave();
    vi.useRealTimers();
  });

  it('stays in the part whose button is gone', async () => {
    get('clear').focus();
    get('clear').remove();
    expect(document.activeElement).toBe(document.body);
    await settle();
    expect(document.activeElement).toBe(get('part'));
  });

  it('goes to the view that took the place of the one that was left, once it is there', async () => {
    get('clear').focus();
    document.body.replaceChildren();
    await settle();
    expect(document.activeElement).toBe(document.body);
    document.body.innerHTML = '<main id="next"></main>';
    await settle();
    expect(document.activeElement).toBe(get('next'));
  });

  it('is left where somebody gave it in the meantime, and where a person put it', async () => {
    get('clear').focus();
    get('clear').remove();
    get('other').focus();
    await settle();
    expect(document.activeElement).toBe(get('other'));
    get('other').blur();
    get('part').remove();
    await settle();
    expect(document.activeElement).toBe(document.body);
  });

  it('is given back by a dialog, and goes to what is left where the dialog took away what opened it', async () => {
    const dialog = '<div role="dialog" id="asked"><button id="yes">Yes</button></div>';
    get('clear').focus();
    document.body.insertAdjacentHTML('beforeend', dialog);
    get('yes').focus();
    get('asked').remove();
    get('clear').focus();
    await settle();
    expect(document.activeElement).toBe(get('clear'));

    document.body.insertAdjacentHTML('beforeend', dialog);
    get('yes').focus();
    get('clear').remove();
    get('asked').remove();
    await settle();
    expect(document.activeElement).toBe(get('part'));
  });
});
