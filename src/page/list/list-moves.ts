import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Paging } from './use-listing.ts';

/** Focuses a row’s main link, or the row itself if it has none, as soon as it is rendered. */
export function useFocusOn(list: RefObject<HTMLElement | null>, ids: readonly string[]): (id: string) => void {
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    const id = wanted.current;
    if (id === undefined) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
    const main = row?.querySelector<HTMLElement>('.row-link, [data-main]') ?? row;
    main?.focus({ preventScroll: true });
    if (main || !ids.includes(id)) wanted.current = undefined;
  });
  return (id) => {
    wanted.current = id;
  };
}

/** Scrolls to the selected row when the selection changes, but does not follow a row that moves. */
export function useScrollToChosen(chosen: string | undefined, at: number, show: (at: number) => void): void {
  const followed = useRef<string>(undefined);
  useEffect(() => {
    if (at >= 0 && followed.current !== chosen) show(at);
    if (at >= 0 || chosen === undefined) followed.current = chosen;
  });
}

/** Loads all pages and then goes to the end; returns whether it is doing so. Any other step cancels it. */
export function useGoToEnd(paging: Paging | undefined, arrive: () => void): (isWanted: boolean) => boolean {
  const [isOnWay, setIsOnWay] = useState(false);
  useEffect(() => {
    if (!isOnWay || paging === undefined || paging.isReading) return;
    if (paging.hasMore && paging.problem === null) return void paging.readMore();
    setIsOnWay(false);
    arrive();
  });
  return (isWanted) => {
    const goes = isWanted && paging?.hasMore === true;
    setIsOnWay(goes);
    return goes;
  };
}

/** The same array as long as its content is the same. */
export function useSame(ids: readonly string[]): readonly string[] {
  const known = useRef(ids);
  const isSame = known.current.length === ids.length && ids.every((id, at) => known.current[at] === id);
  if (!isSame) known.current = ids;
  return known.current;
}
