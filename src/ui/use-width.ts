/** The width of an element as it stands on the page, for a drawing that fills it. */
import { type RefObject, useEffect, useRef, useState } from 'react';

/** `atFirst`: what is drawn until the element was measured, and where nothing measures. */
export function useWidth(atFirst: number): readonly [ref: RefObject<HTMLDivElement | null>, width: number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(atFirst);
  // Syncs with the layout of the page.
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) setWidth(element.clientWidth);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
