import { type RefObject, startTransition, useEffect, useRef, useState } from 'react';

// `scrollMargin` also applies to nested scroll containers. In browsers without it, only visible elements count as near
// in these.
const margins = { rootMargin: '1200px 0px', scrollMargin: '1200px 0px' };

const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Whether an element has ever come near the viewport. */
export function useNear<E extends Element>(): readonly [near: boolean, place: RefObject<E | null>] {
  const place = useRef<E>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (isNear || element === null) return;
    observer ??= new IntersectionObserver(onSeen, margins);
    // A transition, so that no frame waits if many elements come near at once.
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
