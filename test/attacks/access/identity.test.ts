import { expect } from 'chai';
import { hashOf } from '#actors/registry/access/agent-tokens.ts';
import { authCheckSubject, operationSubject } from '#bus/subjects.ts';
import { fieldsOf } from '#cli/rpc/field.ts';
import { pathOf } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { channels, codeOf, doorOf, rowOf } from '#test/channels/channel.ts';
import { aboutItself, decided } from '#test/channels/decided.ts';
import { type Instance, startInstance } from '#test/channels/instance.ts';
import { trials } from '#test/channels/requests.ts';
import { call } from '#test/gateway/http-call.ts';
import { errorOf, openStream } from '#test/gateway/stream-call.ts';
import { firstWorkflow } from '#test/registry/registry-fixture.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';

describe('an attack on caller identity', () => {
  let instance: Instance;
  let [alice, bob] = ['', ''];

  before(async () => {
    instance = await startInstance();
    alice = await anAgent();
    bob = await anAgent();
  });
  after(() => instance.close());

  async function anAgent(): Promise<string> {
    const { id } = await instance.fixture.create({ provisionEnabled: false, role: 'AGENT_ROLE_IMPLEMENTER' });
    await instance.fixture.host.bringUp(id);
    return id;
  }
  const as = (agentId: string) => doorOf(instance, instance.fixture.tokenOf(agentId));
  const newestFact = async () => {
    const { facts } = await instance.fixture.call<{ facts: { seq: string }[] }>('ListFacts', { pageSize: 1 });
    return facts[0]?.seq;
  };

  describe('with no token, or a token in the wrong place', () => {
    const attempts: Readonly<
      Record<string, { headers: Record<string, string | null>; query?: (token: string) => string }>
    > = {
      'no token': { headers: { authorization: null } },
      'an empty one': { headers: { authorization: 'Bearer ' } },
      null: { headers: { authorization: 'Bearer null' } },
      undefined: { headers: { authorization: 'Bearer undefined' } },
      'basic credentials': { headers: { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` } },
      'a good token in the address': { headers: { authorization: null }, query: (token) => `?access_token=${token}` },
      'a good token in a cookie': { headers: { authorization: null, cookie: 'token=TOKEN' } },
      'a good token in another header': { headers: { authorization: null, 'x-api-key': 'TOKEN' } },
      'a good token without its scheme': { headers: { authorization: 'TOKEN' } },
    };
    for (const [what, { headers, query }] of someOf(Object.entries(attempts))) {
      it(`fails with ${what}, at every operation`, async () => {
        const { operatorToken } = instance.fixture;
        const sent = Object.entries(headers).map(([name, value]) => [
          name,
          value?.replace('TOKEN', operatorToken) ?? null,
        ]);
        const before = [await newestFact(), instance.fixture.host.typed.length];
        for (const row of operations) {
          const path = `/${pathOf(row)}${query?.(operatorToken) ?? ''}`;
          const body = { ...trials[row.method]?.refused?.request, ...trials[row.method]?.request(alice) };
          const given = Object.fromEntries(sent) as Record<string, string | null>;
          if (row.watch === undefined) {
            const { status, json } = await call(instance, path, { headers: given, body });
            expect([status, json?.['code']], row.method).to.deep.equal([401, 'unauthenticated']);
            continue;
          }
          const stream = await openStream(instance, path, body, given);
          expect(errorOf(await stream.next()), row.method).to.include({ code: 'unauthenticated' });
          await stream.close();
        }
        const mcp = await call(instance, `/mcp${query?.(operatorToken) ?? ''}`, {
          headers: {
            ...(Object.fromEntries(sent) as Record<string, string | null>),
            accept: 'application/json, text/event-stream',
          },
          body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        });
        expect([mcp.status, mcp.json?.['code']]).to.deep.equal([401, 'unauthenticated']);
        expect([await newestFact(), instance.fixture.host.typed.length]).to.deep.equal(before);
      });
    }
  });

  it('with another’s id reveals nothing about its existence', async () => {
    // An operation on the agent itself: another's id and an unknown one get the same refusal.
    const ownAlone = operations.filter(({ method }) => method !== 'CreateAgent' && decided[method] === aboutItself);
    expect(ownAlone).to.have.length.above(2);
    for (const row of ownAlone) {
      for (const channel of channels) {
        const about = (agentId: string) => channel.call(as(bob), row, trials[row.method]?.request(agentId) ?? {});
        const [theirs, nobodys] = [await about(alice), await about('agt_nobody')];
        expect(codeOf(theirs), row.method).to.be.oneOf(['permission_denied', 'not_found']);
        expect(JSON.stringify(theirs).replaceAll(alice, 'ID'), row.method).to.equal(
          JSON.stringify(nobodys).replaceAll('agt_nobody', 'ID'),
        );
      }
    }
  });

  it('on a forbidden operation is refused without effect, and logged', async () => {
    for (const method of [
      'DeleteAgent',
      'IssueAgentToken',
      'CreateWorkflow',
      'AnswerAgent',
      'HoldAgent',
      'AcknowledgeRun',
    ]) {
      const before = await newestFact();
      instance.log.lines.length = 0;
      for (const channel of channels) {
        const request = { ...trials[method]?.refused?.request, ...trials[method]?.request(alice) };
        expect(codeOf(await channel.call(as(bob), rowOf(method), request)), method).to.equal('permission_denied');
      }
      const records = instance.log.lines.filter((line) => line.startsWith('a caller was not allowed an operation'));
      expect(records, method).to.have.length(3);
      for (const record of records) expect(record).to.contain(method).and.to.contain(bob);
      expect(await newestFact()).to.equal(before);
    }
  });

  it('with an identity in the request finds no field for it', () => {
    const identities =
      /^(from|sender|author|caller|by|as|actor|principal|user|createdBy|spawnedBy.*|fromAgentId|senderId|authorId)$/i;
    for (const row of operations) {
      const names = fieldsOf(row.request).map(({ path }) => path.at(-1) ?? '');
      expect(
        names.filter((name) => identities.test(name)),
        row.method,
      ).to.deep.equal([]);
    }
  });

  it('with mail in another’s name is refused, or sent in its own', async () => {
    for (const channel of channels) {
      const request = { agentId: alice, body: `over ${channel.name}`, from: alice, sender: 'person' };
      const outcome = await channel.call(as(bob), rowOf('SendMail'), request);
      // Over HTTP an unknown field is ignored; the others are strict.
      if (channel.name === 'HTTP') expect(outcome).to.have.nested.property('answer.mail.fromAgentId', bob);
      else
        expect(outcome)
          .to.have.nested.property('refusal.message')
          .that.matches(/there is no field from/);
    }
  });

  it('with a reply to another’s mail learns nothing of it', async () => {
    const { mail } = await instance.fixture.call<{ mail: { id: string } }>('SendMail', {
      agentId: alice,
      body: 'secret',
    });
    for (const channel of channels) {
      const answering = (inReplyTo: string) =>
        channel.call(as(bob), rowOf('SendMail'), { agentId: alice, body: 'x', inReplyTo });
      const [theirs, nobodys] = [await answering(mail.id), await answering('mal_nobody')];
      expect(codeOf(theirs)).to.equal('not_found');
      expect(JSON.stringify(theirs).replaceAll(mail.id, 'ID')).to.equal(
        JSON.stringify(nobodys).replaceAll('mal_nobody', 'ID'),
      );
    }
  });

  it('with another agent’s child is refused', async () => {
    const { id: workflowId } = await instance.fixture.workflow();
    const request = { prompt: 'Do as I say', workflowId, parentAgentId: alice };
    for (const channel of channels) {
      expect(codeOf(await channel.call(as(bob), rowOf('CreateAgent'), request))).to.equal('permission_denied');
    }
  });

  it('with another’s idempotency key never returns what that key made', async () => {
    const { id: workflowId } = await firstWorkflow(instance.fixture);
    const request = { prompt: 'Mine', workflowId, idempotencyKey: 'guessed', provisionEnabled: false };
    const made = new Set<string>();
    for (const door of [as(alice), as(bob), doorOf(instance, instance.fixture.operatorToken)]) {
      const ids: string[] = [];
      for (const channel of channels) {
        const outcome = (await channel.call(door, rowOf('CreateAgent'), request)) as {
          answer: { agent: { id: string } };
        };
        ids.push(outcome.answer.agent.id);
      }
      expect(new Set(ids).size, 'the same for the same caller, over every channel').to.equal(1);
      made.add(ids[0] ?? '');
    }
    expect(made.size).to.equal(3);
  });

  it('with the token of an ended agent fails at once: calls, streams, tools and the bus', async () => {
    const id = await anAgent();
    const token = instance.fixture.tokenOf(id);
    const stream = await openStream(
      instance,
      '/agent.v1.AgentService/WatchAgents',
      {},
      { authorization: `Bearer ${token}` },
    );
    await stream.next();
    for (const channel of channels)
      expect(codeOf(await channel.call(as(id), rowOf('ListAgents'), {}))).to.equal('answered');
    await instance.fixture.call('ArchiveAgent', { agentId: id });
    const ended = performance.now();
    for (const channel of channels) {
      expect(codeOf(await channel.call(as(id), rowOf('ListAgents'), {})), channel.name).to.equal('unauthenticated');
    }
    await moment('the stream to end', async () => errorOf(await stream.next())?.['code'] === 'unauthenticated', 1_000);
    const credential = hashOf(token);
    const onTheBus = [
      () =>
        instance.fixture.gateway.request(
          operationSubject(rowOf('ListAgents')),
          { credential, request: {} },
          { timeoutMs: 1_000 },
        ),
      () => instance.fixture.gateway.request(authCheckSubject, { credential }, { timeoutMs: 1_000 }),
    ];
    for (const ask of onTheBus) expect((await failureOf(ask)).code).to.equal('unauthenticated');
    expect(performance.now() - ended).to.be.below(1_000);
    await stream.close();
  });

  it('with another’s session fails: each request has the identity of its token', async () => {
    const listed = async (agentId: string, headers: Record<string, string> = {}) => {
      const answer = await call(instance, '/mcp', {
        headers: {
          authorization: `Bearer ${instance.fixture.tokenOf(agentId)}`,
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
        },
      });
      expect(answer.status).to.equal(200);
      expect(answer.headers['mcp-session-id']).to.equal(undefined);
      return answer.text;
    };
    expect(await listed(alice))
      .to.contain(alice)
      .and.not.to.contain(bob);
    for (const session of [alice, '1', 'a'.repeat(32), instance.fixture.tokenOf(alice)]) {
      expect(await listed(bob, { 'mcp-session-id': session }))
        .to.contain(bob)
        .and.not.to.contain(alice);
    }
  });

  inSoak('by guessing a token learns nothing from the response time', async () => {
    const right = instance.fixture.tokenOf(alice);
    const last = right.at(-1) === 'A' ? 'B' : 'A';
    const guesses = { near: right.slice(0, -1) + last, far: `mst_${'x'.repeat(43)}` };
    const times: Record<string, number[]> = { near: [], far: [] };
    const rounds = 200;
    for (let round = 0; round < rounds; round += 1) {
      for (const [kind, guess] of Object.entries(guesses)) {
        const since = performance.now();
        const { status } = await call(instance, '/agent.v1.AgentService/ListAgents', {
          headers: { authorization: `Bearer ${guess}` },
        });
        times[kind]?.push(performance.now() - since);
        if (status !== 401) throw new Error(`${kind} was answered ${status}`);
      }
    }
    const median = (kind: string) => times[kind]?.toSorted((a, b) => a - b)[rounds / 2] ?? 0;
    // A token is looked up by its hash alone, so there is nothing to see but noise. The bound reports a lookup that
    // depends on the guess, which takes another trip to the registry or to the database.
    expect(Math.abs(median('near') - median('far'))).to.be.below(0.5 * median('far'));
  });
});
