import { expect } from 'chai';
import { makeMemberKey } from '#bus/identity/bus-keys.ts';
import { endOf, nameIn } from '#bus/identity/credential.ts';
import { invitationSubject, joinSubject } from '#bus/subjects.ts';
import type { Host } from '#contract/host/host.ts';
import type { HostInvitation } from '#contract/invitation/invitation.ts';
import { readJoinAddress } from '#contract/invitation/join-line.ts';
import { JoinAnswer } from '#contract/wire/host-joining.ts';
import { failureOf } from '#test/support/failure.ts';
import { FakeHost } from '../fake-host.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('joining by an invitation', function () {
  this.timeout(60_000);
  let fixture: RegistryFixture;
  beforeEach(async () => {
    fixture = await registryFixture();
  });
  afterEach(() => fixture.close());

  /** An invitation, and the token of its line. */
  async function invited(request: object = {}) {
    const made = await fixture.call<{ invitation: { id: string }; command: string }>('InviteHost', request);
    const { token = '', url } = readJoinAddress(made.command.replace('muster join ', '')) ?? {};
    expect(url).to.equal('https://muster.example:7434');
    return { token, id: made.invitation.id };
  }
  /** What a machine sends that joins with a token. */
  const machine = (token: string, more: object = {}) => ({
    protocol: 1,
    version: '0.1.0',
    token,
    name: 'laptop',
    hostKey: makeMemberKey().publicKey,
    gatewayKey: makeMemberKey().publicKey,
    ...more,
  });
  const ask = (subject: string, request: object) => fixture.gateway.request(subject, request, { timeoutMs: 5_000 });
  const join = async (request: object) => JoinAnswer.parse(await ask(joinSubject, request));
  const refusalOf = async (request: object) => {
    const preview = await failureOf(() => ask(invitationSubject, request));
    const refused = await failureOf(() => ask(joinSubject, request));
    expect(preview.reason).to.equal(refused.reason);
    return refused.reason;
  };
  const states = async () => {
    const { invitations } = await fixture.call<{ invitations: HostInvitation[] }>('ListHostInvitations');
    return invitations.map(({ state = '' }) => state.replace('HOST_INVITATION_STATE_', ''));
  };

  it('makes a machine a host that is admitted and has the name of the invitation, and is certified as that alone', async () => {
    const { token } = await invited({ name: 'build-2', labels: ['gpu=no'] });
    const request = machine(token);
    expect(await ask(invitationSubject, request)).to.have.property('name', 'build-2');
    expect(await states(), 'looking at it does not use it').to.deep.equal(['OPEN']);
    const answer = await join(request);
    expect(answer.name).to.equal('build-2');
    expect(nameIn(answer.certificates.host)).to.equal(answer.hostId);
    expect(nameIn(answer.certificates.gateway)).to.equal(`gateway.${answer.hostId}`);
    const day = fixture.clock.now() + 24 * 60 * 60_000;
    expect(Object.values(answer.certificates).map(endOf)).to.deep.equal([day, day]);
    expect(await states()).to.deep.equal(['USED']);
    const repeated = await join(request);
    expect(repeated.hostId, 'the same machine may ask again, as its answer may have been lost').to.equal(answer.hostId);
    const host = new FakeHost(await fixture.nats.joinHost(answer.hostId), answer.hostId);
    await host.start();
    const { hosts } = await fixture.call<{ hosts: Host[] }>('ListHosts');
    expect(hosts.find(({ id }) => id === answer.hostId)).to.deep.include({
      name: 'build-2',
      newcomer: false,
      labels: ['gpu=no'],
    });
    const rows = await fixture.store.read(({ hostInvitations }) => hostInvitations.all());
    expect(JSON.stringify(rows), 'the token is not stored').not.to.include(token);
  });

  it('refuses a token that was used, withdrawn, never made, or is too old, and another protocol, and does nothing', async () => {
    const used = await invited();
    await join(machine(used.token));
    expect(await refusalOf(machine(used.token))).to.equal('INVITATION_USED');
    const withdrawn = await invited({ name: 'gone' });
    await fixture.call('WithdrawHostInvitation', { invitationId: 'gone' });
    expect(await refusalOf(machine(withdrawn.token))).to.equal('INVITATION_WITHDRAWN');
    const refused = await failureOf(() => fixture.call('WithdrawHostInvitation', { invitationId: used.id }));
    expect(refused.reason).to.equal('INVITATION_USED');
    expect(await refusalOf(machine(`JOIN-${'x'.repeat(43)}`))).to.equal('INVITATION_UNKNOWN');
    const { token } = await invited();
    expect(await refusalOf(machine(token, { protocol: 0 }))).to.equal('JOIN_PROTOCOL_UNSUPPORTED');
    expect(await refusalOf(machine(token, { protocol: 2 }))).to.equal('JOIN_PROTOCOL_UNSUPPORTED');
    fixture.clock.pass(15 * 60_000);
    expect(await refusalOf(machine(token))).to.equal('INVITATION_EXPIRED');
    expect(await states()).to.deep.equal(['EXPIRED', 'WITHDRAWN', 'USED']);
    expect(await fixture.store.read(({ joinedHosts }) => joinedHosts.all())).to.have.length(1);
    fixture.clock.pass(25 * 60 * 60_000);
    expect(await states(), 'they are listed for a day').to.deep.equal([]);
  });

  it('gives each name once, and each key', async () => {
    const named = async (name: string) => (await failureOf(() => invited({ name }))).reason;
    const first = await invited({ name: 'build-2' });
    expect(await named('build-2')).to.equal('HOST_NAME_TAKEN');
    expect(await named('hst_1.example')).to.equal('HOST_NAME_TAKEN');
    expect(await named('hst_abc')).to.equal('INVALID_FIELD');
    const request = machine(first.token);
    await join(request);
    expect(await named('build-2'), 'a host may have joined and not come yet').to.equal('HOST_NAME_TAKEN');
    const { token } = await invited();
    expect(await refusalOf(machine(token, { name: 'build-2' }))).to.equal('HOST_NAME_TAKEN');
    const copied = await failureOf(() => join({ ...request, token, name: 'copy' }));
    expect(copied.reason).to.equal('JOIN_NOT_POSSIBLE');
    await join(machine(token, { name: 'other' }));
    for (const [labels, at] of [
      [['=x'], 0],
      [['a b=x'], 0],
      [['a=x', 'a=y'], 1],
      [['name=x'], 0],
    ] as const) {
      expect((await failureOf(() => invited({ labels }))).field, String(labels)).to.equal(`labels.${at}`);
    }
  });
});
