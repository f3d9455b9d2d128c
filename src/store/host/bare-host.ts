import type { HostSettings } from './host-table.ts';

/** The settings of a host for which nobody has set any. */
export const bareHost: HostSettings = {
  labels: {},
  patienceMs: null,
  maxAgents: null,
  maxLaunches: null,
  maxSetups: null,
};
