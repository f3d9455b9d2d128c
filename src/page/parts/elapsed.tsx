import { useEffect, useRef } from 'react';

/** How long ago something was, in the two letters that fit a list: `12s`, `4m`, `3h`, `9d`. */
export function elapsedText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** Everything that ticks, each called once a second: the texts change, and nothing is drawn anew. */
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

/** How long something has been so: since a moment in milliseconds since 1970, or in RFC 3339. */
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
