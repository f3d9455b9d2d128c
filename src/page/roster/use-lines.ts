import { useEffect, useRef, useState } from 'react';
import type { Fleet } from '#page/fleet/fleet.ts';
import { type Filter, filtered } from './filter.ts';
import { orderOf, type RosterLine } from './order.ts';

/** A list of so many agents is put in order at once; a longer one less often, the longer it is. */
const smallFleet = 500;
const leastMs = 250;
const mostMs = 1_000;

/**
 * The lines of the roster. Each row shows its own moves at once; where it stands in a long list follows within a second, so
 * that neither the browser nor the reader is kept busy by rows that change places.
 */
export function useLines({ rows }: Fleet, filter: Filter): readonly RosterLine[] {
  const [lines, setLines] = useState<readonly RosterLine[]>([]);
  const done = useRef<{ readonly at: number; readonly filter: Filter | undefined }>({ at: 0, filter: undefined });
  useEffect(() => {
    const everyMs = rows.size <= smallFleet ? 0 : Math.min(mostMs, leastMs + rows.size / 20);
    const waitMs = done.current.filter === filter ? done.current.at + everyMs - performance.now() : 0;
    const update = (): void => {
      setLines(orderOf(filtered(rows.values(), filter)));
      done.current = { at: performance.now(), filter };
    };
    if (waitMs <= 0) return update();
    const timer = window.setTimeout(update, waitMs);
    return () => window.clearTimeout(timer);
  }, [rows, filter]);
  return lines;
}
