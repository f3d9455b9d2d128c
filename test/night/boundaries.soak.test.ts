import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import { moment } from '#test/support/moment.ts';
import { type NightStage, openNight } from './night-stage.ts';

const [minute, hour] = [60_000, 3_600_000];
/** The moments around an effect at which the host can die. */
const around = (effect: string): string[] => [
  `before-effect ${effect}`,
  `after-effect ${effect}`,
  'before-commit RESUMED',
  'after-commit RESUMED',
];
const isParked = ({ park }: Agent): boolean => park !== undefined;

describe('a host that is killed while agents continue after a limit', function () {
  this.timeout(600_000);
  let stage: NightStage;
  before(async () => {
    stage = await openNight(fileURLToPath(new URL('../crash/host-process.ts', import.meta.url)));
  });
  after(() => stage.close());

  const screenOf = async (agentId: string) =>
    (await stage.pieces.call<{ screen: { text: string } }>('agent.v1.AgentService/ReadPane', { agentId })).screen.text;
  /** Lets time pass until the host dies at a moment, and starts it again. */
  const dieAt = async (trap: string, milliseconds: number): Promise<void> => {
    writeFileSync(join(stage.pieces.home, 'trap'), trap);
    stage.shift(milliseconds);
    await stage.pieces.ended('host');
    await stage.pieces.start('host');
  };

  for (const [at, trap] of around('resumeWork').entries())
    it(`types the prompt to continue once: ${trap}`, async () => {
      const flow = await stage.workflow({
        name: `flow ${at}`,
        harness: 'claude',
        onUsageLimit: 'ON_USAGE_LIMIT_RESUME',
      });
      const end = Math.ceil((stage.shift(0) + 2 * hour) / minute) * minute;
      const id = await stage.launch(flow, `limited-${at}`, `steps: limit=${end}`);
      await stage.until([`limited-${at}`], 'it is parked', isParked);
      await dieAt(trap, 2 * hour + 5 * minute);
      await stage.until([`limited-${at}`], 'it has continued', (agent) => agent.turns === 1 && !isParked(agent));
      expect(await screenOf(id)).to.include('● continued 1');
    });

  it('reads a screen again whose limit has no known end, and types nothing', async () => {
    const flow = await stage.workflow({ name: 'endless', harness: 'codex', onUsageLimit: 'ON_USAGE_LIMIT_RESUME' });
    const id = await stage.launch(flow, 'endless', 'steps: limit');
    await stage.until(['endless'], 'it is parked', isParked);
    for (const [looks, trap] of around('lookAgain').entries()) {
      const { park } = await stage.agent(id);
      expect(park).to.include({ endUnknown: true });
      await dieAt(trap, 30 * minute * 2 ** looks + minute);
      await moment('it is parked for longer', async () => (await stage.agent(id)).park?.until !== park?.until);
    }
    expect(await screenOf(id)).to.not.include('continued');
  });
});
