/**
 * Where the focus goes when the element that has it is taken away: to what is left around it, not to the top of the page.
 *
 * A button that leads to another view, clears a filter or takes back a change is often gone by the time it has acted. Who works by
 * keyboard or hears the page would start again from the beginning. Dialogs and menus give the focus back themselves and are given the
 * time for it.
 */
import { useEffect } from 'react';

/** Milliseconds: those who give the focus back do it in the next frame. */
const patience = 50;
const givesBack = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';
const holders = 'main, section, form, [role="region"], [role="group"], [role="tabpanel"]';

function pathOf(element: Element): readonly Element[] {
  const path: Element[] = [];
  for (let at: Element | null = element; at !== null; at = at.parentElement) path.push(at);
  return path;
}

/** The innermost part of the page that is left of what stood around an element; `main` where nothing is. */
function findHolder(path: readonly Element[]): HTMLElement | undefined {
  const left = path.find((element) => element.isConnected && element.matches(holders));
  const found = left ?? document.querySelector('main');
  return found instanceof HTMLElement ? found : undefined;
}

function give(path: readonly Element[]): void {
  const holder = findHolder(path);
  if (holder === undefined) return;
  if (!holder.hasAttribute('tabindex')) holder.tabIndex = -1;
  holder.focus({ preventScroll: true });
}

/** Takes the focus out of an element, to the part of the page it stands in. */
export function leaveElement(element: Element): void {
  if (element.parentElement !== null) give(pathOf(element.parentElement));
}

/** Syncs with the document: what has the focus, and what is taken out of it. */
export function useFocusKeeper(): void {
  useEffect(() => {
    let path: readonly Element[] = [];
    let outside: readonly Element[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onFocusIn = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return;
      // A dialog over what it takes away has nobody to give the focus back to.
      if (target.closest(givesBack) === null) outside = pathOf(target);
      path = target.closest(givesBack) === null ? outside : [target, ...outside];
    };
    const isLost = (): boolean => path[0]?.isConnected === false && document.activeElement === document.body;
    const observer = new MutationObserver(() => {
      if (timer !== undefined || !isLost()) return;
      timer = setTimeout(() => {
        timer = undefined;
        if (isLost()) give(path);
      }, patience);
    });
    document.addEventListener('focusin', onFocusIn);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('focusin', onFocusIn);
    };
  }, []);
}
