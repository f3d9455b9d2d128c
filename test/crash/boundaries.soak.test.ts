import { expect } from 'chai';
import type { RunLog } from '#contract/run-log.ts';
import { moment } from '#test/support/moment.ts';
import { isSoak } from '#test/support/soak.ts';
import { type Fleet, settled, startFleet } from './fleet.ts';

/** Every moment around an effect. The suite uses the one at which it has acted. */
const around = (effect: string, result: string): string[] =>
  isSoak
    ? [`before-effect ${effect}`, `after-effect ${effect}`, `before-commit ${result}`, `after-commit ${result}`]
    : [`after-effect ${effect}`];

/** Moments of a launch at which a host can die, in the order in which they come. */
const launch = [
  ...around('provisionWorktree', 'WORKTREE_READY'),
  ...around('runSetup', 'SETUP_DONE'),
  ...around('openWindow', 'WINDOW_OPENED'),
  ...around('deliverBriefing', 'BRIEFED'),
];
const archive = around('closePane', 'PANE_CLOSED');
const restore = around('openWindow', 'WINDOW_OPENED');
const remove = [
  ...around('inspectWorktree', 'WORKTREE_INSPECTED'),
  ...around('closePane', 'PANE_CLOSED'),
  ...around('runTeardown', 'TEARDOWN_DONE'),
  ...around('removeWorktree', 'WORKTREE_REMOVED'),
];

describe('a host that is killed at every boundary of an effect', function () {
  this.timeout(300_000);
  let fleet: Fleet;
  before(async () => {
    fleet = await startFleet();
  });
  after(() => fleet.stop());

  /** Kills the host at each moment in turn while `begin` takes its course. */
  async function dieThrough(traps: readonly string[], begin: () => Promise<unknown>): Promise<void> {
    const [first = '', ...rest] = traps;
    fleet.trap(first);
    await begin();
    for (const next of [...rest, undefined]) {
      await fleet.ended('host');
      if (next !== undefined) fleet.trap(next);
      await fleet.start('host');
    }
  }

  it('ends live with one window, one worktree and one briefing, then archived, restored and deleted', async () => {
    let agentId = '';
    await dieThrough(launch, async () => {
      agentId = await fleet.launch('boundaries');
    });
    expect(await settled(fleet, agentId)).to.include({ alive: true });
    expect(fleet.briefings('boundaries')).to.equal(1);
    await fleet.checkAll();

    await dieThrough(archive, () => fleet.call('agent.v1.AgentService/ArchiveAgent', { agentId }));
    await dieThrough(restore, () => fleet.call('agent.v1.AgentService/RestoreAgent', { agentId }));
    expect(await settled(fleet, agentId)).to.include({ alive: true });
    expect(fleet.briefings('boundaries')).to.equal(1);
    await fleet.checkAll();

    await dieThrough(remove, () => fleet.call('agent.v1.AgentService/DeleteAgent', { agentId }));
    await moment('it is gone', async () => (await fleet.agent(agentId)) === undefined);
    await fleet.checkAll();
  });

  it('runs the script of a resting agent once, and stops a held one', async () => {
    const { workflow } = await fleet.call<{ workflow: { id: string } }>('workflow.v1.WorkflowService/CreateWorkflow', {
      name: 'resting',
      cwd: fleet.repository,
      harness: 'shell',
      provisionEnabled: false,
      scripts: { onIdle: 'echo rested' },
    });
    const { agent } = await fleet.call<{ agent: { id: string } }>('agent.v1.AgentService/CreateAgent', {
      prompt: 'sleep 600',
      title: 'resting',
      workflowId: workflow.id,
    });
    const { id: agentId } = agent;
    const state = async () => (await fleet.agent(agentId))?.state;
    await moment('it is at work', async () => (await state()) === 'AGENT_STATE_THINKING');
    await dieThrough(around('stopTurn', 'done'), () => fleet.call('agent.v1.AgentService/HoldAgent', { agentId }));
    await moment('its turn is ended', async () => (await state()) === 'AGENT_STATE_IDLE');
    await fleet.call('agent.v1.AgentService/UnholdAgent', { agentId });
    await dieThrough(around('runOnIdle', 'done'), () =>
      fleet.call('agent.v1.AgentService/PromptAgent', { agentId, prompt: 'sleep 2' }),
    );
    const runs = () => fleet.call<{ runs?: RunLog[] }>('host.v1.HostService/ListRunLogs', { agentId });
    await moment('the run is over', async () => (await runs()).runs?.[0]?.state === 'RUN_STATE_SUCCEEDED');
    expect((await runs()).runs).to.have.length(1);
    await fleet.call('agent.v1.AgentService/DeleteAgent', { agentId, force: true });
    await moment('it is gone', async () => (await fleet.agent(agentId)) === undefined);
    await fleet.checkAll();
  });
});
