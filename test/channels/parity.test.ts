import { expect } from 'chai';
import type { Operation } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { someOf } from '#test/support/some-of.ts';
import { fieldsWithTimes } from './answer-times.ts';
import { type Channel, channels, doorOf, type Outcome, rowOf } from './channel.ts';
import { type Instance, startInstance } from './instance.ts';
import { emptyFields, invalidRequests } from './invalid-requests.ts';
import { paneAtWork } from './pane-at-work.ts';
import { trials } from './requests.ts';
import { settled } from './settled.ts';
import type { Trial } from './trial.ts';

/** One channel, with its own instance that is used in the same way as the others'. */
interface Side {
  readonly channel: Channel;
  readonly instance: Instance;
}

/**
 * How far a side's log has come: a look at what repositories want is written when its turn comes, on each side at its
 * own.
 */
const countedCursor = /(?<="cursor":")\d+(?=-)/g;

/** An outcome without the numbers of ids: each call that creates something gives it the next one. */
const withoutNumbers = (outcome: object): object =>
  JSON.parse(JSON.stringify(outcome).replaceAll(/(?<="[a-z]{3}_)\d+(?=")/g, 'N')) as object;

/** The operations whose refusals are compared: what they are, the registry's own tests try. */
const refusing = new Set(someOf(operations));
/** The operations that are tried with odd requests, too. */
const odd = new Set(someOf(operations, 0, 16));

describe('every operation over every channel', () => {
  const sides: Side[] = [];

  before(async () => {
    for (const channel of channels) {
      const instance = await startInstance();
      instance.fixture.host.pane = paneAtWork;
      sides.push({ channel, instance });
    }
  });
  after(() => Promise.all(sides.map(({ instance }) => instance.close())));

  /** A firing's result is written asynchronously: on no side may it come after the following calls. */
  async function settle({ access }: Operation): Promise<void> {
    if (access === 'write') await Promise.all(sides.map(({ instance }) => settled(instance.fixture)));
  }

  /** A new agent on each side, at work. Since all sides are used alike, it has the same id on each. */
  async function anAgent(): Promise<string> {
    const ids = sides.map(async ({ instance: { fixture } }) => {
      const { id } = await fixture.create({ provisionEnabled: false, role: 'AGENT_ROLE_IMPLEMENTER' });
      await fixture.host.bringUp(id);
      return id;
    });
    const [id = '', ...others] = await Promise.all(ids);
    expect(others).to.deep.equal([id, id]);
    return id;
  }

  /** The agent of an operation: one of its own if the call may change it, else one that such operations share. */
  const shared = new Map<Operation['access'], string>();
  async function agentFor({ access }: Operation, { endsAgent, request }: Trial): Promise<string> {
    const isAbout = JSON.stringify(request('agt_a')) !== JSON.stringify(request('agt_b'));
    if (endsAgent || (access === 'write' && isAbout)) return anAgent();
    const agentId = shared.get(access) ?? (await anAgent());
    shared.set(access, agentId);
    return agentId;
  }

  /** The outcome of a good request, the same over every channel. */
  async function answered(row: Operation, trial: Trial): Promise<Outcome> {
    const agentId = await agentFor(row, trial);
    const outcomes = await overAll(row, (side) => goodRequest(trial, agentId, side));
    for (const { instance } of sides) await trial.recover?.(instance.fixture);
    await settle(row);
    const outcome = expectAlike(outcomes, row.method);
    expect(outcome).to.have.property('answer').that.is.an('object');
    return outcome;
  }

  /** The result of the same request over each channel, without secrets, and each side's counters. */
  function overAll(row: Operation, requestOf: (side: Side) => Promise<object> | object): Promise<Outcome[]> {
    return Promise.all(
      sides.map(async (side) => {
        const { channel, instance } = side;
        const request = await requestOf(side);
        const outcome = await channel.call(doorOf(instance, instance.fixture.operatorToken), row, request);
        const alike = JSON.stringify(outcome)
          .replaceAll(/(mst_|JOIN-)[A-Za-z0-9_-]{43}/g, '$1…')
          .replaceAll(countedCursor, '…')
          .replaceAll(/its size is [\d.]+ [KM]iB/g, 'its size is …');
        return JSON.parse(alike) as Outcome;
      }),
    );
  }

  async function goodRequest({ request, prepare }: Trial, agentId: string, { instance }: Side): Promise<object> {
    return { ...request(agentId), ...(await prepare?.(instance.fixture, agentId)) };
  }

  function expectAlike(outcomes: readonly Outcome[], what: string): Outcome {
    const [first = { answer: undefined }, ...others] = outcomes;
    for (const [place, other] of others.entries()) {
      expect(other, `${what} over ${channels[place + 1]?.name}, beside HTTP`).to.deep.equal(first);
    }
    return first;
  }

  it('is tested, and nothing else', () => {
    const methods = operations.map(({ method }) => method);
    expect(
      methods.filter((method) => trials[method] === undefined),
      'operations without a request in test/channels/requests.ts',
    ).to.deep.equal([]);
    expect(Object.keys(trials).toSorted()).to.deep.equal(methods.toSorted());
  });

  it('is offered', async () => {
    for (const { channel, instance } of sides) {
      const offered = await channel.offered(doorOf(instance, instance.fixture.operatorToken));
      expect(offered.toSorted(), channel.name).to.deep.equal(operations.map(channel.nameOf).toSorted());
    }
  });

  for (const [turn, row] of operations.entries()) {
    const trial = trials[row.method];
    if (trial === undefined) continue;

    it(`returns the same answer for ${row.method}`, async () => {
      fieldsWithTimes(await answered(row, trial), 'every channel');
    });

    const { refused } = trial;
    /** What the contract takes, whatever comes of it. */
    const whole = refused?.request ?? trial.request('agt_none');
    if (refused !== undefined && refusing.has(row)) {
      it(`returns the same refusal of ${row.method} if it must: ${refused.code}`, async () => {
        const outcome = expectAlike(await overAll(row, () => refused.request), row.method);
        expect(outcome).to.have.nested.property('refusal.code', refused.code);
        expect(outcome).to.have.nested.property('refusal.message').that.has.length.above(10);
      });
    }

    if (!odd.has(row)) continue;
    it(`refuses the same invalid requests of ${row.method}`, async () => {
      for (const { what, request } of invalidRequests(row, whole)) {
        const outcome = expectAlike(await overAll(row, () => request), `${row.method} with ${what}`);
        expect(outcome, what).to.have.nested.property('refusal.code', 'invalid_argument');
      }
    });

    it(`treats empty and absent fields of ${row.method} the same`, async () => {
      for (const { name, without, empty } of trial.endsCaller ? [] : someOf(emptyFields(row, whole), turn, 6)) {
        const left = expectAlike(await overAll(row, () => without), `${row.method} without ${name}`);
        for (const request of empty) {
          const what = `${row.method} with ${JSON.stringify(request)}`;
          const outcome = expectAlike(await overAll(row, () => request), what);
          expect(withoutNumbers(outcome), what).to.deep.equal(withoutNumbers(left));
        }
      }
      await settle(row);
    });

    it(`refuses ${row.method} to an unknown caller in the same way`, async () => {
      for (const token of someOf([undefined, 'mst_made-up'], Math.floor(turn / 6), 2)) {
        const refusals = sides.map(({ channel, instance }) => channel.call(doorOf(instance, token), row, whole));
        for (const outcome of await Promise.all(refusals)) {
          expect(outcome).to.have.nested.property('refusal.code', 'unauthenticated');
        }
      }
    });
  }

  it('has milliseconds on a full second in each time of schedules, firings and agents', async () => {
    const timed: string[] = [];
    for (const method of ['GetAgent', 'ResumeSchedule', 'CancelScheduleRun'] as const) {
      const trial = trials[method];
      if (trial === undefined) throw new Error(`${method} is not tried`);
      timed.push(...fieldsWithTimes(await answered(rowOf(method), trial), 'every channel'));
    }
    expect(timed).to.include.members(['nextRunAt', 'scheduledFor', 'finalizedAt', 'createdAt', 'stateChangedAt']);
  });
});
