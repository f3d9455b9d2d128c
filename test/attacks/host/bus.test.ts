import { errors, headers, type NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import { hashOf } from '#actors/registry/access/agent-tokens.ts';
import { operationSubject } from '#bus/subjects.ts';
import type { BusUser } from '#contract/access/bus-member.ts';
import { rowOf } from '#test/channels/channel.ts';
import { type Instance, startInstance } from '#test/channels/instance.ts';
import { refusedSubjects } from '#test/support/refused-subjects.ts';

describe('an attack on the bus', () => {
  let instance: Instance;
  let agentId: string;
  const connections: NatsConnection[] = [];

  before(async () => {
    instance = await startInstance();
    agentId = (await instance.fixture.create({ provisionEnabled: false })).id;
  });
  afterEach(async () => {
    for (const connection of connections.splice(0)) await connection.close();
  });
  after(() => instance.close());

  async function join(user: BusUser): Promise<NatsConnection> {
    const connection = await instance.fixture.nats.connect(user);
    connections.push(connection);
    return connection;
  }

  it('with an agent’s token, no credential, or a name alone cannot connect', async () => {
    const { url } = instance.fixture.nats;
    const token = instance.fixture.tokenOf(agentId);
    for (const login of [
      {},
      { token },
      { user: agentId, pass: token },
      { user: 'registry', pass: token },
      { user: 'host' },
    ]) {
      const refused = await connect({ servers: url, ...login, reconnect: false }).catch((error: unknown) => error);
      expect(refused, Object.keys(login).join()).to.be.instanceOf(errors.AuthorizationError);
    }
  });

  const everybodys = ['>', '*.>', '_INBOX.>', '_INBOX.registry.>', '$SYS.>', '$JS.>'];
  const others: Readonly<Record<BusUser, readonly string[]>> = {
    gateway: ['host.hst_1.prompt', 'bell.hst_1', 'fact.agent.gone', 'registry.agent.commit', 'registry.agent.token'],
    registry: ['rpc.agent.v1.AgentService.ListAgents', 'registry.agent.commit'],
    host: [
      'registry.agent.token',
      'registry.auth.sign-in',
      'rpc.agent.v1.AgentService.DeleteAgent',
      'host.hst_2.prompt',
      'bell.hst_2',
      'fact.agent.gone',
    ],
    start: ['rpc.agent.v1.AgentService.ListAgents', 'registry.agent.commit', 'host.hst_1.prompt', 'fact.agent.gone'],
  };
  for (const user of Object.keys(others) as BusUser[]) {
    it(`as the ${user} can neither publish nor receive another’s messages`, async () => {
      const connection = await join(user);
      const heard = everybodys.filter((subject) => subject !== `_INBOX.${user}.>`);
      const said = [...others[user], '$JS.API.STREAM.PURGE.x', '$SYS.REQ.SERVER.PING', '_INBOX.nobody.x'];
      const own = user === 'registry' ? heard.filter((subject) => subject !== '_INBOX.registry.>') : heard;
      const refused = await refusedSubjects(connection, () => {
        for (const subject of own) connection.subscribe(subject, { callback: () => undefined });
        for (const subject of said) connection.publish(subject);
      });
      expect(refused.toSorted()).to.deep.equal([...own, ...said].toSorted());
    });
  }

  it('with headers or a reply subject does not change the caller’s identity', async () => {
    const connection = await join('gateway');
    const forged = headers();
    forged.set('Nats-Request-Info', JSON.stringify({ acc: 'SYS', user: 'registry', rtt: 1 }));
    forged.set('credential', hashOf(instance.fixture.operatorToken));
    forged.set('authorization', `Bearer ${instance.fixture.operatorToken}`);
    const subject = operationSubject(rowOf('DeleteAgent'));
    const ask = async (body: object) => {
      const answer = await connection.request(subject, JSON.stringify(body), { headers: forged, timeout: 5_000 });
      return (answer.json() as { code?: string }).code;
    };
    expect(await ask({ request: { agentId } })).to.equal('invalid_argument');
    expect(await ask({ credential: hashOf('mst_made-up'), request: { agentId } })).to.equal('unauthenticated');
    const asAgent = {
      credential: hashOf(instance.fixture.tokenOf(agentId)),
      caller: { kind: 'person' },
      request: { agentId },
    };
    expect(await ask(asAgent)).to.equal('permission_denied');
    expect(
      await ask({ credential: instance.fixture.operatorToken, request: { agentId } }),
      'the token itself',
    ).to.equal('unauthenticated');
    const { agent } = await instance.fixture.call<{ agent: { agent: { id: string } } }>('GetAgent', { agentId });
    expect(agent.agent.id).to.equal(agentId);
  });
});
