import { expect } from 'chai';
import { accountOf } from '#actors/registry/limit/account.ts';
import { limitOfAll } from '#actors/registry/limit/launch-limit.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import { isLastLook, lookAfterMs } from '#machines/agent/parking/limit-end.ts';
import { failureOf } from '#test/support/failure.ts';
import { atLimit, day, hour, idle, type LimitStage, limitStage, refused, resumed, thinking } from './limit-stage.ts';

describe('limits of accounts at their edges', () => {
  let stage: LimitStage;
  beforeEach(async () => {
    stage = await limitStage();
  });
  afterEach(() => stage.fixture.close());

  const now = () => stage.fixture.clock.now();
  const iso = (at: number) => new Date(at).toISOString();

  it('an end that has passed parks no other agent, and is no news', async () => {
    const [first, other] = [await stage.launched(), await stage.launched()];
    await stage.tell(first, thinking, atLimit(now() - hour));
    expect(await stage.parkOf(other)).to.equal(undefined);
    expect(await stage.facts(stage.fixture.host.id)).to.deep.equal([]);
  });

  it('what a person has set stays, for one who is parked, and where limits are left to a person', async () => {
    const { id: flow } = await stage.fixture.workflow({ harness: 'claude', provisionEnabled: false });
    await stage.policy('ON_USAGE_LIMIT_STAY', flow);
    const [first, own, stays] = [await stage.launched(), await stage.launched(), await stage.launched(flow)];
    await stage.fixture.call('ParkAgent', { agentId: own, until: iso(now() + 9 * hour) });
    await stage.tell(first, thinking, atLimit(now() + hour));
    expect(await stage.parkOf(own)).to.deep.include({ reason: 'PARK_REASON_PERSON', until: iso(now() + 9 * hour) });
    expect(await stage.parkOf(stays)).to.equal(undefined);
    await stage.tell(first, refused);
    expect(await stage.parkOf(stays), 'a credential is refused to all').to.deep.include({
      reason: 'PARK_REASON_CREDENTIAL',
    });
  });

  it('a turn from before the limit does not end it, and one after its end is no news', async () => {
    const [works, first] = [await stage.launched(), await stage.launched()];
    await stage.tell(works, thinking);
    await stage.pass(1_000);
    await stage.tell(first, thinking, atLimit(now() + hour));
    await stage.pass(1_000);
    await stage.tell(works, idle);
    expect(await stage.parkOf(first)).to.deep.include({ reason: 'PARK_REASON_USAGE_LIMIT' });
    await stage.pass(hour + 60_000);
    await stage.tell(works, thinking);
    await stage.pass(1_000);
    await stage.tell(works, idle);
    expect(await stage.facts(stage.fixture.host.id)).to.deep.equal(['account.limited']);
  });

  it('a later end on the screen counts at once, and agents are read one after another', async () => {
    const ids = [await stage.launched(), await stage.launched(), await stage.launched()];
    const [first = ''] = ids;
    await stage.tell(first, thinking, atLimit(now() + hour));
    await stage.tell(first, atLimit(now() + 5 * hour, 'usage-limit, 8pm'));
    const parks = await stage.fixture.store.read(({ agents }) => Promise.all(ids.map((id) => agents.find(id))));
    const dues = parks.map((agent) => (agent ? (readAgentContext(agent.snapshot).park?.due ?? 0) - now() : 0));
    expect(dues.toSorted((a, b) => a - b)).to.deep.equal([0, 2_000, 4_000].map((ms) => 5 * hour + 30_000 + ms));
  });

  it('a screen that says nothing about it does not end it, and a held agent asks for nobody', async () => {
    const [asks, held] = [await stage.launched(), await stage.launched()];
    for (const id of [asks, held]) await stage.tell(id, thinking, atLimit(now() + hour));
    await stage.tell(asks, { type: 'READING', reading: { state: 'AGENT_STATE_UNCERTAIN', reason: 'a draft' } });
    await stage.fixture.call('HoldAgent', { agentId: held });
    expect(await failureOf(() => stage.fixture.call('ParkAgent', { agentId: held }))).to.include({
      reason: 'AGENT_HELD',
    });
    await stage.pass(hour + 60_000);
    for (const id of [asks, held])
      await stage.until('it is not parked', async () => (await stage.parkOf(id)) === undefined);
    expect((await stage.facts(asks)).at(-1)).to.equal('agent.waits');
    expect((await stage.agent(held)).stateReason).not.to.contain('should be over');
    await stage.fixture.call('UnholdAgent', { agentId: held });
    expect(await stage.facts(held)).not.to.include('agent.waits');
  });

  it('an agent that was left alone is parked again by the next limit', async () => {
    await stage.policy('ON_USAGE_LIMIT_RESUME');
    const id = await stage.launched();
    const end = now() + hour;
    await stage.tell(id, thinking, atLimit(end));
    await stage.pass(hour + 60_000);
    await stage.until('it is asked to continue', async () => (await stage.effects(id)).includes('resumeWork'));
    await stage.tell(id, resumed('left'));
    expect(await stage.parkOf(id)).to.equal(undefined);
    await stage.tell(id, atLimit(now() + 60_000, 'usage-limit, 3:02pm'));
    expect(await stage.parkOf(id)).to.deep.include({ resume: true });
  });

  it('an end that a person sets is not moved by what the screen still shows', async () => {
    const id = await stage.launched();
    await stage.tell(id, thinking, atLimit(undefined, 'usage-limit'));
    const end = now() + 5 * hour;
    await stage.fixture.call('ParkAgent', { agentId: id, until: iso(end) });
    await stage.tell(id, resumed('looked'));
    expect(await stage.parkOf(id)).to.deep.include({ until: iso(end) });
  });
});

describe('accounts', () => {
  const tables = {
    profiles: { find: async (id: string) => ({ id, name: id, account: 'work' }) },
    hosts: { find: async (id: string) => ({ id, name: id }) },
  } as unknown as Parameters<typeof accountOf>[0];
  const keyOf = async (host: string, harness: string, profileId?: string) =>
    (await accountOf(tables, { host, harness, profileId })).key;

  it('are others on each host and of each harness, with a profile and without', async () => {
    const keys = [];
    for (const profile of [undefined, 'pro_1']) {
      for (const host of ['hst_1', 'hst_2'])
        for (const harness of ['claude', 'codex']) keys.push(await keyOf(host, harness, profile));
    }
    expect(new Set(keys).size).to.equal(8);
  });

  it('keep a launch waiting only if they are limited on every host that it may go to', async () => {
    const limited = new Set([await keyOf('hst_1', 'claude')]);
    const accountLimits = {
      currentOf: async (keys: readonly string[]) =>
        keys.filter((key) => limited.has(key)).map((key) => ({ key, kind: 'usage', account: 'claude', due: null })),
    };
    const waits = (hosts: readonly string[]) =>
      limitOfAll(
        { ...tables, accountLimits } as unknown as Parameters<typeof limitOfAll>[0],
        { harness: 'claude', profileId: null },
        hosts.map((id) => ({ id, harnesses: ['claude'] })),
      );
    expect(await waits(['hst_1'])).to.equal('waits: the account claude is at its usage limit');
    expect(await waits(['hst_1', 'hst_2'])).to.equal('');
    limited.add(await keyOf('hst_2', 'claude'));
    expect(await waits(['hst_1', 'hst_2'])).to.contain('usage limit');
  });
});

describe('looks at a limit without an end', () => {
  it('become rarer up to one a day, and end after about eight days', () => {
    const looks = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    expect(looks.map(lookAfterMs).slice(0, 7)).to.deep.equal([0.5, 1, 2, 4, 8, 16, 24].map((hours) => hours * hour));
    expect(looks.filter(isLastLook)).to.deep.equal([11]);
    const all = looks.reduce((sum, look) => sum + lookAfterMs(look), 0);
    expect(all / day).to.be.within(7, 9);
  });
});
