import type { RegistryFixture } from '#test/registry/registry-fixture.ts';
import type { Trial } from './trial.ts';

const nothing = () => ({});
const digest = 'd'.repeat(64);

async function aLaunch({ host }: RegistryFixture): Promise<object> {
  host.launches.set('house', digest);
  return {};
}

/** How the operations of hosts are tried over all channels. */
export const hostTrials: Readonly<Record<string, Trial>> = {
  ListHosts: { request: nothing },
  DrainHost: {
    request: () => ({ hostId: 'hst_1', undo: true }),
    refused: { request: { hostId: 'hst_none' }, code: 'not_found' },
  },
  ForgetHostKey: {
    request: () => ({ hostId: 'hst_1' }),
    recover: ({ host }) => host.beat(),
    refused: { request: { hostId: 'hst_none' }, code: 'not_found' },
  },
  ListHarnessLaunches: {
    request: () => ({ hostId: 'hst_1' }),
    prepare: aLaunch,
    refused: { request: { hostId: 'hst_none' }, code: 'not_found' },
  },
  ConfirmHarness: {
    request: () => ({ hostId: 'hst_1', harness: 'house', digest }),
    prepare: aLaunch,
    refused: { request: { hostId: 'hst_none', harness: 'house', digest }, code: 'not_found' },
  },
  RunDoctor: { request: nothing, refused: { request: { hostId: 'hst_none' }, code: 'not_found' } },
};
