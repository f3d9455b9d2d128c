import type { Grants } from './isolation.ts';

/** What an agent may use at most, isolated or not. 0 and undefined are no limit. */
export type Limits = Pick<Grants, 'memoryMib' | 'maxProcesses' | 'diskMib' | 'cpuPercent'>;

/** A limit of an agent. */
export type LimitName = keyof Limits;

const units: Readonly<Record<LimitName, string>> = {
  memoryMib: 'MiB of memory',
  maxProcesses: 'processes',
  diskMib: 'MiB of disk',
  cpuPercent: '% of a processor',
};

export const limitNames = Object.keys(units) as readonly LimitName[];

/** A limit in words, such as `512 MiB of memory`. */
export function limitText(name: LimitName, value: number): string {
  return `${value} ${units[name]}`;
}

/** The limits that grants set; undefined if they set none. */
export function limitsIn(grants: Limits = {}): Limits | undefined {
  const set = limitNames.filter((name) => grants[name]);
  return set.length === 0 ? undefined : Object.fromEntries(set.map((name) => [name, grants[name]]));
}

/** Of each limit the lower one. */
export function lowerLimits(one: Limits = {}, other: Limits = {}): Limits {
  const lower = (name: LimitName) =>
    Math.min(one[name] || Number.POSITIVE_INFINITY, other[name] || Number.POSITIVE_INFINITY);
  return Object.fromEntries(limitNames.flatMap((name) => (Number.isFinite(lower(name)) ? [[name, lower(name)]] : [])));
}

/** The first limit that is higher than another one, or missing beside it; undefined if there is none. */
export function higherLimit(limits: Limits = {}, others: Limits = {}): LimitName | undefined {
  return limitNames.find((name) => others[name] && (limits[name] || Number.POSITIVE_INFINITY) > others[name]);
}
