import type { ReleaseFacts } from './release-facts.ts';
import { compareVersions } from './version-order.ts';

/** What is known of a host on another machine. */
export interface OtherHost {
  readonly name: string;
  /** The version of muster that runs there; undefined if it never said. */
  readonly version: string | undefined;
  /** The newest version of the messages that it speaks; undefined if it never said. */
  readonly protocol: number | undefined;
}

/** What a host speaks that does not say. */
const unsaidProtocol = 1;

/** How hosts on other machines get along with a version of the registry. */
export interface Skew {
  /** Those that it would not understand. */
  readonly tooOld: readonly OtherHost[];
  /** Those that run a newer version than it. */
  readonly newer: readonly OtherHost[];
  /** Those that work with it, and should be upgraded after it. */
  readonly behind: readonly OtherHost[];
}

/** Compares the hosts on other machines with a version. */
export function skewWith(hosts: readonly OtherHost[], { version, protocols }: ReleaseFacts): Skew {
  const isTooOld = ({ protocol = unsaidProtocol }: OtherHost) => protocol < protocols.min;
  const orderOf = (host: OtherHost) => (host.version === undefined ? -1 : compareVersions(host.version, version));
  return {
    tooOld: hosts.filter(isTooOld),
    newer: hosts.filter((host) => orderOf(host) > 0),
    behind: hosts.filter((host) => !isTooOld(host) && orderOf(host) < 0),
  };
}

/** Hosts with their versions, for people. */
export function hostsText(hosts: readonly OtherHost[]): string {
  return hosts.map(({ name, version = 'unknown version' }) => `${name} (${version})`).join(', ');
}
