import { type RefObject, startTransition, useEffect, useRef, useState } from 'react';

// `scrollMargin` also counts in places that scroll within the page; if it is not known, what is near is what is seen.
const margins = { rootMargin: '1200px 0px', scrollMargin: '1200px 0px' };

const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Whether an element has come near what is seen, once and for all. */
export function useNear<E extends Element>(): readonly [near: boolean, place: RefObject<E | null>] {
  const place = useRef<E>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (isNear || element === null) return;
    observer ??= new IntersectionObserver(onSeen, margins);
    // If much comes near at once, no frame waits for all of it.
    waiting.set(element, () => startTransition(() => setNear(true)));
    observer.observe(element);
    return () => forget(element);
  }, [isNear]);
  return [isNear, place];
}

function onSeen(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    waiting.get(target)?.();
    forget(target);
  }
}

function forget(element: Element): void {
  observer?.unobserve(element);
  waiting.delete(element);
}
