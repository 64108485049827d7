/**
 * Keys of the whole page. One listener; what a key does is decided by the registry of commands.
 *
 * Invariant: a single letter never acts while a person types or chooses (text fields, menus, lists of choices, dialogs),
 * and a key that a control has used already is left alone. A letter pressed while a view is on its way is not lost: it waits for its command.
 * Escape backs out one level, everywhere alike: out of the field that is typed in, then as the view says, then out of the view.
 */
import { useEffect } from 'react';
import { findCommand, keyPressToName } from '../ui/commands.ts';
import { leaveElement } from './focus-keeper.ts';
import { forgetKeys, keepKey, runKeptKeys, subscribeToLoading } from './loading-views.ts';

const typing = 'input, textarea, select, [contenteditable="true"], [role="textbox"]';
/** What of it is no text: nothing typed keeps Escape from the page. */
const ticking = 'input:is([type="checkbox"], [type="radio"], [type="button"], [type="range"], [type="file"])';
const choosing = '[role="menu"], [role="dialog"], [role="alertdialog"], [role="combobox"]';
/** Elements that act on these keys themselves. */
const pressed = 'button, a, [role="tab"], [role="button"], [role="slider"], [role="switch"], summary';

/** Whether a key press at this element belongs to the page, rather than to the element. */
export function isForPage(target: Element | undefined, key: string, letterKeys: boolean): boolean {
  if (key.startsWith('mod+')) return true;
  if (isInside(target, choosing)) return false;
  if (key === 'Escape') return findField(target) === undefined;
  if (isInside(target, typing)) return false;
  if (!letterKeys && key.length === 1) return false;
  return !((key === 'Enter' || key === ' ') && isInside(target, pressed));
}

function isInside(target: Element | undefined, selector: string): boolean {
  return target !== undefined && target.closest(selector) !== null;
}

/** The text field an element is, or is in. */
function findField(target: Element | undefined): Element | undefined {
  const field = target?.closest(typing);
  return field === null || field?.matches(ticking) === true ? undefined : field;
}

/** The field that Escape leaves now. A field to search with is emptied first, by the browser; lists and dialogs see to themselves. */
function findFieldToLeave(target: Element | undefined): Element | undefined {
  if (isInside(target, choosing)) return undefined;
  const field = findField(target);
  const isEmptiedFirst = field instanceof HTMLInputElement && field.type === 'search' && field.value !== '';
  return isEmptiedFirst ? undefined : field;
}

/** Letters and signs alone: the other keys move and scroll what is there now. */
function isKept(key: string): boolean {
  return key.length === 1 && key !== ' ';
}

/** False where no command has the key now. */
function runKey(key: string): boolean {
  const command = findCommand(key);
  if (command === undefined || command.unavailable !== undefined) return false;
  command.run();
  return true;
}

/** Syncs with the keyboard events of the document. */
export function useKeyboard(letterKeys: boolean): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const key = keyPressToName(event);
      if (key === undefined) return;
      const target = event.target instanceof Element ? event.target : undefined;
      const field = key === 'Escape' ? findFieldToLeave(target) : undefined;
      if (field !== undefined) {
        leaveElement(field);
        event.preventDefault();
        return;
      }
      if (!isForPage(target, key, letterKeys)) return;
      if (runKey(key) || (isKept(key) && !event.repeat && keepKey(key))) event.preventDefault();
    };
    // What a view offers it registers after it took the place of what stood there while it loaded.
    const onLoading = (): void =>
      queueMicrotask(() =>
        runKeptKeys((key) => isForPage(document.activeElement ?? undefined, key, letterKeys) && runKey(key)),
      );
    const unsubscribe = subscribeToLoading(onLoading);
    document.addEventListener('keydown', onKeyDown);
    window.addEventListener('hashchange', forgetKeys);
    window.addEventListener('popstate', forgetKeys);
    return () => {
      unsubscribe();
      document.removeEventListener('keydown', onKeyDown);
      window.removeEventListener('hashchange', forgetKeys);
      window.removeEventListener('popstate', forgetKeys);
    };
  }, [letterKeys]);
}
