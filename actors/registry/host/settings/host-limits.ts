import { defaultPatienceMs } from '#machines/host/beats.ts';
import type { StoredHost } from '#store/host/host-entity.ts';

/** The defaults for hosts without settings of their own. */
export interface HostDefaults {
  /** The silence after which a host counts as lost, in milliseconds. */
  readonly patienceMs: number;
  /** How many launches, and how many setup scripts, it may have in progress. */
  readonly maxLaunches: number;
  readonly maxSetups: number;
  /** Below how much free space on the disk of its worktrees it takes no launches, in MiB. */
  readonly minDiskFreeMib: number;
}

/** The defaults of an installation. A setup script usually installs packages, which keeps a computer busy. */
export const hostDefaults: HostDefaults = {
  patienceMs: defaultPatienceMs,
  maxLaunches: 16,
  maxSetups: 4,
  minDiskFreeMib: 1_024,
};

/** The capacity of a host. `maxAgents` and `maxAtWork` are infinite if only the ceiling of the installation counts. */
export interface HostLimits extends Omit<HostDefaults, 'patienceMs'> {
  readonly maxAgents: number;
  readonly maxAtWork: number;
}

/** Returns the capacity of a host. */
export function limitsOf(
  { maxAgents, maxLaunches, maxSetups, maxAtWork, minDiskFreeMib }: Pick<StoredHost, keyof HostLimits>,
  defaults: HostDefaults,
): HostLimits {
  return {
    maxAgents: maxAgents ?? Number.POSITIVE_INFINITY,
    maxLaunches: maxLaunches ?? defaults.maxLaunches,
    maxSetups: maxSetups ?? defaults.maxSetups,
    maxAtWork: maxAtWork ?? Number.POSITIVE_INFINITY,
    minDiskFreeMib: minDiskFreeMib ?? defaults.minDiskFreeMib,
  };
}

/** Returns the silence after which a host counts as lost, in milliseconds. */
export function patienceWith({ patienceMs }: Pick<StoredHost, 'patienceMs'>, defaults: HostDefaults): number {
  return patienceMs ?? defaults.patienceMs;
}
