import type { Msg, NatsConnection } from '@nats-io/nats-core';
import { expect } from 'chai';
import { hashOf } from '#actors/registry/access/agent-tokens.ts';
import { operationSubject, signInSubject } from '#bus/subjects.ts';
import { rowOf } from '#test/channels/channel.ts';
import { type Instance, startInstance } from '#test/channels/instance.ts';
import { call } from '#test/gateway/http-call.ts';
import { pageBrowser } from '#test/gateway/page-session.ts';

/** A gateway that was taken over: it has a gateway's credential, and no token of any caller. */
describe('an attack with a gateway’s credential for the bus', () => {
  let instance: Instance;
  let raw: NatsConnection;
  let agentId: string;
  const heard: Msg[] = [];

  before(async () => {
    instance = await startInstance();
    agentId = (await instance.fixture.create({ provisionEnabled: false })).id;
    raw = await instance.fixture.nats.connect('gateway');
    raw.subscribe('_INBOX.gateway.>', { callback: (_error, message) => void heard.push(message) });
    raw.subscribe('fact.>', { callback: (_error, message) => void heard.push(message) });
    await raw.flush();
  });
  after(async () => {
    await raw.close();
    await instance.close();
  });

  const everything = () =>
    heard.map(({ data, headers }) => `${Buffer.from(data).toString('latin1')} ${headers?.toString() ?? ''}`).join('\n');
  const asPerson = async (method: string, body: object) => {
    const row = rowOf(method);
    const path = `/${row.package}.${row.service}/${row.method}`;
    const headers = { authorization: `Bearer ${instance.fixture.operatorToken}` };
    const { status, json } = await call(instance, path, { headers, body });
    expect(status, `${method}: ${JSON.stringify(json)}`).to.equal(200);
    return json as Record<string, string>;
  };

  it('reads no secret in another gateway’s answers', async () => {
    const webhook = 'https://hooks.example/canary-of-the-webhook';
    const { token = '' } = await asPerson('IssueAgentToken', { agentId });
    await asPerson('UpdateNotify', { notify: { webhook, on: ['NOTICE_KIND_FAILED'] } });
    await asPerson('GetNotify', {});
    const { oneTimeCode = '' } = await asPerson('CreateSignInCode', {});
    const browser = await pageBrowser(instance);
    const session = String((await browser.signIn(oneTimeCode)).json?.['token'] ?? '');
    await raw.flush();
    expect([token, oneTimeCode, session].map((secret) => secret.length > 20)).to.deep.equal([true, true, true]);
    expect(heard.filter(({ subject }) => subject.startsWith('_INBOX.')).length).to.be.above(4);
    for (const secret of [token, oneTimeCode, session, webhook, 'mst_', 'mss_', hashOf(token)]) {
      expect(everything()).not.to.contain(secret);
    }
  });

  it('sees no secret unencrypted, with any credential', async () => {
    const credential = hashOf(instance.fixture.operatorToken);
    const ask = async (subject: string, body: object) =>
      (await raw.request(subject, JSON.stringify(body), { timeout: 5_000 })).json() as { code?: string };
    for (const method of ['IssueAgentToken', 'CreateSignInCode', 'RotateTokens', 'GetNotify', 'UpdateNotify']) {
      const answer = await ask(operationSubject(rowOf(method)), { credential, request: { agentId } });
      expect(answer.code, method).to.equal('failed_precondition');
    }
    expect((await ask(signInSubject, { code: 'x' })).code).to.equal('failed_precondition');
  });

  it('cannot answer in another’s place', async () => {
    heard.length = 0;
    const { gateway, operatorToken } = instance.fixture;
    const credential = hashOf(operatorToken);
    const asked = () =>
      gateway.request(
        operationSubject(rowOf('GetAgent')),
        { credential, request: { agentId } },
        { timeoutMs: 5_000 },
      ) as Promise<{ agent: { agent: { id: string } } }>;
    await asked();
    await raw.flush();
    const [place = '', last = ''] =
      heard.findLast(({ subject }) => subject.startsWith('_INBOX.'))?.subject.split(/\.(?=\d+$)/) ?? [];
    expect(place).to.match(/^_INBOX\.gateway\.[0-9a-f-]{36}$/);
    // The registry refuses what a stranger asks, and is asked to answer if the next answers are waited for.
    for (let next = 1; next <= 20; next += 1) {
      raw.publish(operationSubject(rowOf('GetAgent')), '{"credential":"x"}', {
        reply: `${place}.${Number(last) + next}`,
      });
    }
    const answers = await Promise.all(Array.from({ length: 20 }, asked));
    expect(answers.map(({ agent }) => agent.agent.id)).to.deep.equal(Array.from({ length: 20 }, () => agentId));
  });
});
