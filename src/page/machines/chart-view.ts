import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useDragging } from './dragging.ts';

/** The minimum zoom. */
const min = 0.15;
/** At the zoom of its layout, a chart's letters are 12 pixels high. Smaller letters are hard to read. */
const readable = 1;
/** The maximum zoom. */
const max = 2.5;
/** The maximum zoom at which a small chart fills its window. */
const maxFitted = 1.5;
/** The factor of one zoom step. */
const step = 1.25;
/** The space around a chart, in pixels. */
export const chartSpace = 24;
/** The margin of the window within which the highlighted state is centred, in pixels. */
const nearEdge = 48;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A point of the window that stays at the same place of the chart. */
interface ZoomAnchor {
  readonly x: number;
  readonly y: number;
}

/** Zoom state and controls of a chart. */
interface ChartView {
  readonly zoom: number;
  readonly canBeLarger: boolean;
  readonly canBeSmaller: boolean;
  /** Zooms in or out by one step, around the centre of the window. */
  readonly enlarge: (steps: 1 | -1) => void;
  /** Fits the whole chart into the window, with at most `maxFitted`. */
  readonly fit: () => void;
  /** Resets the zoom to that of the layout. */
  readonly reset: () => void;
}

/**
 * A chart in a scroll container: zoomed by wheel and by steps, moved by dragging. Until the user zooms, the zoom is the
 * one that `opened` computes, also after the window is resized.
 */
export function useChartView(place: RefObject<HTMLElement | null>, size: Size): ChartView {
  const [zoom, setZoom] = useState(1);
  const anchor = useRef<ZoomAnchor & { readonly before: number }>(undefined);
  const isAsOpened = useRef(true);
  const { width, height } = size;
  const zoomTo = (wanted: number, around?: ZoomAnchor): void => {
    const window = place.current;
    const next = Math.min(max, Math.max(min, wanted));
    isAsOpened.current = false;
    if (window === null || next === zoom) return;
    const middle = { x: window.clientWidth / 2, y: window.clientHeight / 2 };
    anchor.current = { ...(around ?? middle), before: zoom };
    setZoom(next);
  };
  useLayoutEffect(() => {
    const window = place.current;
    const held = anchor.current;
    anchor.current = undefined;
    if (window === null || held === undefined) return;
    const keep = (scrolled: number, at: number): number =>
      ((scrolled + at - chartSpace) * zoom) / held.before - at + chartSpace;
    window.scrollTo(keep(window.scrollLeft, held.x), keep(window.scrollTop, held.y));
  }, [place, zoom]);
  useLayoutEffect(() => {
    const window = place.current;
    if (window === null) return;
    const follow = (): void => {
      if (isAsOpened.current) setZoom(opened(window, { width, height }));
    };
    follow();
    const resized = new ResizeObserver(follow);
    resized.observe(window);
    return () => resized.disconnect();
  }, [place, width, height]);
  const fit = (): void => {
    if (place.current !== null) zoomTo(whole(place.current, size));
  };
  useWheel(place, (steps, around) => zoomTo(zoom * step ** steps, around));
  useDragging(place);
  return {
    zoom,
    canBeLarger: zoom < max,
    canBeSmaller: zoom > min,
    enlarge: (steps) => zoomTo(zoom * step ** steps),
    fit,
    reset: () => zoomTo(1),
  };
}

/** The zoom that fits the whole chart, up to `maxFitted`. */
function whole({ clientWidth, clientHeight }: HTMLElement, { width, height }: Size): number {
  const room = 2 * chartSpace;
  return Math.min(maxFitted, (clientWidth - room) / width, (clientHeight - room) / height);
}

/** The initial zoom: the whole chart, unless its letters would be hard to read. */
function opened(window: HTMLElement, size: Size): number {
  return Math.max(readable, whole(window, size));
}

/** Zooms by the wheel with Ctrl, which is also what pinching on a touchpad sends. The wheel alone scrolls. */
function useWheel(place: RefObject<HTMLElement | null>, turn: (steps: number, around: ZoomAnchor) => void): void {
  const latest = useRef(turn);
  latest.current = turn;
  useEffect(() => {
    const window = place.current;
    const wheel = (event: WheelEvent): void => {
      if (window === null || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      const { left, top } = window.getBoundingClientRect();
      const steps = Math.max(-1, Math.min(1, -event.deltaY / 60));
      latest.current(steps, { x: event.clientX - left, y: event.clientY - top });
    };
    window?.addEventListener('wheel', wheel, { passive: false });
    return () => window?.removeEventListener('wheel', wheel);
  }, [place]);
}

/**
 * Keeps the highlighted state in view: centres it if it is near an edge or outside, also after the window is resized.
 */
export function useLitInView(place: RefObject<HTMLElement | null>, state: string, zoom: number): void {
  // Jump there the first time; scroll smoothly afterwards.
  const wasShown = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another size moves everything
  useEffect(() => {
    const window = place.current;
    if (window === null || state === '') return;
    let isMove = wasShown.current;
    const observer = new ResizeObserver(() => {
      const of = state.split(',')[0] ?? '';
      const lit = window.querySelector(`.state[data-state="${CSS.escape(of)}"] > rect`);
      if (lit !== null) bring(window, lit.getBoundingClientRect(), isMove ? 'smooth' : 'instant');
      isMove = false;
      wasShown.current = true;
    });
    observer.observe(window);
    return () => observer.disconnect();
  }, [place, state, zoom]);
}

function bring(window: HTMLElement, { left, top, width, height }: DOMRect, behavior: ScrollBehavior): void {
  const own = window.getBoundingClientRect();
  const isIn =
    left >= own.left + nearEdge &&
    top >= own.top + nearEdge &&
    left + width <= own.right - nearEdge &&
    top + height <= own.bottom - nearEdge;
  if (isIn) return;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  window.scrollTo({
    left: window.scrollLeft + left + width / 2 - (own.left + own.width / 2),
    top: window.scrollTop + top + height / 2 - (own.top + own.height / 2),
    behavior: calm ? 'instant' : behavior,
  });
}
