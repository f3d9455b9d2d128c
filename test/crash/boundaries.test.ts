import { expect } from 'chai';
import { type Fleet, settled, startFleet } from './fleet.ts';

const around = (effect: string, result: string): string[] => [
  `before-effect ${effect}`,
  `after-effect ${effect}`,
  `before-commit ${result}`,
  `after-commit ${result}`,
];

/** Every moment of a launch at which a host can die, in the order in which they come. */
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

  it('ends live with one window, one worktree and one briefing, then archived, restored and gone', async () => {
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
    expect(await settled(fleet, agentId)).to.equal('gone');
    await fleet.checkAll();
  });
});
