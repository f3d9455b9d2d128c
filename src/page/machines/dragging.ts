import { type RefObject, useEffect } from 'react';

/** The mouse drags the chart; a finger scrolls as usual. */
export function useDragging(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const window = place.current;
    if (window === null) return;
    const listening = new AbortController();
    const { signal } = listening;
    let from: { readonly x: number; readonly y: number; readonly left: number; readonly top: number } | undefined;
    window.addEventListener(
      'pointerdown',
      ({ button, pointerType, clientX, clientY }) => {
        if (button !== 0 || pointerType !== 'mouse') return;
        from = { x: clientX, y: clientY, left: window.scrollLeft, top: window.scrollTop };
      },
      { signal },
    );
    window.addEventListener(
      'pointermove',
      ({ pointerId, clientX, clientY }) => {
        if (from === undefined) return;
        const [x, y] = [clientX - from.x, clientY - from.y];
        if (!window.hasPointerCapture(pointerId)) {
          if (Math.hypot(x, y) < 5) return;
          // From here on, it is not a click on an element of the chart.
          window.setPointerCapture(pointerId);
        }
        window.scrollTo(from.left - x, from.top - y);
      },
      { signal },
    );
    for (const end of ['pointerup', 'pointercancel'] as const) {
      window.addEventListener(end, () => (from = undefined), { signal });
    }
    return () => listening.abort();
  }, [place]);
}
