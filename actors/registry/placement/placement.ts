import type { z } from 'zod';
import { askHost, type HostRequester } from '#actors/registry/host/host-call.ts';
import { requireHost } from '#actors/registry/host/host-name.ts';
import { isNewHost } from '#actors/registry/host/new-hosts.ts';
import { isDraining, isOnline } from '#actors/registry/host/online.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import { byAgents, type Fleet } from './fleet.ts';

/** A directory on a host, resolved there. */
export interface Place {
  readonly host: StoredHost;
  readonly path: string;
  readonly isRepository: boolean;
  /** Web addresses of its git remotes, if the host was asked. */
  readonly repositories?: readonly string[];
  /** The git directory that a worktree must come from, if an agent named the directory. */
  readonly repository?: string | undefined;
}

/** The harness that a launch runs, and those that are built in. */
export interface LaunchHarness {
  readonly harness: string;
  readonly harnesses: Harnesses;
}

/** How many new hosts an error message names. */
const maxNewHostsNamed = 5;

/** The hosts that accept new agents. @throws FAILED_PRECONDITION when all of them are drained */
export function takingHosts(hosts: readonly StoredHost[]): readonly StoredHost[] {
  const taking = hosts.filter((host) => !isDraining(host));
  if (taking.length > 0) return taking;
  const names = hosts.map(({ name }) => quoted(name)).join(' and ');
  throw new Failure(
    'HOST_DRAINED',
    `A person has cordoned ${names}, so no new agent is placed there: name another host, or undo it (drain_host)`,
    { field: 'host' },
  );
}

/** Whether a host may be chosen by default. */
function isSettled(host: StoredHost): boolean {
  return !isNewHost(host);
}

/**
 * The online hosts that an agent may be placed on, best first: the named host, or else all that may be chosen. Hosts
 * that have the harness come first, then those with fewer agents. Hosts without a harness that is not built in are left
 * out. By default, new hosts are not chosen, because people have not confirmed them yet.
 * @throws NOT_FOUND when no host has that id or name; UNAVAILABLE when none is online; FAILED_PRECONDITION when none
 *   has the harness, or several have the name
 */
export function hostsFor(
  fleet: Fleet,
  named: string | undefined,
  wanted: LaunchHarness | undefined | '',
  mayChoose: (host: StoredHost) => boolean = isSettled,
): readonly StoredHost[] {
  const { hosts: all } = fleet;
  const candidates = named ? [requireHost(all, named)] : all.filter(mayChoose);
  const online = candidates.filter(isOnline);
  if (online.length === 0) {
    const waiting = named ? [] : all.filter((host) => isOnline(host) && isNewHost(host));
    if (waiting.length > 0) throw onlyNewHosts(waiting);
    const which = named ? `Host ${quoted(named)} has` : all.length > 0 ? 'All hosts have' : 'No host has';
    const what = all.length > 0 ? 'not answered for too long' : 'come online yet';
    throw new Failure('NO_HOST_AVAILABLE', `${which} ${what}: start \`muster host\`, or try again`, { field: 'host' });
  }
  const lacks = (host: StoredHost) => Number(wanted ? !host.harnesses.includes(wanted.harness) : 0);
  const able = wanted && !wanted.harnesses.find(wanted.harness) ? online.filter((host) => !lacks(host)) : online;
  if (able.length === 0 && wanted) throw unknownThere(wanted.harness, online);
  const fewer = byAgents(fleet);
  return able.toSorted((a, b) => lacks(a) - lacks(b) || fewer(a, b));
}

function onlyNewHosts(hosts: readonly StoredHost[]): Failure {
  const named = hosts.slice(0, maxNewHostsNamed).map(({ name, id }) => `${quoted(name)} (${id})`);
  const more = hosts.length > named.length ? [`${hosts.length - named.length} more`] : [];
  return new Failure(
    'NO_HOST_AVAILABLE',
    `Only ${[...named, ...more].join(' and ')} is online, which is new and is used only if named: name it, or have a person admit it ` +
      '(drain_host with undo, muster host uncordon)',
    { field: 'host' },
  );
}

function unknownThere(harness: string, hosts: readonly StoredHost[]): Failure {
  return new Failure(
    'HARNESS_UNAVAILABLE',
    `The harness ${quoted(harness)} is not built in, and ${hosts.map(({ name }) => name).join(' and ')} cannot run it now: ` +
      `see \`muster harness check\` there, have a person run \`muster harness confirm ${harness}\`, or name another harness`,
    { field: 'harness' },
  );
}

/** @throws INVALID_ARGUMENT when a path is relative */
export function checkDirectory(field: string, path: string): void {
  if (path.startsWith('/') || path.startsWith('~')) return;
  throw new Failure(
    'INVALID_FIELD',
    `${field} is ${quoted(path)}, which is relative: give an absolute directory, or one that begins with ~/`,
    { field },
  );
}

/** A directory that a request or a workflow names, and the field that names it. */
interface DirectoryField {
  readonly field: string;
  readonly path: string;
}

/** What a host reports about a directory. */
export type DirectoryReport = z.output<typeof hostCalls.directory.response>;

/** The place of a directory, as its host has reported it. */
export function placeIn(host: StoredHost, { path, isRepository, repositories }: DirectoryReport): Place {
  return { host, path, isRepository, repositories };
}

/**
 * The first of the hosts on which a path is a directory. `check` may refuse the path that a host has resolved, before
 * the caller can learn whether anything is there.
 * @throws INVALID_ARGUMENT when it is a directory on none of them; UNAVAILABLE when it may be on a host that does not
 *   answer
 */
export async function placeOf(
  lines: HostRequester,
  { field, path }: DirectoryField,
  hosts: readonly StoredHost[],
  check?: (host: StoredHost, found: DirectoryReport) => Promise<Partial<Place>>,
): Promise<Place> {
  let silent: unknown;
  for (const host of hosts) {
    try {
      const found = await askHost(lines, host, hostCalls.directory, { path });
      const checked = await check?.(host, found);
      if (found.isDirectory) return { ...placeIn(host, found), ...checked };
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'unavailable') throw error;
      silent = error;
    }
  }
  if (silent !== undefined) throw silent;
  throw new Failure(
    'INVALID_FIELD',
    `${field} is ${quoted(path)}, which is not a directory on ${hosts.map(({ name }) => name).join(' or ')}: ` +
      'create it, or name another one',
    { field },
  );
}
