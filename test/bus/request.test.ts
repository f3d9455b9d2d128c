import { expect } from 'chai';
import type { Bus, Call, Handler } from '#bus/bus.ts';
import { type FailureCode, failureCodes } from '#contract/reason/failure-code.ts';
import { failureOf, refusalWith } from '#test/support/failure.ts';
import { maxPayloadBytes } from '#world/net/nats-config.ts';
import { type LogProbe, logProbe } from './log-probe.ts';
import { type NatsFixture, natsFixture } from './nats-fixture.ts';

describe('a request on the bus', () => {
  let nats: NatsFixture;
  let gateway: Bus;
  let log: LogProbe;
  const calls: Call[] = [];

  before(async () => {
    nats = await natsFixture();
    log = logProbe();
    gateway = await nats.join('gateway');
    const registry = await nats.join('registry', { log });
    const handlers: Record<string, Handler> = {
      Echo: (body, call) => {
        calls.push(call);
        return body;
      },
      Refuse: (body) => {
        const { code, message } = body as { code: FailureCode; message: string };
        throw refusalWith(code, message);
      },
      Fault: () => {
        throw new Error('the password is sesame');
      },
      Silent: () => new Promise(() => {}),
      Nothing: () => undefined,
      Huge: () => 'x'.repeat(maxPayloadBytes),
    };
    await registry.serve({
      name: 'registry',
      version: '1.0.0',
      endpoints: Object.entries(handlers).map(([name, handle]) => ({ name, subject: `rpc.test.${name}`, handle })),
    });
  });

  after(() => nats.close());

  const ask = (method: string, body: unknown = {}, timeoutMs = 30_000) =>
    gateway.request(`rpc.test.${method}`, body, { timeoutMs });

  it('is answered, and carries its time limit', async () => {
    const body = { text: 'für 👩‍🚀', n: 1.5, list: [null, true] };
    expect(await ask('Echo', body, 1_234)).to.deep.equal(body);
    expect(calls.at(-1)?.timeoutMs).to.be.within(1, 1_234);
    expect(calls.at(-1)?.subject).to.equal('rpc.test.Echo');
  });

  it('returns {} for an answer without a body', async () => {
    expect(await ask('Nothing')).to.deep.equal({});
  });

  for (const code of Object.keys(failureCodes) as FailureCode[]) {
    it(`rejects with ${code}`, async () => {
      const message = `${code} for "ä"\nand more`;
      expect(await failureOf(() => ask('Refuse', { code, message }))).to.include({ code, message });
    });
  }

  it('hides the message of an internal error from the caller, and logs it at the responder', async () => {
    const failure = await failureOf(() => ask('Fault'));
    expect(failure.code).to.equal('internal');
    expect(failure.message).not.to.contain('sesame');
    expect(log.lines.join('\n')).to.contain('sesame').and.to.contain('rpc.test.Fault');
  });

  it('fails as unavailable at once if no service has the subject', async () => {
    const started = performance.now();
    const failure = await failureOf(() => ask('Nobody', {}, 10_000));
    expect(failure.code).to.equal('unavailable');
    expect(performance.now() - started).to.be.below(8_000);
  });

  it('fails at its deadline', async () => {
    const started = performance.now();
    const failure = await failureOf(() => ask('Silent', {}, 200));
    expect(failure.code).to.equal('deadline_exceeded');
    expect(failure.message).to.contain('rpc.test.Silent').and.to.contain('200 ms');
    expect(performance.now() - started).to.be.within(150, 8_000);
  });

  it('is refused if it, or its answer, exceeds the bus’s limit', async () => {
    const large = await failureOf(() => ask('Echo', 'x'.repeat(maxPayloadBytes)));
    expect(large.code).to.equal('resource_exhausted');
    expect((await failureOf(() => ask('Huge'))).code).to.equal('resource_exhausted');
    expect(await ask('Echo', 'still here')).to.equal('still here');
  });

  it('is refused for an invalid subject, or without permission', async () => {
    expect((await failureOf(() => gateway.request('rpc.>', {}, { timeoutMs: 500 }))).code).to.equal('invalid_argument');
    expect((await failureOf(() => gateway.request('bell.hst_1', {}, { timeoutMs: 500 }))).code).to.equal('internal');
  });

  it('keeps concurrent requests separate', async () => {
    const bodies = Array.from({ length: 500 }, (_, n) => ({ n }));
    expect(await Promise.all(bodies.map((body) => ask('Echo', body, 10_000)))).to.deep.equal(bodies);
  });

  it('fails as unavailable after this side has closed', async () => {
    const other = await nats.join('gateway');
    await other.close();
    await other.close();
    expect(other.connected).to.equal(false);
    expect((await failureOf(() => other.request('rpc.test.Echo', {}, { timeoutMs: 500 }))).code).to.equal(
      'unavailable',
    );
    other.publish('fact.late');
  });
});
