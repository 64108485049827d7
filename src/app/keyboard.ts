/**
 * Keys of the whole page. One listener; what a key does is decided by the registry of commands.
 *
 * Invariant: a single letter never acts while a person types or chooses (text fields, menus, lists of choices, dialogs),
 * and a key that a control has used already is left alone.
 */
import { useEffect } from 'react';
import { findCommand, keyPressToName } from '../ui/commands.ts';

const typing = 'input, textarea, select, [contenteditable="true"], [role="textbox"]';
const choosing = '[role="menu"], [role="dialog"], [role="alertdialog"], [role="combobox"]';
/** Elements that act on these keys themselves. */
const pressed = 'button, a, [role="tab"], [role="button"], [role="slider"], [role="switch"], summary';

/** Whether a key press at this element belongs to the page, rather than to the element. */
export function isForPage(target: Element | undefined, key: string, letterKeys: boolean): boolean {
  if (key.startsWith('mod+')) return true;
  if (isInside(target, choosing) || isInside(target, typing)) return false;
  if (key === 'Escape') return true;
  if (!letterKeys && key.length === 1) return false;
  return !((key === 'Enter' || key === ' ') && isInside(target, pressed));
}

function isInside(target: Element | undefined, selector: string): boolean {
  return target !== undefined && target.closest(selector) !== null;
}

/** Syncs with the keyboard events of the document. */
export function useKeyboard(letterKeys: boolean): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const key = keyPressToName(event);
      if (key === undefined) return;
      const target = event.target instanceof Element ? event.target : undefined;
      if (!isForPage(target, key, letterKeys)) return;
      const command = findCommand(key);
      if (command === undefined || command.unavailable !== undefined) return;
      event.preventDefault();
      command.run();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [letterKeys]);
}
