import type { HostSettings } from './host-table.ts';

/** The default settings of a host. */
export const bareHost: HostSettings = {
  labels: {},
  patienceMs: null,
  maxAgents: null,
  maxLaunches: null,
  maxSetups: null,
  maxAtWork: null,
  minDiskFreeMib: null,
};
