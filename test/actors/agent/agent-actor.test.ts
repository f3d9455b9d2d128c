import { expect } from 'chai';
import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import type { Journal } from '#actors/loop.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { refusalWith } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { findProcess } from '#world/process/process-tree.ts';
import { runScript } from '#world/process/script.ts';
import { actorFixture, countingPerformer } from '../actor-fixture.ts';

const worktree = { repository: '/repo/.git', path: '/w', branch: 'muster/a-1', baseSha: 'f'.repeat(40), copied: [] };
const ready = () => countingPerformer('provisioning', async () => ({ type: 'WORKTREE_READY', worktree }));
const opened = () => countingPerformer('opening', async () => ({ type: 'WINDOW_OPENED', paneId: '%1' }));
const never = (step: 'provisioning' | 'opening' | 'briefing') =>
  countingPerformer(
    step,
    (signal) => new Promise((_, refuse) => signal.addEventListener('abort', () => refuse(signal.reason))),
  );
const briefed = () =>
  countingPerformer('briefing', async () => ({ type: 'BRIEFED', reading: { state: 'AGENT_STATE_IDLE', reason: '' } }));
const named = () => countingPerformer(undefined, async () => undefined);
const closed = () => countingPerformer('closing', async () => ({ type: 'PANE_CLOSED' }));

const inPhase = (actor: AgentActor, phase: string) =>
  moment(`the agent is in ${phase}`, () => viewOf(actor.record.snapshot).phase === phase);

describe('an agent’s actor', () => {
  let fixture: Awaited<ReturnType<typeof actorFixture>>;
  let actor: AgentActor;
  afterEach(async () => {
    await actor.stop();
    await fixture.close();
  });

  it('performs effects one at a time, once each, after their commit', async () => {
    const performers = { provisionWorktree: ready(), openWindow: opened(), deliverBriefing: never('briefing') };
    fixture = await actorFixture(performers);
    actor = await fixture.start();
    await inPhase(actor, 'settingUp.briefing.delivering');
    expect(performers.provisionWorktree.calls).to.equal(1);
    expect(performers.openWindow.calls).to.equal(1);
    const order = fixture.moments.map(({ name, about }) => `${name} ${about}`);
    expect(order.slice(0, 6)).to.deep.equal([
      'before-effect provisionWorktree',
      'after-effect provisionWorktree',
      'before-commit WORKTREE_READY',
      'after-commit WORKTREE_READY',
      'before-effect openWindow',
      'after-effect openWindow',
    ]);
  });

  it('performs background effects without waiting for them', async () => {
    const background = Object.assign(never('briefing'), { inBackground: true as const });
    const performers = {
      provisionWorktree: ready(),
      openWindow: opened(),
      deliverBriefing: briefed(),
      runOnIdle: background,
      renameWindow: named(),
    };
    fixture = await actorFixture(performers, ['onIdle']);
    actor = await fixture.start();
    await inPhase(actor, 'live.idle');
    await moment('the script is under way', () => background.calls === 1);
    actor.send({ type: 'RENAME', name: 'other' });
    await moment('the window is renamed all the same', () => performers.renameWindow.calls === 1);
    expect(actor.record.effects.map(({ kind }) => kind)).to.include('runOnIdle');
    actor.send({ type: 'PANE_GONE', reason: 'gone', briefed: true });
    await moment('what is no longer wanted to be called off', () => actor.record.effects.length === 0);
  });

  it('decides again after another commit won, and aborts an effect that is no longer requested', async () => {
    const performers = { provisionWorktree: never('provisioning'), inspectWorktree: never('opening') };
    fixture = await actorFixture(performers);
    actor = await fixture.start();
    const other = await fixture.start();
    other.send({ type: 'DELETE', force: false });
    await inPhase(other, 'cleaningUp.inspecting');
    actor.send({ type: 'CHECKOUT_READ', checkout: { branch: 'main' }, worktreeGone: false });
    await inPhase(actor, 'cleaningUp.inspecting');
    await moment(
      'the actor goes on with what is wanted',
      () =>
        fixture.moments.filter(({ name, about }) => name === 'before-effect' && about === 'inspectWorktree').length ===
        2,
    );
    await other.stop();
  });

  it('retries an unreachable registry until it answers, and acts on nothing before', async () => {
    let away = 3;
    const performers = { provisionWorktree: ready(), openWindow: never('opening') };
    fixture = await actorFixture(performers);
    const flaky: Journal = {
      load: fixture.journal.load,
      commit: async (change) => {
        away -= 1;
        if (away >= 0) throw refusalWith('unavailable', 'nobody answers');
        return fixture.journal.commit(change);
      },
    };
    actor = await fixture.start(flaky);
    await inPhase(actor, 'settingUp.opening');
    expect(performers.provisionWorktree.calls).to.equal(1);
    expect(away).to.equal(-1);
  });

  it('stops when the agent was placed again: its write is refused and no effect runs', async () => {
    const performers = { provisionWorktree: ready(), openWindow: opened() };
    fixture = await actorFixture(performers);
    const stale: Journal = {
      load: fixture.journal.load,
      commit: (change) => fixture.journal.commit({ ...change, epoch: change.epoch + 1 }),
    };
    actor = await fixture.start(stale);
    await moment('the commit was tried', () => fixture.moments.some(({ name }) => name === 'before-commit'));
    await actor.stop();
    expect(viewOf((await fixture.journal.load('agt_a')).snapshot).phase).to.equal('settingUp.provisioning');
    expect(performers.openWindow.calls).to.equal(0);
  });

  it('fails a step at once on a refusal, with the reason on the row', async () => {
    const refused = countingPerformer('provisioning', async () => {
      throw refusalWith('failed_precondition', 'no such repository');
    });
    fixture = await actorFixture({ provisionWorktree: refused });
    actor = await fixture.start();
    await inPhase(actor, 'failedToCreate');
    expect(refused.calls).to.equal(1);
    expect(viewOf(actor.record.snapshot).stateReason).to.equal('provisioning: no such repository');
  });

  it('retries an unexpected error three times, then gives up with the pane’s last lines', async () => {
    const broken = countingPerformer('provisioning', async () => {
      throw new Error('boom');
    });
    fixture = await actorFixture({ provisionWorktree: broken });
    actor = await fixture.start();
    await inPhase(actor, 'failedToCreate');
    expect(broken.calls).to.equal(4);
    expect(viewOf(actor.record.snapshot).stateReason).to.match(/boom; its screen shows:\nlast words/);
  });

  it('continues from the record alone after an interruption', async () => {
    const first = { provisionWorktree: ready(), openWindow: never('opening') };
    fixture = await actorFixture(first);
    actor = await fixture.start();
    await inPhase(actor, 'settingUp.opening');
    await actor.stop();
    actor = await fixture.start();
    await moment('the pending effect is performed again', () => first.openWindow.calls === 2);
    expect(first.provisionWorktree.calls).to.equal(1);
  });

  it('leaves an unknown effect to a newer host', async () => {
    fixture = await actorFixture({ provisionWorktree: ready() });
    actor = await fixture.start();
    await inPhase(actor, 'settingUp.opening');
    expect(actor.record.effects.map(({ kind }) => kind)).to.deep.equal(['openWindow']);
  });

  it('archives an agent whose briefing only the pane proves, and records the briefing', async () => {
    const news = countingPerformer('closing', async () => ({
      type: 'BRIEFED',
      reading: { state: 'AGENT_STATE_UNCERTAIN', reason: '' },
    }));
    const closing = closed();
    const performers = { provisionWorktree: ready(), openWindow: opened(), deliverBriefing: never('briefing') };
    let asked = 0;
    const closePane = countingPerformer('closing', (signal) => {
      asked += 1;
      const now = asked === 1 ? news : closing;
      return now.perform({ signal } as Parameters<typeof now.perform>[0]);
    });
    fixture = await actorFixture({ ...performers, closePane });
    actor = await fixture.start();
    await inPhase(actor, 'settingUp.briefing.delivering');
    actor.send({ type: 'ARCHIVE' });
    await inPhase(actor, 'archived');
    expect(actor.context.briefed).to.equal(true);
    expect(closePane.calls).to.equal(2);
  });

  it('ends all provisioning at once when the agent is deleted', async () => {
    let pid = 0;
    const slow = countingPerformer('provisioning', async () => {
      const onOutput = (text: string): void => {
        pid = Number(text);
      };
      const env = { PATH: process.env['PATH'] ?? '' };
      await runScript({ command: 'echo $$; sleep 60; true', cwd: '/', env, timeoutMs: 60_000, onOutput });
      return undefined;
    });
    fixture = await actorFixture({
      provisionWorktree: slow,
      inspectWorktree: countingPerformer('inspecting', async () => ({ type: 'WORKTREE_INSPECTED' })),
      closePane: closed(),
      removeWorktree: countingPerformer('removing', async () => ({ type: 'WORKTREE_REMOVED' })),
    });
    actor = await fixture.start();
    await moment('the script hangs', () => pid > 0);
    actor.send({ type: 'DELETE', force: false });
    await inPhase(actor, 'gone');
    expect(await findProcess(pid)).to.equal(undefined);
  });
});
