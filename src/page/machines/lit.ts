import type { ChartEdge, Transition } from '#page/client/fact/v1/fact_pb.js';

/** A state with every group around it: `live.idle` is in `live` too. Parts of a state that runs in parallel are split by commas. */
export function groupsOf(state: string): ReadonlySet<string> {
  const all = new Set<string>();
  for (const path of state.split(',')) {
    const parts = path.split('.');
    for (const [place] of parts.entries()) all.add(parts.slice(0, place + 1).join('.'));
  }
  return all;
}

/** Whether an arrow was taken by a move: by its event from where the life was, or at once on its way to where it came to. */
export function isTaken({ from, to, events }: ChartEdge, move: Transition | undefined): boolean {
  if (move === undefined) return false;
  const [before, after] = [groupsOf(move.from), groupsOf(move.to)];
  const ends = after.has(to);
  if (events.includes('')) return ends && to === move.to && !before.has(to) && siblings(from, to);
  return events.includes(move.event) && before.has(from) && (ends || [...after].some((group) => siblings(group, to)));
}

function siblings(one: string, other: string): boolean {
  return one.slice(0, one.lastIndexOf('.')) === other.slice(0, other.lastIndexOf('.')) && one.includes('.');
}
