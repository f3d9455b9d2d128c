import type { HostCondition } from '#contract/wire/host-condition.ts';

/** What a host reports a machine that nothing is known of. */
export const calmMachine = async (): Promise<HostCondition> => ({
  system: 'linux x64',
  musterVersion: '0.0.0',
  startedAt: 0,
  load: {},
});
