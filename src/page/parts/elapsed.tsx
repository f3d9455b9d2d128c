import { useEffect, useRef } from 'react';
import { elapsedText } from '#contract/elapsed.ts';

/** The functions that are called once a second. They change texts without re-rendering. */
const ticking = new Set<() => void>();
let clock: number | undefined;

function tickWith(tick: () => void): () => void {
  ticking.add(tick);
  clock ??= window.setInterval(() => {
    if (document.visibilityState === 'visible') for (const one of ticking) one();
  }, 1_000);
  return () => {
    ticking.delete(tick);
    if (ticking.size > 0) return;
    window.clearInterval(clock);
    clock = undefined;
  };
}

/** The time elapsed since a moment in milliseconds since 1970, or in RFC 3339. */
export function Elapsed({ since }: { readonly since: number | string }) {
  const at = typeof since === 'number' ? since : Date.parse(since);
  return <Ticking at={at} textAt={(now) => elapsedText(now - at)} />;
}

/** The time left until a moment in RFC 3339. */
export function Remaining({ until }: { readonly until: string }) {
  const at = Date.parse(until);
  return <Ticking at={at} textAt={(now) => elapsedText(at - now)} />;
}

/** A time that is shown relative to the current one. */
function Ticking({ at, textAt }: { readonly at: number; readonly textAt: (now: number) => string }) {
  const place = useRef<HTMLTimeElement>(null);
  const latest = useRef(textAt);
  latest.current = textAt;
  useEffect(() => {
    const tick = (): void => {
      const text = Number.isNaN(at) ? '' : latest.current(Date.now());
      if (place.current !== null && place.current.textContent !== text) place.current.textContent = text;
    };
    tick();
    return tickWith(tick);
  }, [at]);
  return <time ref={place} dateTime={Number.isNaN(at) ? '' : new Date(at).toISOString()} />;
}
