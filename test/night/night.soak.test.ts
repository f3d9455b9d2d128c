import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import { runInside } from '#test/cli/command-line.ts';
import { type NightStage, openNight } from './night-stage.ts';

const [minute, hour] = [60_000, 3_600_000];
/** The ends of the two limits: full minutes, as the screens show them. */
const inHours = (hours: number): number => Math.ceil((Date.now() + hours * hour) / minute) * minute;
const isIdle = ({ state }: Agent): boolean => state === 'AGENT_STATE_IDLE';
const losers = ['loses-tmux', 'loses-too', 'restored'];
const isParked = ({ park }: Agent): boolean => park !== undefined;

describe('a night of twenty agents that nobody watches', function () {
  this.timeout(300_000);
  let stage: NightStage;
  /** The agents by their names. */
  const ids = new Map<string, string>();
  const idOf = (name: string): string => ids.get(name) ?? '';
  let evening: string;

  before(async () => {
    stage = await openNight();
  });
  after(() => stage.close());

  const launch = async (workflowId: string, script: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, prompt] of Object.entries(script)) ids.set(name, await stage.launch(workflowId, name, prompt));
  };
  const until: NightStage['until'] = (names, what, isSo) => stage.until(names, `each of ${names} ${what}`, isSo);

  it('begins: each starts its work, and rules answer ten questions', async () => {
    evening = new Date(Date.now() - 1_000).toISOString();
    const notify = { command: stage.notifyCommand };
    const limited = { onUsageLimit: 'ON_USAGE_LIMIT_RESUME', notify } as const;
    const claude = await stage.workflow({ ...limited, name: 'claude', harness: 'claude' });
    const codex = await stage.workflow({ ...limited, name: 'codex', harness: 'codex' });
    const shell = await stage.workflow({ name: 'shell', harness: 'shell', notify });
    const full = await stage.workflow({
      name: 'full',
      notify,
      harness: 'shell',
      provisionEnabled: true,
      scripts: { setup: `head -c 1000000 /dev/zero > '${stage.onFullDisk}'` },
    });
    await stage.approve(claude, [{ action: 'APPROVAL_ACTION_ANSWER', command: { glob: 'npm run deploy *' } }]);
    await launch(shell, {
      counts: 'true',
      reports: "muster report-result '312 tests pass'",
      works: 'sleep 1000',
      quits: 'exit 3',
      killed: 'kill -9 $$',
    });
    await launch(full, { full: 'true' });
    const deployers = ['deploys-1', 'deploys-2', 'deploys-3', 'deploys-4', 'deploys-5'];
    await launch(claude, Object.fromEntries(deployers.map((name) => [name, 'steps: deploy deploy'])));
    await launch(claude, { publishes: 'steps: publish', 'loses-tmux': 'steps: rest', restored: 'steps: rest' });
    await launch(codex, { rests: 'steps: rest', spends: 'steps: rest', 'loses-too': 'steps: rest' });
    await until(deployers, 'has finished', (agent) => isIdle(agent) && agent.turns === 1);
    await until(['counts', 'reports', 'rests', 'spends', 'loses-tmux', 'restored', 'loses-too'], 'rests', isIdle);
    await until(['publishes'], 'waits', ({ state }) => state === 'AGENT_STATE_WAITING');
    await until(['quits', 'killed'], 'has ended', ({ ending }) => ending !== undefined);
    await until(['full'], 'has failed', ({ state }) => state === 'AGENT_STATE_FAILED_TO_CREATE');
  });

  it('has two limits, a crash, and a reboot of tmux', async () => {
    const claude = (await stage.agent(idOf('publishes'))).workflowId ?? '';
    const codex = (await stage.agent(idOf('rests'))).workflowId ?? '';
    await launch(claude, { 'limited-1': `steps: limit=${inHours(2)}`, 'limited-2': `steps: limit=${inHours(2)}` });
    await until(['limited-1', 'limited-2', 'deploys-1'], 'is parked', isParked);
    await launch(codex, { 'limited-3': `steps: limit=${inHours(4)}` });
    await until(['limited-3', 'rests'], 'is parked', isParked);
    await Promise.all([stage.pieces.kill('host'), stage.pieces.kill('registry')]);
    await stage.pieces.start('registry');
    await stage.pieces.start('host');
    for (const name of losers) stage.endTerminal(idOf(name));
    await until(losers, 'has ended', ({ ending }) => ending !== undefined);
    await stage.pass(2 * hour + 5 * minute);
    await until(['limited-1', 'limited-2'], 'is continued', (agent) => isIdle(agent) && agent.turns === 1);
    await until(['deploys-1', 'publishes'], 'is not parked', (agent) => !isParked(agent));
    expect(isParked(await stage.agent(idOf('limited-3')))).to.equal(true);
    await stage.pass(2 * hour);
    await until(['limited-3'], 'is continued', (agent) => isIdle(agent) && agent.turns === 1);
    await until(['rests', 'spends'], 'is not parked', (agent) => !isParked(agent));
  });

  it('has a budget that is used up, and a terminal that is restored', async () => {
    const { pieces } = stage;
    await pieces.call('budget.v1.BudgetService/SetBudget', { ownerId: idOf('spends'), turns: 1 });
    await pieces.call('agent.v1.AgentService/PromptAgent', { agentId: idOf('spends'), prompt: 'steps: rest' });
    await until(['spends'], 'is held', (agent) => isIdle(agent) && agent.turns === 2 && agent.overBudget !== undefined);
    await pieces.call('agent.v1.AgentService/RestoreAgent', { agentId: idOf('restored') });
    await until(['restored'], 'rests', (agent) => isIdle(agent) && agent.alive === true);
  });

  it('is on one screen in the morning', async () => {
    const { out, err } = await runInside(['summary', '--since', evening, '-o', 'table'], {
      env: { MUSTER_HOME: stage.pieces.home, MUSTER_URL: stage.pieces.url, NO_COLOR: '1' },
    });
    expect(err).to.equal('');
    expect(comparable(out.replaceAll(stage.hostName, 'build-1'))).to.equal(comparable(documented()));
  });

  it('rang for what needs a person, once, and for no question that a rule answered', () => {
    const rung = stage.notices().filter((line) => !/has (?:finished|ended)|account|budget|has used up/.test(line));
    expect(
      rung.map((line) => line.split(':')[0]),
      rung.join('\n'),
    ).to.have.members(['publishes waits for you', 'full failed']);
    const ended = stage.notices().filter((line) => line.includes('has ended'));
    expect(ended.map((line) => line.split(' ')[0])).to.have.members(['quits', 'killed', ...losers]);
  });
});

/** A screen without its times, which each night has of its own. */
function comparable(screen: string): string {
  return screen.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME').trim();
}

/** The screen that the guide shows. */
function documented(): string {
  const guide = readFileSync(new URL('../../docs/unattended.md', import.meta.url), 'utf8');
  const [, screen = ''] = /^\$ muster summary .*\n([\s\S]*?)^```$/m.exec(guide) ?? [];
  return screen;
}
