import { expect } from 'chai';
import type { Bus } from '#bus/bus.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type NatsFixture, natsFixture } from './nats-fixture.ts';

const subject = 'rpc.agent.v1.AgentService.ListAgents';

describe('a call that is in progress', () => {
  let nats: NatsFixture;
  let registry: Bus;
  let gateway: Bus;

  beforeEach(async () => {
    nats = await natsFixture();
    [registry, gateway] = await Promise.all([nats.join('registry'), nats.join('gateway')]);
  });
  afterEach(() => nats.close());

  const serve = (handle: () => unknown) =>
    registry.serve({ name: 'registry', version: '1.0.0', endpoints: [{ name: 'list', subject, handle }] });

  it('is awaited beyond the allowed silence while its responder reports progress', async () => {
    const done = Promise.withResolvers<object>();
    await serve(() => done.promise);
    const before = registry.figures.messagesOut;
    const asking = gateway.request(subject, {}, { timeoutMs: 20_000, silenceMs: 1_500 });
    // By the second report the silence that was allowed at first is over.
    await moment('it is reported twice', () => registry.figures.messagesOut >= before + 2);
    done.resolve({ rows: 1 });
    expect(await asking).to.deep.equal({ rows: 1 });
  });

  it('fails soon if its responder dies, and may have been executed', async () => {
    let isBegun: (() => void) | undefined;
    const begun = new Promise<void>((resolve) => {
      isBegun = resolve;
    });
    await serve(() => {
      isBegun?.();
      return new Promise(() => {});
    });
    const failing = failureOf(() => gateway.request(subject, {}, { timeoutMs: 20_000, silenceMs: 500 }));
    await begun;
    const { code, reason, message } = await failing;
    expect({ code, reason }).to.deep.equal({ code: 'deadline_exceeded', reason: 'RESPONDER_LOST' });
    expect(message).to.include('it may have been done');
  });

  it('is not reported to a caller that did not request it', async () => {
    const done = Promise.withResolvers<object>();
    await serve(() => done.promise);
    const before = registry.figures.messagesOut;
    const asking = gateway.request(subject, {}, { timeoutMs: 20_000 });
    const other = gateway.request(subject, {}, { timeoutMs: 20_000, silenceMs: 10_000 });
    await moment('the call beside it is reported', () => registry.figures.messagesOut > before);
    expect(registry.figures.messagesOut).to.equal(before + 1);
    done.resolve({});
    await Promise.all([asking, other]);
  });
});
