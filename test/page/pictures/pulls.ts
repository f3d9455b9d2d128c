import type { AgentRow } from '#contract/agent/agent-row.ts';
import { githubDouble } from '#test/forge/doubles/github.ts';
import { serveDouble } from '#test/forge/doubles/server.ts';
import { ForgeWorld, type Pull, pull } from '#test/forge/doubles/world.ts';
import { moment } from '#test/support/moment.ts';
import type { Fleet } from './fleet.ts';

const passed = [{ name: 'test', state: 'passed' }] as const;
const failed = [{ name: 'test', state: 'failed' }] as const;
const running = [{ name: 'test', state: 'running' }] as const;
const approved = [{ user: 'ada', verdict: 'approved' }] as const;
const refused = [{ user: 'ada', verdict: 'changes' }] as const;

/** The pull requests of agents, by their names: of each repository one in most of the states that there are. */
const opened: Readonly<Record<'shop' | 'ledger' | 'site', Readonly<Record<string, Partial<Pull>>>>> = {
  shop: {
    'payment-retries': { number: 41, title: 'Make payment retries idempotent', checks: passed, reviews: approved },
    'price-rounding': { number: 42, title: 'Round prices by law', checks: failed },
    'invoice-pdf': { number: 43, title: 'Render invoices without a browser', merges: 'conflict' },
    'login-expiry': { number: 44, title: 'Say when a session ends', checks: passed, reviews: refused },
    'flaky-search': { number: 45, title: 'Keep the search test from flaking', draft: true },
    'cart-totals': { number: 46, title: 'Show the total while the cart changes', checks: running },
  },
  ledger: {
    'audit-log': { number: 17, title: 'Log who changed a booking', checks: passed, reviews: approved },
    'double-entry': { number: 18, title: 'Refuse bookings that do not balance', checks: running },
  },
  site: {
    'landing-copy': { number: 8, title: 'Shorten the landing page', checks: passed, reviews: refused },
    'image-sizes': { number: 9, title: 'Serve pictures in the size they are shown in', checks: passed },
  },
};

/** Connects a forge that has a pull request of many of the agents, and waits until their rows show it. */
export async function connectForge(fleet: Fleet): Promise<{ close(): Promise<void> }> {
  const world = new ForgeWorld();
  const updatedAt = new Date().toISOString();
  for (const [repository, ofAgents] of Object.entries(opened)) {
    const pulls = Object.entries(ofAgents).map(async ([name, over]) => {
      const { branch = '' } = await fleet.agent(fleet.id(name));
      return pull(over.number ?? 0, { ...over, branch, createdAt: updatedAt, updatedAt });
    });
    world.repository(`acme/${repository}`, { pulls: await Promise.all(pulls) });
  }
  const forge = await serveDouble(githubDouble(world));
  await fleet.call('forge.v1.ForgeService/CreateForgeConnection', {
    host: 'forge.test',
    kind: 'FORGE_KIND_GITHUB',
    baseAddress: forge.address,
    credential: world.token,
  });
  for (const repository of Object.keys(opened)) {
    const remoteUrl = `https://forge.test/acme/${repository}`;
    await fleet.call('forge.v1.ForgeService/SweepRepository', { remoteUrl });
  }
  for (const name of Object.values(opened).flatMap((ofAgents) => Object.keys(ofAgents))) {
    await moment(`the pull request of ${name}`, async () => {
      const { agent } = await fleet.call<{ agent: AgentRow }>('GetAgent', { agentId: fleet.id(name) });
      return (agent.pullRequest?.number ?? 0) > 0;
    });
  }
  return forge;
}
