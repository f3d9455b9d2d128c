import { expect } from 'chai';
import type { Chart } from '#contract/machine/chart.ts';
import type { Transition } from '#contract/machine/transition.ts';
import { machineNames } from '#machines/chart/definitions.ts';
import { failureOf } from '#test/support/failure.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

interface Explained {
  readonly state: string;
  readonly name: string;
  readonly context: string;
  readonly transition?: Transition;
  readonly changes: readonly { readonly path: string; readonly before: string; readonly after: string }[];
  readonly next: readonly {
    readonly event: string;
    readonly sample: string;
    readonly accepted?: boolean;
    readonly to?: string;
    readonly effects?: readonly string[];
    readonly refusedBy?: readonly string[];
    readonly changes: readonly { readonly path: string }[];
  }[];
}

describe('machine instances', () => {
  let fixture: RegistryFixture;
  beforeEach(async () => {
    fixture = await registryFixture();
  });
  afterEach(() => fixture.close());
  /** An agent without a worktree, which is about to get its window. */
  const launch = async () => {
    const { id: workflowId } = await fixture.workflow({ provisionEnabled: false });
    return (await fixture.create({ workflowId, harness: 'shell' })).id;
  };
  const moves = async (machine: string, subjectId = '') =>
    (await fixture.call<{ transitions: Transition[] }>('ListTransitions', { machine, subjectId, pageSize: 200 }))
      .transitions;
  const explain = (machine: string, subjectId: string, seq?: string) =>
    fixture.call<Explained>('ExplainMachine', { machine, subjectId, ...(seq === undefined ? {} : { seq }) });
  const story = (found: readonly Transition[]) => found.map(({ event, from, to }) => `${event}: ${from} → ${to}`);

  it('are recorded by transition, with event, effects and facts', async () => {
    const id = await launch();
    await fixture.host.tell(id, { type: 'WINDOW_OPENED', paneId: '%1' });
    await fixture.host.tell(id, { type: 'CHECKOUT_READ', checkout: {}, worktreeGone: false });
    const found = await moves('agent', id);
    expect(story(found.toReversed()).slice(0, 2)).to.deep.equal([
      ':  → settingUp.opening',
      'WINDOW_OPENED: settingUp.opening → settingUp.briefing.delivering',
    ]);
    expect(found.at(-1)?.effects).to.deep.equal(['openWindow']);
    expect(found.at(-1)?.facts).to.deep.equal(['agent.created']);
    const opened = found.find(({ event }) => event === 'WINDOW_OPENED');
    expect(JSON.parse(opened?.eventDetail ?? '')).to.deep.equal({ paneId: '%1' });
    expect(opened?.effects).to.deep.equal(['deliverBriefing']);
    expect(opened?.facts).to.include('agent.phase-moved');
  });

  it('are shown after any transition, with the possible events at that time', async () => {
    const id = await launch();
    await fixture.host.tell(id, { type: 'WINDOW_OPENED', paneId: '%1' });
    const [now, first] = await moves('agent', id);
    const then = await explain('agent', id, first?.seq);
    expect([then.state, then.transition?.seq]).to.deep.equal(['settingUp.opening', first?.seq]);
    const opened = then.next.find(({ event }) => event === 'WINDOW_OPENED');
    expect(opened).to.include({ accepted: true, to: 'settingUp.briefing.delivering' });
    expect(opened?.effects).to.deep.equal(['deliverBriefing']);
    const late = then.next.find(({ event }) => event === 'DEADLINE');
    expect(JSON.parse(late?.sample ?? '')).to.deep.equal({ type: 'DEADLINE', name: 'settingUp.opening' });
    expect(late).to.include({ accepted: true, to: 'failedToCreate' });
    expect(late?.changes.map(({ path }) => path)).to.include('failedStep');
    const present = await explain('agent', id);
    expect(present.changes).to.deep.include({ path: 'paneId', before: '', after: '"%1"' });
    expect(then.changes, 'nothing came before').to.deep.equal([]);
    expect([present.state, present.transition?.seq]).to.deep.equal(['settingUp.briefing.delivering', now?.seq]);
    expect(present.next.map(({ event }) => event))
      .to.include('BRIEFED')
      .and.not.to.include('WINDOW_OPENED');
    const { agent } = await fixture.call<{ agent: { agent: { state: string } } }>('GetAgent', { agentId: id });
    expect(agent.agent.state, 'nothing happened').to.equal('AGENT_STATE_SETTING_UP');
  });

  it('show which guards refuse an event', async () => {
    const id = await launch();
    await fixture.host.tell(id, { type: 'WINDOW_OPENED', paneId: '%1' });
    const reading = { state: 'AGENT_STATE_IDLE', reason: '' } as const;
    await fixture.host.tell(id, { type: 'BRIEFED', reading });
    const { state, next } = await explain('agent', id);
    expect(state).to.equal('live.idle');
    expect(next.find(({ event }) => event === 'UNHOLD')).to.deep.include({
      accepted: false,
      refusedBy: ['isHeldAndMoves', 'isHeld'],
    });
    const readings = next.filter(({ event }) => event === 'READING').map(({ to }) => to);
    expect(readings).to.deep.equal(['live.idle', 'live.thinking', 'live.waiting', 'live.uncertain']);
  });

  it('of the registry are recorded too, except beats without a transition', async () => {
    await fixture.host.beat();
    await fixture.host.beat();
    expect(story(await moves('host'))).to.deep.equal([':  → online']);
    await fixture.call('DrainHost', { hostId: 'hst_1' });
    expect(story(await moves('host', 'hst_1'))[0]).to.equal('DRAIN: online → online');
    const workflow = await fixture.workflow();
    const given = { name: 'nightly', cron: '0 3 * * *', prompt: 'Look', workflowId: workflow.id, paused: true };
    const { schedule } = await fixture.call<{ schedule: { id: string } }>('CreateSchedule', given);
    await fixture.call('ResumeSchedule', { scheduleId: schedule.id });
    expect(story(await moves('schedule', schedule.id))[0]).to.match(/^RESUME: \w+ → \w+$/);
    const paused = await explain('schedule', schedule.id);
    expect([paused.name, paused.next.map(({ event }) => event).includes('PAUSE')]).to.deep.equal(['nightly', true]);
  });

  it('are followed from a cursor on, without gaps', async () => {
    const watch = (cursor: string) =>
      fixture.call<{ transitions: Transition[]; cursor: string }>('WatchTransitions', { machine: 'agent', cursor });
    const { cursor: start } = await fixture.call<{ cursor: string }>('WatchTransitions', { machine: 'agent' });
    const id = await launch();
    const opening = await watch(start);
    expect(opening.transitions.map(({ subjectId }) => subjectId)).to.deep.equal([id]);
    await fixture.host.tell(id, { type: 'WINDOW_OPENED', paneId: '%1' });
    expect(story((await watch(opening.cursor)).transitions)).to.deep.equal([
      'WINDOW_OPENED: settingUp.opening → settingUp.briefing.delivering',
    ]);
    expect(await failureOf(() => watch('9'.repeat(18)))).to.have.property('code', 'invalid_argument');
  });

  it('are counted by state in one query, and keep their last 200 transitions', async () => {
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.push(await launch());
    await fixture.host.tell(ids[0] ?? '', { type: 'WINDOW_OPENED', paneId: '%1' });
    const survey = await fixture.call<{ counts: object[]; subjects: { id: string }[] }>('SurveyMachine', {
      name: 'agent',
    });
    expect(survey.counts).to.have.deep.members([
      { state: 'settingUp.opening', count: 2 },
      { state: 'settingUp.briefing.delivering', count: 1 },
    ]);
    expect(survey.subjects.map(({ id }) => id)).to.have.members(ids);
    const given = { machine: 'agent', subject: 'agt_x', event: { type: 'READING' }, from: 'a', effects: [], facts: [] };
    for (let count = 0; count < 230; count += 1) {
      await fixture.store.write(({ transitions }) =>
        transitions.append([{ ...given, to: `s${count}`, snapshot: { value: 'a', context: {} } }]),
      );
    }
    const kept = await moves('agent', 'agt_x');
    expect([kept.length, kept[0]?.to, kept.at(-1)?.to]).to.deep.equal([200, 's229', 's30']);
    expect(await moves('agent', ids[0])).to.have.length(2);
  });

  it('are found by words of name, id and state, and by state, in pages, with display names', async () => {
    interface Found {
      readonly lives: readonly { readonly id: string; readonly name: string; readonly state: string }[];
      readonly nextPageToken?: string;
      readonly total?: number;
    }
    const find = (request: object) => fixture.call<Found>('ListLives', { machine: 'agent', ...request });
    const { id: workflowId } = await fixture.workflow({ provisionEnabled: false });
    const ids = new Map<string, string>();
    for (const title of ['login-expiry', 'login-page', 'search', 'half_done', 'halfXdone']) {
      ids.set(title, (await fixture.create({ workflowId, harness: 'shell', title })).id);
    }
    await fixture.host.tell(ids.get('login-page') ?? '', { type: 'WINDOW_OPENED', paneId: '%1' });
    const names = async (request: object) => (await find(request)).lives.map(({ name }) => name).sort();
    expect(await names({ words: 'LOGIN' })).to.deep.equal(['login-expiry', 'login-page']);
    expect(await names({ words: 'login opening' })).to.deep.equal(['login-expiry']);
    expect(await names({ words: 'half_' }), 'no pattern').to.deep.equal(['half_done']);
    expect(await names({ words: ids.get('search') })).to.deep.equal(['search']);
    expect(await names({ state: 'settingUp.briefing' })).to.deep.equal(['login-page']);
    expect(await names({ state: 'settingUp' })).to.have.length(5);
    expect(await names({ state: 'settingUp.open' }), 'a state, not its beginning').to.deep.equal([]);
    const seen: string[] = [];
    let page = await find({ pagination: { pageSize: 2 } });
    expect(page.total).to.equal(5);
    for (;;) {
      seen.push(...page.lives.map(({ name }) => name));
      if (page.nextPageToken === undefined) break;
      page = await find({ pagination: { pageSize: 2, cursor: page.nextPageToken } });
    }
    expect(seen.toSorted()).to.deep.equal([...ids.keys()].sort());
    const cursor = (await find({ pagination: { pageSize: 2 } })).nextPageToken;
    expect(await failureOf(() => find({ words: 'x', pagination: { cursor } }))).to.have.property(
      'code',
      'invalid_argument',
    );

    const given = { name: 'nightly', cron: '0 3 * * *', prompt: 'Look', workflowId };
    const { schedule } = await fixture.call<{ schedule: { id: string } }>('CreateSchedule', given);
    await fixture.call('FireSchedule', { scheduleId: schedule.id });
    await fixture.call('FireSchedule', { scheduleId: schedule.id });
    const firings = await find({ machine: 'firing', words: 'nightly', pagination: { pageSize: 1 } });
    expect(firings.lives[0]?.name).to.match(/^nightly [2-9]$/);
    expect(firings.total).to.equal(2);
    const last = firings.lives[0]?.id ?? '';
    expect(story(await moves('firing', last)).at(-1), 'how it began').to.match(/^: {2}→ available$/);
    expect((await explain('firing', last, (await moves('firing', last)).at(-1)?.seq)).state).to.equal('available');
    const older = await find({
      machine: 'firing',
      words: 'nightly',
      pagination: { pageSize: 1, cursor: firings.nextPageToken },
    });
    expect(older.lives.map(({ name }) => name)).to.deep.equal(['nightly 1']);
    await fixture.call('SendMail', { agentId: ids.get('search'), body: 'Look' });
    expect((await find({ machine: 'doorbell', words: 'search' })).lives.map(({ name }) => name)).to.deep.equal([
      'search',
    ]);
    for (const machine of machineNames) await find({ machine, words: 'none', state: 'none' });
  });

  for (const name of machineNames) {
    it(`of ${name} have a chart without overlaps`, async () => {
      const { chart } = await fixture.call<{ chart: Chart }>('GetMachineChart', { name });
      const nodes = chart.nodes ?? [];
      expect(nodes).not.to.be.empty;
      const box = ({ x = 0, y = 0, width = 0, height = 0 }) => ({
        left: x,
        top: y,
        right: x + width,
        bottom: y + height,
      });
      for (const node of nodes) {
        const at = box(node);
        const around = nodes.find(({ id }) => id === node.parent);
        const outer = around ? box(around) : { left: 0, top: 0, right: chart.width ?? 0, bottom: chart.height ?? 0 };
        expect(
          at.left >= outer.left && at.right <= outer.right && at.top >= outer.top && at.bottom <= outer.bottom,
          node.id,
        ).to.be.true;
        for (const other of nodes.filter(
          ({ id, parent }) => id !== node.id && (parent ?? '') === (node.parent ?? ''),
        )) {
          const b = box(other);
          const apart = at.right <= b.left || b.right <= at.left || at.bottom <= b.top || b.bottom <= at.top;
          expect(apart, `${node.id} and ${other.id}`).to.be.true;
        }
      }
      for (const { id, points = [] } of chart.edges ?? []) expect(points.length, id).to.be.above(1);
    });
  }
});
