import { expect } from 'chai';
import type { Bus } from '#bus/bus.ts';
import { requestWithFailover } from '#bus/request-with-failover.ts';
import { failureOf } from '#test/support/failure.ts';
import { type NatsFixture, natsFixture } from './nats-fixture.ts';

const subject = 'rpc.agent.v1.AgentService.ListAgents';

describe('a request that only reads', () => {
  let nats: NatsFixture;
  let gateway: Bus;
  let asked: number;

  beforeEach(async () => {
    nats = await natsFixture();
    gateway = await nats.join('gateway');
    const registry = await nats.join('registry');
    asked = 0;
    // As a queue group of registries: the first one to be asked has died over it.
    const handle = () => {
      asked += 1;
      return asked === 1 ? new Promise(() => {}) : { rows: asked };
    };
    await registry.serve({ name: 'registry', version: '1.0.0', endpoints: [{ name: 'list', subject, handle }] });
  });
  afterEach(() => nats.close());

  it('is answered by another registry if one dies during it', async () => {
    const answer = await requestWithFailover(gateway, subject, {}, { timeoutMs: 20_000, silenceMs: 300, maxTries: 2 });
    expect(answer).to.deep.equal({ rows: 2 });
  });

  it('fails after the maximum number of attempts', async () => {
    const failing = () => requestWithFailover(gateway, subject, {}, { timeoutMs: 20_000, silenceMs: 300, maxTries: 1 });
    expect((await failureOf(failing)).reason).to.equal('RESPONDER_LOST');
    expect(asked).to.equal(1);
  });

  it('is not sent again once its caller has stopped waiting', async () => {
    const failing = () => requestWithFailover(gateway, subject, {}, { timeoutMs: 200, silenceMs: 5_000, maxTries: 3 });
    expect((await failureOf(failing)).reason).to.equal('NO_ANSWER');
    expect(asked).to.equal(1);
  });
});
