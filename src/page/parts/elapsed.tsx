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
  const place = useRef<HTMLTimeElement>(null);
  const at = typeof since === 'number' ? since : Date.parse(since);
  useEffect(() => {
    const tick = (): void => {
      const text = Number.isNaN(at) ? '' : elapsedText(Date.now() - at);
      if (place.current !== null && place.current.textContent !== text) place.current.textContent = text;
    };
    tick();
    return tickWith(tick);
  }, [at]);
  return <time ref={place} dateTime={Number.isNaN(at) ? '' : new Date(at).toISOString()} />;
}
