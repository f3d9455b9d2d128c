import type { ChartEdge, Transition } from '#page/client/fact/v1/fact_pb.js';

/**
 * A state with all groups that contain it: `live.idle` is also in `live`. Parallel parts of a state are separated by
 * commas.
 */
export function groupsOf(state: string): ReadonlySet<string> {
  const all = new Set<string>();
  for (const path of state.split(',')) {
    const parts = path.split('.');
    for (const [place] of parts.entries()) all.add(parts.slice(0, place + 1).join('.'));
  }
  return all;
}

/**
 * Whether a transition took an arrow: by its event from the instance's previous state, or by an immediate step on the
 * way to its new state.
 */
export function isTaken({ from, to, events }: ChartEdge, transition: Transition | undefined): boolean {
  if (transition === undefined) return false;
  const [before, after] = [groupsOf(transition.from), groupsOf(transition.to)];
  const ends = after.has(to);
  if (events.includes('')) return ends && to === transition.to && !before.has(to) && siblings(from, to);
  return (
    events.includes(transition.event) && before.has(from) && (ends || [...after].some((group) => siblings(group, to)))
  );
}

function siblings(one: string, other: string): boolean {
  return one.slice(0, one.lastIndexOf('.')) === other.slice(0, other.lastIndexOf('.')) && one.includes('.');
}
