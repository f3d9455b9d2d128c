import { rankOf } from './attention.ts';

/** What a list of several projects is put in order by. */
interface Ranked {
  readonly project: string;
  /** Place in a list for a person, as `rankOf` gives it. */
  readonly rank: number;
}

/** From this rank on nobody is needed, and projects stay in the order of their names. */
const calmRank = rankOf({ state: 'AGENT_STATE_IDLE', alive: true });

/** What is listed by project, within each as it was given: first the projects that need a person, then by name. */
export function groupByProject<T extends Ranked>(listed: readonly T[]): readonly (readonly [string, readonly T[]])[] {
  const needOf = (members: readonly T[]): number => Math.min(calmRank, ...members.map(({ rank }) => rank));
  return [...Map.groupBy(listed, ({ project }) => project)].sort(
    ([name, own], [otherName, other]) => needOf(own) - needOf(other) || compare(name, otherName),
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
