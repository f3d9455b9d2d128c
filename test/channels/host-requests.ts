import { makeMemberKey } from '#bus/identity/bus-keys.ts';
import { bareHost } from '#store/host/bare-host.ts';
import type { RegistryFixture } from '#test/registry/registry-fixture.ts';
import type { Trial } from './trial.ts';

const nothing = () => ({});
const digest = 'd'.repeat(64);

async function aLaunch({ host }: RegistryFixture): Promise<object> {
  host.launches.set('house', digest);
  return {};
}

/** A host that is lost, and that nothing is on. */
async function aLostHost({ store }: RegistryFixture): Promise<object> {
  const [id, name, harnesses] = ['hst_9', 'hst_9.example', []];
  const snapshot = { value: 'lost', context: { name, harnesses } };
  const unbound = {
    condition: null,
    key: null,
    holder: null,
    confirmedLaunches: {},
    keyEpoch: 0,
    stateSince: null,
    ...bareHost,
    figures: null,
    foundTerminals: [],
  };
  await store.write(({ instances }) =>
    instances.begin('host', [{ row: { id, name, harnesses, codingHarnesses: [], snapshot, seenAt: 0, ...unbound } }]),
  );
  return {};
}

/** How the operations of hosts are tried over all channels. */
export const hostTrials: Readonly<Record<string, Trial>> = {
  ListHosts: { request: nothing },
  DrainHost: {
    request: () => ({ hostId: 'hst_1', undo: true }),
    refused: { request: { hostId: 'hst_none' }, code: 'not_found' },
  },
  UpdateHost: {
    request: () => ({ hostId: 'hst_1', setLabels: ['gpu=yes'], maxSetups: 9 }),
    refused: { request: { hostId: 'hst_1', setLabels: ['name=x'] }, code: 'invalid_argument' },
  },
  ForgetHost: {
    request: () => ({ hostId: 'hst_9' }),
    prepare: aLostHost,
    refused: { request: { hostId: 'hst_1' }, code: 'failed_precondition' },
  },
  ForgetHostKey: {
    request: () => ({ hostId: 'hst_1' }),
    recover: ({ host }) => host.beat(),
    refused: { request: { hostId: 'hst_none' }, code: 'not_found' },
  },
  InviteHost: {
    request: () => ({ labels: ['gpu=no'] }),
    refused: { request: { name: 'hst_1.example' }, code: 'already_exists' },
  },
  ListHostInvitations: { request: nothing },
  WithdrawHostInvitation: {
    request: nothing,
    prepare: async ({ call }) => {
      const { invitation } = await call<{ invitation: { id: string } }>('InviteHost');
      return { invitationId: invitation.id };
    },
    refused: { request: { invitationId: 'inv_none' }, code: 'not_found' },
  },
  RemoveHost: {
    request: nothing,
    prepare: async ({ store, clock }) => {
      const hostId = 'hst_removed';
      const keys = { hostKey: makeMemberKey().publicKey, gatewayKey: makeMemberKey().publicKey };
      const about = { hostId, name: 'removed', labels: {}, joinedAt: clock.now(), certifiedUntil: 0, removedAt: null };
      await store.write(async ({ joinedHosts }) => {
        if ((await joinedHosts.find(hostId)) === undefined) await joinedHosts.insert({ ...about, ...keys });
      });
      return { hostId };
    },
    refused: { request: { hostId: 'hst_1' }, code: 'failed_precondition' },
  },
  ListDirectories: {
    request: () => ({ hostId: 'hst_1', path: '/re' }),
    refused: { request: { hostId: 'hst_none', path: '/' }, code: 'not_found' },
  },
  ListLogRecords: {
    request: () => ({ hostId: 'hst_1', process: 'host' }),
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
