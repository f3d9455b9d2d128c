import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { randomFrom } from '#test/support/random.ts';
import { timesOf } from '#test/support/soak.ts';
import { type Fleet, settled, startFleet } from './fleet.ts';

/** How many processes are killed; the same seed kills in the same order. */
const kills = timesOf('MUSTER_TEST_KILLS', 9, 300);
const seed = Number(process.env['MUSTER_TEST_SEED'] ?? 20_261_121);
const maxAgents = kills >= 100 ? 40 : 8;

describe(`a fleet whose processes are killed ${kills} times at random moments (seed ${seed})`, function () {
  this.timeout(900_000);
  let fleet: Fleet;
  before(async () => {
    fleet = await startFleet();
  });
  after(() => fleet.stop());

  const random = randomFrom(seed);
  const tally = { host: 0, registry: 0, gateway: 0, bus: 0 };
  const agents = new Map<string, string>();
  let isOver = false;

  async function killOne(): Promise<void> {
    // Faults come at random moments: this pause is the fault's own time, not a wait for something.
    await pause(30 + random() * 300);
    const dice = random();
    const victim = dice < 0.55 ? 'host' : dice < 0.8 ? 'registry' : dice < 0.9 ? 'gateway' : 'bus';
    tally[victim] += 1;
    if (victim === 'bus') return fleet.replaceBus();
    await fleet.kill(victim);
    await fleet.start(victim);
  }

  /**
   * What a call gives, asked again while kills continue: whose processes are killed one after the other owes no answer
   * within any time, as if the machine is busy and a start takes long. Once they are over it is to come within the time
   * of one call.
   */
  async function answered<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      const isLast = isOver;
      try {
        return await call();
      } catch (error) {
        if (isLast || !String(error).includes('this did not come within')) throw error;
      }
    }
  }

  /** Launches agents, and archives, restores and deletes some of them, whatever is killed meanwhile. */
  async function driveOne(place: number): Promise<void> {
    const key = `random-${place}`;
    const agentId = await answered(() => fleet.launch(key));
    agents.set(key, agentId);
    const wishes = [['ArchiveAgent', 'RestoreAgent'], ['DeleteAgent'], ['ArchiveAgent', 'DeleteAgent'], []];
    for (const method of wishes[Math.floor(random() * wishes.length)] ?? []) {
      await pause(random() * 3_000);
      await answered(() => asked(method, agentId));
    }
  }

  /** An operation that may be refused, because the state at that moment may not allow it. */
  async function asked(method: string, agentId: string): Promise<void> {
    await fleet.call(`agent.v1.AgentService/${method}`, { agentId }).catch((error: Error) => {
      if (!/answered (400|404)/.test(error.message)) throw error;
    });
  }

  /** Whether an agent has settled: it is live, archived or deleted. */
  async function isWell(agentId: string): Promise<boolean> {
    const agent = await fleet.agent(agentId);
    return (
      agent === undefined ||
      (!agent.state?.startsWith('AGENT_STATE_FAILED') && Boolean(agent.alive || agent.archivedAt))
    );
  }

  async function drive(): Promise<void> {
    for (let place = 0; place < maxAgents && !isOver; place += 4) {
      await Promise.all([0, 1, 2, 3].map((offset) => driveOne(place + offset)));
    }
  }

  it('loses no agent, and doubles no window, no worktree and no briefing', async () => {
    const killing = async (): Promise<void> => {
      for (let done = 0; done < kills; done += 1) await killOne();
      isOver = true;
    };
    await Promise.all([drive(), killing()]);
    const failed: string[] = [];
    for (const agentId of agents.values()) {
      const agent = await settled(fleet, agentId);
      if (agent === 'gone' || !agent.state?.startsWith('AGENT_STATE_FAILED')) continue;
      failed.push(`${agent.state} ${agent.stateReason}`);
      await fleet.call('agent.v1.AgentService/RetryAgent', { agentId });
      await moment(`retry mends ${agent.stateReason}`, () => isWell(agentId));
    }
    await fleet.checkAll();
    for (const [key, agentId] of agents) {
      const agent = await fleet.agent(agentId);
      if (agent?.alive) expect(fleet.briefings(key), `${key} is live`).to.equal(1);
    }
    console.log(
      `      killed ${JSON.stringify(tally)} over ${agents.size} agents; retried: ${failed.join(' | ') || 'none'}`,
    );
  });
});
