import { headers, type Msg, type NatsConnection } from '@nats-io/nats-core';
import { expect } from 'chai';
import { registryClient } from '#actors/host/agent/registry-journal.ts';
import { openHostLine } from '#bus/host-line/host-line.ts';
import { makeKeyPair } from '#bus/seal/key-pair.ts';
import {
  authCheckSubject,
  claimSubject,
  endedCredentialsSubject,
  factSubject,
  figuresSubject,
  fromHostSubject,
  hostHintSubject,
  hostSubject,
  leaseSubject,
  operationSubject,
  paneSubject,
  peerSubject,
  presenceSubject,
  readySubject,
  registryPingSubject,
  signInSubject,
  signOutSubject,
} from '#bus/subjects.ts';
import { operations } from '#contract/table.ts';
import { pingVerb } from '#contract/wire/host-greeting.ts';
import { hostCalls, registryCalls } from '#contract/wire/registry.ts';
import { type LogProbe, logProbe } from '#test/bus/log-probe.ts';
import { FakeHost } from '#test/registry/fake-host.ts';
import { type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { refusedSubjects } from '#test/support/refused-subjects.ts';
import { systemTimer } from '#world/concurrency/timer.ts';

/**
 * A machine that was taken over, with a credential and a key of its own; and one that has stolen the bus credential of
 * another host, without its key.
 */
describe('an attack by a host', () => {
  let fixture: RegistryFixture;
  let log: LogProbe;
  let raw: NatsConnection;
  let evil: FakeHost;
  let agentId: string;
  const heard: Msg[] = [];

  before(async () => {
    log = logProbe();
    fixture = await registryFixture({ log });
    raw = await fixture.nats.connect('host', 'hst_1');
    for (const subject of ['_INBOX.host.hst_1.>', 'host.hst_1.>', 'bell.hst_1']) {
      raw.subscribe(subject, { callback: (_error, message) => void heard.push(message) });
    }
    await raw.flush();
    agentId = (await fixture.create({ provisionEnabled: false, prompt: 'canary-of-the-briefing' })).id;
    await fixture.host.bringUp(agentId);
    evil = new FakeHost(await fixture.nats.joinHost('hst_evil'), 'hst_evil');
    await evil.start();
  });
  after(async () => {
    await raw.close();
    await fixture.close();
  });

  const everything = () => heard.map(({ data }) => Buffer.from(data).toString('latin1')).join('\n');
  const record = () => fixture.host.registry.load(agentId);

  it('with its own credential can neither publish nor receive another’s messages', async () => {
    const own = await fixture.nats.connect('host', 'hst_evil');
    const verbs = ['hello', 'here', ...Object.values(registryCalls).map(({ verb }) => verb)];
    const asked = ['greet', pingVerb, ...Object.values(hostCalls).map(({ verb }) => verb)];
    const said = [
      ...operations.map(operationSubject),
      ...[authCheckSubject, endedCredentialsSubject, signInSubject, signOutSubject, readySubject, figuresSubject],
      ...[presenceSubject, registryPingSubject, leaseSubject, claimSubject, peerSubject('session')],
      ...verbs.flatMap((verb) => [fromHostSubject('hst_1', verb), fromHostSubject('hst_1', verb, 'any')]),
      ...asked.map((verb) => hostSubject('hst_1', verb)),
      ...[hostHintSubject('hst_1'), paneSubject('hst_1', agentId), factSubject('agent.state-moved')],
      ...['host', 'gateway', 'registry', 'start'].map((kind) => `_INBOX.${kind}.x`),
      ...['host.hst_1', '_INBOX.host.hst_1.x', '$SYS.REQ.CLAIMS.UPDATE'],
    ];
    const patterns = [
      'host.*.prompt',
      'bell.*',
      'pane.*.*',
      'fact.>',
      'registry.>',
      'rpc.>',
      '_INBOX.>',
      '$SRV.>',
      '>',
    ];
    const refused = await refusedSubjects(own, () => {
      for (const subject of [...said, ...patterns]) own.subscribe(subject, { callback: () => undefined });
      for (const subject of said) own.publish(subject, '{}');
    });
    expect(refused).to.deep.equal([...said, ...patterns, ...said]);
    await own.close();
  });

  it('without a session does nothing at the registry, with any verb or name', async () => {
    const before = await record();
    const { epoch, version, snapshot } = before;
    const bodies: Readonly<Record<string, object>> = {
      beat: { hostId: 'hst_1', name: 'mine', harnesses: [] },
      changes: { hostId: 'hst_1', cursor: '' },
      families: { families: [agentId] },
      commit: { agentId, epoch, version, snapshot, effects: [], done: [], facts: [], deadlines: {} },
      run: { agentId, epoch, effect: 'x', script: 'RUN_SCRIPT_SETUP' },
      rung: { agentId, epoch, bellId: 'x' },
      token: { agentId, epoch, purpose: 'window' },
      profile: { agentId, epoch },
      'base-moved': { agentId },
      load: { agentId },
      permit: { ticket: 'any' },
      renew: {},
      piece: { agentId, epoch, offset: 0 },
      departed: { id: `${agentId}@hst_1`, remains: [] },
    };
    expect(Object.keys(bodies).toSorted()).to.deep.equal(
      Object.values(registryCalls)
        .map(({ verb }) => verb)
        .toSorted(),
    );
    for (const [verb, body] of Object.entries(bodies)) {
      const answer = await raw.request(fromHostSubject('hst_1', verb), JSON.stringify(body), { timeout: 2_000 });
      expect(answer.data, verb).to.have.lengthOf(0);
    }
    expect((await record()).version).to.equal(before.version);
    const old = ['registry.agent.token', 'registry.agent.commit', 'registry.host.beat', 'registry.auth.sign-in'];
    const refused = await refusedSubjects(raw, () => {
      for (const subject of old) raw.publish(subject, '{}');
    });
    expect(refused.toSorted()).to.deep.equal(old.toSorted());
  });

  it('with its own key and another’s id is refused, with the remedy for a lost key', async () => {
    const bus = await fixture.nats.join('host');
    const line = openHostLine(bus, 'hst_1', makeKeyPair(), { monotonic: systemTimer.monotonic });
    const failure = await failureOf(() => registryClient(line).token(agentId, 1, 'window'));
    expect(failure.code).to.equal('permission_denied');
    expect(failure.message).to.contain('muster hosts --forget-key hst_1');
    expect(log.lines.join('\n')).to.contain('a host was refused');
  });

  it('with its own session reads, changes and reports nothing of another host', async () => {
    const { epoch, version, snapshot } = await record();
    const { registry } = evil;
    const commit = { agentId, epoch, version, snapshot, effects: [], done: [], facts: [], deadlines: {} };
    const attempts: Readonly<Record<keyof typeof registryCalls, () => Promise<unknown>>> = {
      beat: () => registry.beat({ hostId: 'hst_1', name: 'mine', harnesses: [] }),
      changes: () => registry.changes('hst_1', ''),
      load: () => registry.load(agentId),
      commit: () => registry.commit(commit),
      run: () => registry.run({ agentId, epoch, effect: 'x', script: 'RUN_SCRIPT_SETUP' }),
      rung: () => registry.rung(agentId, epoch, 'x'),
      baseMoved: () => registry.baseMoved(agentId),
      token: () => registry.token(agentId, epoch, 'window'),
      profile: () => registry.profile(agentId, epoch),
      piece: () => registry.piece(agentId, epoch, 0),
      departed: () => registry.departed(`${agentId}@hst_1`, []),
      // These name no agent or host: a ticket is granted to the host that it was made for, and a host is certified by its own keys.
      permit: () => registry.permit('any'),
      renew: () => registry.renew(),
      families: () => registry.families([agentId]),
    };
    const others = { permit: 'unavailable', renew: 'failed_precondition' } as const;
    for (const [verb, attempt] of Object.entries(attempts)) {
      if (verb === 'families') continue;
      const expected = Object.entries(others).find(([name]) => name === verb)?.[1] ?? 'permission_denied';
      expect((await failureOf(attempt)).code, verb).to.equal(expected);
    }
    const { left, gone } = await registry.families([agentId]);
    expect([left, gone], 'another’s family is neither its own nor gone').to.deep.equal([[], []]);
    expect((await record()).version).to.equal(version);
    const own = await fixture.create({ provisionEnabled: false, host: 'hst_evil' } as object);
    const mine = await registry.load(own.id);
    const forged = { ...commit, agentId: own.id, version: mine.version, snapshot: mine.snapshot };
    const { host } = fixture;
    const effect = `${agentId}/1/9`;
    const script = 'RUN_SCRIPT_SETUP' as const;
    const stolen = () => registry.run({ agentId: own.id, epoch: 1, effect, script });
    expect((await failureOf(stolen)).code, 'a run in the name of another').to.equal('permission_denied');
    await host.registry.run({ agentId, epoch, effect, script });
    await registry.commit({ ...forged, done: [effect] });
    const { runs } = await fixture.call<{ runs: { state: string }[] }>('ListRunLogs', { agentId });
    expect(runs[0]?.state, 'another’s run that is called off').to.equal('RUN_STATE_RUNNING');
  });

  it('with another host’s name gets none of its agents', async () => {
    const thief = new FakeHost(await fixture.nats.joinHost('hst_thief'), 'hst_thief');
    await thief.registry.beat({ hostId: 'hst_thief', name: 'hst_1.example', harnesses: ['claude'] });
    const failure = await failureOf(() => fixture.create({ host: 'hst_1.example' } as object));
    expect(failure.message).to.contain('hst_1').and.to.contain('hst_thief');
  });

  it('reads no requests and answers of others', async () => {
    heard.length = 0;
    const token = await fixture.host.registry.token(agentId, 1, 'window');
    await fixture.host.registry.load(agentId);
    await fixture.host.tell(agentId, { type: 'READING', reading: { state: 'AGENT_STATE_IDLE', reason: '' } });
    await fixture.call('PromptAgent', { agentId, prompt: 'canary-of-the-prompt' });
    await moment('the prompt to be heard', () => heard.some(({ subject }) => subject === 'host.hst_1.prompt'));
    expect(fixture.host.typed.map(([, request]) => JSON.stringify(request)).join()).to.contain('canary-of-the-prompt');
    expect(heard.length).to.be.above(3);
    expect(token).to.match(/^mst_/);
    for (const secret of [token ?? '', 'canary-of-the-briefing', 'canary-of-the-prompt', 'mst_']) {
      expect(everything()).not.to.contain(secret);
    }
  });

  it('answers no request to another host, however fast', async () => {
    const answers = raw.subscribe('host.hst_1.>', {
      callback: (_error, message) => {
        message.respond('{"path":"/forged","isDirectory":true,"isRepository":true}');
        const nobody = headers(503, 'No Responders');
        message.respond(new Uint8Array(), { headers: nobody });
      },
    });
    await raw.flush();
    const { parts } = await fixture.call<{ parts: { hostId?: string; checks: { name: string; outcome: string }[] }[] }>(
      'RunDoctor',
      { hostId: 'hst_1' },
    );
    expect(parts[0]?.checks.map(({ outcome }) => outcome)).not.to.include('CHECK_OUTCOME_FAIL');
    const failure = await failureOf(() => fixture.create({ dir: '/nowhere', host: 'hst_1' }));
    expect(failure.code).to.equal('invalid_argument');
    expect(failure.message).not.to.contain('/forged');
    answers.unsubscribe();
  });

  it('with a replayed message is ignored', async () => {
    const line = openHostLine(await fixture.nats.joinHost('hst_again'), 'hst_again', makeKeyPair(), {
      monotonic: systemTimer.monotonic,
    });
    await line.ask('beat', { hostId: 'hst_again', name: 'again', harnesses: [] }, 5_000);
    // The registry hears what it was sent: whoever runs the bus could send it again.
    const tap = await fixture.nats.connect('registry');
    const seen: Msg[] = [];
    tap.subscribe('registry.from.hst_again.beat.>', { callback: (_error, message) => void seen.push(message) });
    await tap.flush();
    await line.ask('beat', { hostId: 'hst_again', name: 'again 2', harnesses: [] }, 5_000);
    await line.ask('beat', { hostId: 'hst_again', name: 'again 3', harnesses: [] }, 5_000);
    await moment('both to be heard', () => seen.length === 2);
    const [first] = seen;
    const own = await fixture.nats.connect('host', 'hst_again');
    for (const subject of [first?.subject ?? '', 'registry.from.hst_again.beat']) {
      const again = own.request(subject, first?.data, { timeout: 500 }).catch((error: unknown) => String(error));
      expect(await again, subject).to.match(/timeout/i);
    }
    const { hosts } = await fixture.call<{ hosts: { id: string; name: string }[] }>('ListHosts');
    expect(hosts.find(({ id }) => id === 'hst_again')?.name).to.equal('again 3');
    await own.close();
    await tap.close();
  });

  it('cannot make the registry publish for it: answers go only to the requester’s inbox', async () => {
    const listening = await fixture.nats.connect('gateway');
    const stray: string[] = [];
    const note = (_error: unknown, message: Msg) => void stray.push(message.subject);
    for (const subject of ['fact.agent.forged', '_INBOX.gateway.>']) listening.subscribe(subject, { callback: note });
    await listening.flush();
    heard.length = 0;
    log.lines.length = 0;
    const elsewhere = [
      'host.hst_1.prompt',
      'bell.hst_1',
      'fact.agent.forged',
      '_INBOX.gateway.x',
      '_INBOX.host.hst_2.x',
      'rpc.x',
    ];
    for (const reply of elsewhere) raw.publish(fromHostSubject('hst_1', 'hello'), '{}', { reply });
    for (const reply of elsewhere) raw.publish(fromHostSubject('hst_1', 'load'), '{}', { reply });
    listening.publish('rpc.agent.v1.AgentService.ListAgents', '{}', { reply: 'host.hst_1.prompt' });
    listening.publish('rpc.agent.v1.AgentService.ListAgents', '{}', { reply: '_INBOX.host.hst_1.x' });
    await Promise.all([raw.flush(), listening.flush()]);
    const refusals = () => log.lines.filter((line) => line.includes('is not an inbox of a permitted caller'));
    await moment('all of them to be refused', () => refusals().length === 2 * elsewhere.length + 2);
    expect(stray).to.deep.equal([]);
    expect(heard.map(({ subject }) => subject)).to.deep.equal([]);
    await listening.close();
  });

  it('cannot make a host answer to anyone but the registry', async () => {
    const tapped = await fixture.nats.connect('registry');
    heard.length = 0;
    tapped.publish(hostSubject('hst_1', 'look'), '{}', { reply: 'bell.hst_2' });
    await tapped.flush();
    await fixture.host.registry.load(agentId);
    expect(heard.map(({ subject }) => subject)).not.to.include('bell.hst_2');
    await tapped.close();
  });

  it('succeeds with a new key only after a person removed the old one, which then fails', async () => {
    const lost = makeKeyPair();
    const first = openHostLine(await fixture.nats.joinHost('hst_lost'), 'hst_lost', lost, {
      monotonic: systemTimer.monotonic,
    });
    const beat = { hostId: 'hst_lost', name: 'lost', harnesses: [] };
    await first.ask('beat', beat, 5_000);
    const second = openHostLine(await fixture.nats.joinHost('hst_lost'), 'hst_lost', makeKeyPair(), {
      monotonic: systemTimer.monotonic,
    });
    expect((await failureOf(() => second.ask('beat', beat, 5_000))).code).to.equal('permission_denied');
    await fixture.call('ForgetHostKey', { hostId: 'lost' });
    await second.ask('beat', beat, 5_000);
    expect((await failureOf(() => first.ask('beat', beat, 5_000))).code).to.equal('permission_denied');
  });
});
