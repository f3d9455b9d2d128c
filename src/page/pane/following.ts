import { type RefObject, useLayoutEffect, useRef } from 'react';
import { extentOf } from '#page/answer/screen-text.ts';
import type { PaneScreen } from '#page/client/agent/v1/agent_pb.js';

/** How far a view may be from its last automatic position and still count as unscrolled, in pixels. */
const slack = 4;

/**
 * Keeps the lowest used row in view, where a CLI asks and is typed to, until the person scrolls away. `rows`: how many
 * rows the terminal has.
 */
export function useFollow(screen: PaneScreen, rows: number): RefObject<HTMLElement | null> {
  const view = useRef<HTMLElement>(null);
  const put = useRef(0);
  useLayoutEffect(() => {
    const [shown, drawn] = [view.current, view.current?.querySelector('.terminal-fit')];
    if (shown == null || drawn == null) return;
    const follow = (): void => {
      if (Math.abs(shown.scrollTop - put.current) > slack) return;
      const low = (drawn.clientHeight * extentOf(screen).rows) / rows;
      shown.scrollTop = Math.ceil(low - shown.clientHeight);
      put.current = shown.scrollTop;
    };
    follow();
    // The font is fitted, and fonts load, after the first render.
    const resizing = new ResizeObserver(follow);
    resizing.observe(drawn);
    resizing.observe(shown);
    return () => resizing.disconnect();
  }, [screen, rows]);
  return view;
}
