import { expect } from 'chai';
import type { Bus, RequestOptions } from '#bus/bus.ts';
import { choosingRegistry } from '#bus/registry-choice.ts';
import { figuresSubject, instanceSubject, presenceSubject, readySubject } from '#bus/subjects.ts';
import type { Failure } from '#contract/failure.ts';
import type { RegistryPresence } from '#contract/wire/registry-presence.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type NatsFixture, natsFixture } from './nats-fixture.ts';

const subject = 'rpc.agent.v1.AgentService.ListAgents';

describe('a gateway with several registries', () => {
  let nats: NatsFixture;
  let gateway: Bus;
  let buses: Record<string, Bus>;

  beforeEach(async () => {
    nats = await natsFixture();
    gateway = choosingRegistry(await nats.join('gateway'), () => 'own');
    buses = {};
  });
  afterEach(() => nats.close());

  const healthSubjects = { ready: readySubject, figures: figuresSubject };
  const serve = async (instance: string, handle: () => unknown = () => ({ by: instance })) => {
    const bus = await nats.join('registry');
    buses[instance] = bus;
    const health = Object.entries(healthSubjects).map(([name, one]) => ({ name, subject: one, handle }));
    const endpoints = [{ name: 'list', subject, handle }, ...health];
    await bus.serve({ name: 'registry', version: '1.0.0', calledAs: instance, endpoints });
  };
  const announce = (instance: string, more: Partial<RegistryPresence> = {}) =>
    buses[instance]?.publish(presenceSubject, {
      installation: 'own',
      instance,
      now: performance.now(),
      sealKey: buses[instance]?.sealKey,
      ...more,
    });
  const ask = (timeoutMs = 20_000) => gateway.request(subject, {}, { timeoutMs, silenceMs: 2_000 });
  /** Calls until only these answer; calls are distributed in turn. */
  const onlyBy = (...instances: string[]) =>
    moment(`only ${instances.join(' and ')} answer`, async () => {
      const answers = await Promise.all(Array.from({ length: 12 }, () => ask()));
      return new Set(answers.map((answer) => JSON.stringify(answer))).size === instances.length &&
        answers.every((answer) => instances.includes((answer as { by: string }).by))
        ? answers
        : undefined;
    });

  it('calls any registry before one has announced itself', async () => {
    await serve('reg-1');
    expect(await ask()).to.deep.equal({ by: 'reg-1' });
  });

  it('calls only announced registries, in turn', async () => {
    await Promise.all(['reg-1', 'reg-2', 'silent', 'other'].map((instance) => serve(instance)));
    announce('other', { installation: 'another' });
    announce('reg-1');
    announce('reg-2');
    await onlyBy('reg-1', 'reg-2');
    announce('reg-1', { isLeaving: true });
    await onlyBy('reg-2');
  });

  it('seals what it sends to an announced registry, and sends a secret in no other way', async () => {
    await serve('reg-1');
    const others: unknown[] = [];
    const listening = await nats.join('registry');
    listening.subscribe('rpc.>', (body) => others.push(body));
    await listening.roundTrip();
    const send = (text: string, more: Partial<RequestOptions> = {}) =>
      gateway.request(subject, { text }, { timeoutMs: 20_000, ...more });
    await send('plain');
    await moment('others hear what is not sealed', () => others.length === 1);
    const refused = await failureOf(() => send('secret', { isSecret: true, timeoutMs: 100 }));
    expect(refused.reason).to.equal('SEAL_KEY_MISSING');
    const waits = send('secret', { isSecret: true });
    announce('reg-1');
    expect(await waits).to.deep.equal({ by: 'reg-1' });
    await send('also sealed');
    await gateway.roundTrip();
    expect(others).to.deep.equal([{ text: 'plain' }]);
  });

  it('checks the health of the named registry, whichever others are announced', async () => {
    for (const instance of ['reg-1', 'reg-2']) {
      await serve(instance);
      announce(instance);
    }
    await serve('reg-3');
    await onlyBy('reg-1', 'reg-2');
    for (const one of Object.values(healthSubjects))
      for (const by of ['reg-1', 'reg-2', 'reg-1']) {
        const answer = await gateway.request(instanceSubject(one, by), {}, { timeoutMs: 2_000 });
        expect(answer, `${one} of ${by}`).to.deep.equal({ by });
      }
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask()));
    expect(answers, 'the announced ones are still known').to.not.deep.include({ by: 'reg-3' });
  });

  it('calls another one, transparently, if the chosen one is gone', async () => {
    await Promise.all(['reg-1', 'reg-2'].map((instance) => serve(instance)));
    announce('reg-1');
    announce('reg-2');
    await onlyBy('reg-1', 'reg-2');
    await buses['reg-1']?.close();
    for (let calls = 0; calls < 6; calls += 1) expect(await ask()).to.deep.equal({ by: 'reg-2' });
  });

  it('sends no further call to a hung one, although its connection is open', async () => {
    // It takes its messages, and does not even report that a call is in progress.
    buses['hung'] = await nats.join('registry');
    buses['hung'].subscribe(`${subject}.hung`, () => {});
    await buses['hung'].roundTrip();
    await serve('reg-2');
    announce('hung');
    announce('reg-2');
    await moment('the hung one is given a call', async () => {
      const failure = await ask().then(
        () => undefined,
        (error: Failure) => error,
      );
      return failure?.isFor('RESPONDER_LOST');
    });
    await onlyBy('reg-2');
  });

  it('gets nothing done by one that receives a call after its caller gave up', async () => {
    let done = 0;
    await serve('late', () => {
      done += 1;
      return { by: 'late' };
    });
    // Its clock is far ahead: whatever reaches it was sent long ago.
    announce('late', { now: performance.now() - 60_000 });
    const failure = await moment('it is called by its name', async () => {
      const before = done;
      const outcome = await ask().catch((error: unknown) => error);
      return done === before ? outcome : undefined;
    });
    expect(failure).to.include({ reason: 'CALL_TOO_LATE' });
    expect((await failureOf(() => ask())).reason).to.equal('CALL_TOO_LATE');
  });
});
