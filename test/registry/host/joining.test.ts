import { expect } from 'chai';
import type { Bus } from '#bus/bus.ts';
import { connectBus } from '#bus/connection.ts';
import { makeMemberKey } from '#bus/identity/bus-keys.ts';
import { credentialText, keyIn, nameIn, validityOf } from '#bus/identity/credential.ts';
import { signText } from '#bus/identity/nkey.ts';
import { invitationSubject, joinSubject, renewalSubject } from '#bus/subjects.ts';
import type { Agent } from '#contract/agent/agent.ts';
import { Failure } from '#contract/failure.ts';
import type { Host } from '#contract/host/host.ts';
import type { HostInvitation } from '#contract/joining/invitation.ts';
import { readJoinAddress } from '#contract/joining/join-line.ts';
import { Certificates, JoinAnswer, renewalProofText } from '#contract/wire/host-joining.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { FakeHost } from '../fake-host.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

/** Ten years, in milliseconds. */
const certificateMs = 3_650 * 24 * 60 * 60_000;

describe('joining by an invitation', () => {
  let fixture: RegistryFixture;
  beforeEach(async () => {
    // The registry's clock is stopped at a time that may be in the past by the bus's clock.
    fixture = await registryFixture({ certificateMs });
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

  it('makes a machine an admitted host with the invitation’s name, certified for that only', async () => {
    const { token } = await invited({ name: 'build-2', labels: ['gpu=no'] });
    const request = machine(token);
    expect(await ask(invitationSubject, request)).to.have.property('name', 'build-2');
    expect(await states(), 'looking at it does not use it').to.deep.equal(['OPEN']);
    const answer = await join(request);
    expect(answer.name).to.equal('build-2');
    expect(nameIn(answer.certificates.host)).to.equal(answer.hostId);
    expect(nameIn(answer.certificates.gateway)).to.equal(`gateway.${answer.hostId}`);
    const end = fixture.clock.now() + certificateMs;
    expect(Object.values(answer.certificates).map((jwt) => validityOf(jwt).until)).to.deep.equal([end, end]);
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

  it('refuses a used, withdrawn, unknown or expired token, and another protocol, without effect', async () => {
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

  it('repeats the answer for the same keys within 15 minutes, and for no other machine', async () => {
    const { token } = await invited({ name: 'build-2' });
    const request = machine(token);
    const { hostId } = await join(request);
    fixture.clock.pass(14 * 60_000);
    expect(await ask(invitationSubject, request), 'as it looks at it first').to.have.property('name', 'build-2');
    expect((await join(request)).hostId).to.equal(hostId);
    expect(await refusalOf(machine(token)), 'other keys').to.equal('INVITATION_USED');
    expect(await refusalOf(machine(token, { hostKey: request.hostKey })), 'one other key').to.equal('INVITATION_USED');
    const { hostKey: _host, gatewayKey: _gateway, ...bare } = request;
    expect((await failureOf(() => ask(invitationSubject, bare))).reason).to.equal('INVITATION_USED');
    fixture.clock.pass(60_000);
    expect(await refusalOf(request), 'later').to.equal('INVITATION_USED');
  });

  it('assigns each name and each key once', async () => {
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

  /** A machine that has joined and is online, and its raw connection to the bus. */
  async function aMember(name = 'build-2') {
    const { token } = await invited({ name });
    const [host, gateway] = [makeMemberKey(), makeMemberKey()];
    const answer = await join(machine(token, { hostKey: host.publicKey, gatewayKey: gateway.publicKey }));
    const credential = { jwt: () => answer.certificates.host, seed: host.seed };
    const bus = await fixture.nats.joinHost(answer.hostId, { credential });
    const played = new FakeHost(bus, answer.hostId);
    await played.start();
    const seeds = { host: host.seed, gateway: gateway.seed };
    return { ...answer, played, bus, credential, seeds };
  }
  const remove = (hostId: string, now = false) => fixture.call<{ agents?: string[] }>('RemoveHost', { hostId, now });

  it('removes a host permanently: its connection ends within a second, its agents show it, and its reports are ignored', async () => {
    const member = await aMember();
    const agent = await fixture.create({ provisionEnabled: false, host: 'build-2' });
    await member.played.bringUp(agent.id);
    expect((await failureOf(() => remove('build-2'))).message).to.include(agent.name);
    expect(member.bus.connected, 'a refused removal changes nothing').to.equal(true);
    const before = await fixture.store.read(({ agents }) => agents.find(agent.id));
    const since = performance.now();
    const answer = await remove('build-2', true);
    expect(answer.agents).to.deep.equal([agent.name]);
    await moment('the connection to end', () => !member.bus.connected);
    expect(performance.now() - since).to.be.below(1_000);
    const after = await fixture.store.read(({ agents }) => agents.find(agent.id));
    expect(after?.epoch).to.equal((before?.epoch ?? 0) + 1);
    const row = (await fixture.call<{ agent: { agent: Agent } }>('GetAgent', { agentId: agent.id })).agent.agent;
    expect(row).to.include({ hostRemovedAt: '2026-11-21T09:00:00.000Z', lastKnownAt: '2026-11-21T09:00:00.000Z' });
    expect(row).not.to.have.property('alive');
    // Nothing waits for a host that never returns.
    for (const [method, more, words] of [
      ['ArchiveAgent', {}, 'whose host was removed'],
      ['DeleteAgent', {}, 'whose host was removed'],
      ['PromptAgent', { prompt: 'x' }, 'was removed, so muster sent it nothing'],
      ['MoveAgent', { fromLastRound: true }, 'no round of it was kept'],
    ] as const) {
      const refused = await failureOf(() => fixture.call(method, { agentId: agent.id, ...more }));
      expect(refused.message, method).to.include(words);
    }
    // Earlier versions left the time of the removal with an agent that they moved away.
    const moved = await fixture.create({ provisionEnabled: false, host: 'hst_1.example' });
    const found = await fixture.store.read(({ agents }) => agents.find(moved.id));
    if (found === undefined) throw new Error('it is gone');
    await fixture.store.write(({ journal }) =>
      journal.placeAnew(found, { host: 'hst_1', epoch: 2, cwd: found.cwd, lastKnownAt: null, hostRemovedAt: 1 }),
    );
    const listed = await fixture.call<{ hosts: Host[]; removed: Host[] }>('ListHosts');
    expect(listed.hosts.map(({ id }) => id)).to.deep.equal(['hst_1']);
    expect(listed.removed).to.deep.equal([{ id: member.hostId, name: 'build-2' }]);
    await fixture.call('DeleteAgent', { agentId: moved.id });
    // The bus refuses its key, and even on another connection the registry refuses the host.
    const again = () =>
      connectBus({
        url: fixture.nats.url,
        member: { kind: 'host', hostId: member.hostId },
        credential: member.credential,
      });
    expect((await failureOf(again)).reason).to.equal('BUS_CREDENTIAL_REFUSED');
    const stolen = new FakeHost(await fixture.nats.joinHost(member.hostId), member.hostId);
    expect((await failureOf(() => stolen.beat())).reason).to.equal('HOST_REMOVED');
    expect((await remove(member.hostId)).agents, 'it can be repeated').to.deep.equal([agent.name]);
    await fixture.restart();
    expect((await failureOf(again)).reason).to.equal('BUS_CREDENTIAL_REFUSED');
    const { reason, message } = await failureOf(() => remove('hst_1'));
    expect(reason).to.equal('HOST_NOT_JOINED');
    expect(message).to.contain('`muster bus-keys FOLDER --revoke NAME`').and.contain('`muster hosts --forget hst_1`');
    await fixture.call('DeleteAgent', { agentId: agent.id, abandon: true });
    expect((await fixture.call<{ removed?: Host[] }>('ListHosts')).removed ?? []).to.deep.equal([]);
    await aMember('build-2');
  });

  it('repeats revocations to a server that started with older claims', async () => {
    const member = await aMember();
    await remove(member.hostId);
    await fixture.nats.kill();
    fixture.nats.forgetClaims();
    await fixture.nats.restart();
    const again = () =>
      connectBus({
        url: fixture.nats.url,
        member: { kind: 'host', hostId: member.hostId },
        credential: member.credential,
      });
    await moment('the bus to refuse it again', async () => {
      const bus = await again().catch((error: unknown) => error);
      if (bus instanceof Failure) return bus.isFor('BUS_CREDENTIAL_REFUSED');
      await (bus as Bus).close();
      return false;
    });
  });

  it('certifies a host’s keys again, over its connection or by proof of its key', async () => {
    const member = await aMember();
    const other = await aMember('build-3');
    fixture.clock.pass(60_000);
    const until = fixture.clock.now() + certificateMs;
    const { installation } = member;
    const prove = (hostId: string, seed: string, of = installation) =>
      ask(renewalSubject, { hostId, proof: signText(seed, renewalProofText(hostId, of)) });
    const proven = Certificates.parse(await prove(member.hostId, member.seeds.host));
    for (const renewed of [await member.played.registry.renew(), proven]) {
      expect(validityOf(renewed.host).until).to.equal(until);
      expect(validityOf(renewed.gateway).until).to.equal(until);
      const keys = (one: Certificates) =>
        [one.host, one.gateway].map((jwt) => keyIn(credentialText({ jwt, seed: 'x' })));
      expect(keys(renewed)).to.deep.equal(keys(member.certificates));
    }
    for (const [hostId, seed, of] of [
      [member.hostId, member.seeds.gateway, installation],
      [member.hostId, other.seeds.host, installation],
      [other.hostId, member.seeds.host, installation],
      [member.hostId, member.seeds.host, 'another'],
      ['hst_1', member.seeds.host, installation],
    ] as const) {
      expect((await failureOf(() => prove(hostId, seed, of))).reason).to.equal('RENEWAL_NOT_PROVEN');
    }
    expect((await failureOf(() => fixture.host.registry.renew())).reason).to.equal('HOST_NOT_JOINED');
    await remove(member.hostId);
    expect((await failureOf(() => prove(member.hostId, member.seeds.host))).reason).to.equal('HOST_REMOVED');
  });
});
