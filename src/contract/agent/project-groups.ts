import { rankOf } from './attention.ts';

/** What decides the order of a list of several projects. */
interface Ranked {
  readonly project: string;
  /** Rank in a list for a person, from `rankOf`. */
  readonly rank: number;
}

/** From this rank on an agent needs nobody, and projects are ordered by name. */
const calmRank = rankOf({ state: 'AGENT_STATE_IDLE', alive: true });

/** Groups by project, keeping the order within each: projects that need a person come first, then by name. */
export function groupByProject<T extends Ranked>(listed: readonly T[]): readonly (readonly [string, readonly T[]])[] {
  const needOf = (members: readonly T[]): number => Math.min(calmRank, ...members.map(({ rank }) => rank));
  return [...Map.groupBy(listed, ({ project }) => project)].sort(
    ([name, own], [otherName, other]) => needOf(own) - needOf(other) || compare(name, otherName),
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
