import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { moment } from '#test/support/moment.ts';
import { ownProgram, type Piece, type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';

const hostProgram = fileURLToPath(new URL('./host-process.ts', import.meta.url));

/** A running installation whose host can be made to die at a named moment, and what must hold of it afterwards. */
export interface Fleet extends Pieces {
  readonly workflowId: string;
  /** Sets the moment at which the host dies next, such as `after-commit WINDOW_OPENED`. */
  trap(at: string): void;
  /** Launches an agent whose briefing leaves one mark each time it is run. The same key launches the same agent. */
  launch(key: string): Promise<string>;
  agent(id: string): Promise<Agent | undefined>;
  /** How often the agent's briefing was run. */
  briefings(key: string): number;
  /**
   * Checks that no agent has more than one window, worktree or briefing, and that within a minute whoever is shown
   * alive has a window, and nothing is left of those that are gone.
   */
  checkAll(): Promise<void>;
}

/**
 * Brings an installation up with a workflow that provisions, sets up and tears down; `registryProgram` may replace
 * the registry.
 */
export async function startFleet(registryProgram?: string): Promise<Fleet> {
  const programs: Partial<Record<Piece, string | undefined>> = { host: hostProgram, registry: registryProgram };
  const pieces = await setUpPieces((piece) => {
    const program = programs[piece];
    return program === undefined ? ownProgram(piece) : [process.execPath, program];
  });
  for (const piece of ['registry', 'host', 'gateway'] as const) await pieces.start(piece);
  const { workflow } = await pieces.call<{ workflow: { id: string } }>('workflow.v1.WorkflowService/CreateWorkflow', {
    name: 'crash',
    cwd: pieces.repository,
    harness: 'shell',
    provisionEnabled: true,
    scripts: { setup: 'echo set up', teardown: 'echo torn down' },
  });
  const markOf = (key: string) => join(pieces.home, `${key}.ran`);
  const fleet: Fleet = {
    ...pieces,
    workflowId: workflow.id,
    trap: (at) => writeFileSync(join(pieces.home, 'trap'), at),
    async launch(key) {
      const { agent } = await pieces.call<{ agent: { id: string } }>('agent.v1.AgentService/CreateAgent', {
        prompt: `echo ran >> ${markOf(key)}`,
        title: key,
        workflowId: workflow.id,
        idempotencyKey: key,
      });
      return agent.id;
    },
    async agent(agentId) {
      try {
        const { agent: row } = await pieces.call<{ agent: AgentRow }>('agent.v1.AgentService/GetAgent', { agentId });
        return row.agent;
      } catch (error) {
        if (String(error).includes('404')) return undefined;
        throw error;
      }
    },
    briefings: (key) => (existsSync(markOf(key)) ? readFileSync(markOf(key), 'utf8').trim().split('\n').length : 0),
    checkAll: () => checkAll(fleet),
  };
  return fleet;
}

/** Waits until the agent has no work in progress; undefined if it is deleted. */
export function settled(fleet: Fleet, agentId: string): Promise<Agent | 'gone'> {
  return moment(`agent ${agentId} comes to rest`, async () => {
    const agent = await fleet.agent(agentId);
    if (!agent) return 'gone' as const;
    return agent.state === 'AGENT_STATE_SETTING_UP' ? undefined : agent;
  });
}

async function checkAll(fleet: Fleet): Promise<void> {
  let amiss: readonly string[] = [];
  const isWell = async () => {
    amiss = await strays(fleet);
    return amiss.length === 0;
  };
  await moment('all agrees with what is shown', isWell).catch((error: Error) => {
    throw new Error(`${error.message}: ${amiss.join(', ')}`);
  });
  for (const file of readdirSync(fleet.home).filter((name) => name.endsWith('.ran'))) {
    expect(fleet.briefings(file.slice(0, -'.ran'.length)), `${file}: briefed more than once`).to.equal(1);
  }
}

/**
 * Differences to the shown state. An archiving or a deletion in progress may cause one for a moment, with what it has
 * just ended.
 */
async function strays(fleet: Fleet): Promise<string[]> {
  const rows = [...(await listed(fleet, false)), ...(await listed(fleet, true))];
  const windows = await windowsOf(fleet);
  expect(windows.length, 'an agent has two windows').to.equal(new Set(windows).size);
  const branches = worktreeBranches(fleet.repository);
  expect(branches.length, 'two worktrees are on one branch').to.equal(new Set(branches).size);
  const owned = rows.map(({ id }) => id?.slice(-8).toLowerCase() ?? '');
  return [
    ...windows
      .filter((id) => !rows.some((row) => row.id === id))
      .map((id) => `a window is left of ${id}, which is gone`),
    ...rows
      .filter(({ alive, id }) => alive && !windows.includes(id ?? ''))
      .map(({ id, state, stateReason }) => `${id} is shown alive without a window (${state} ${stateReason})`),
    ...branches
      .filter((branch) => !owned.some((id) => branch.endsWith(id)))
      .map((branch) => `a worktree on ${branch} is left of an agent that is gone`),
  ];
}

/** The agents of all windows, one entry a window. */
async function windowsOf({ home }: Fleet): Promise<string[]> {
  const terminals = createTmuxTerminals({ runDir: join(home, 'run'), environment: {} });
  const windows: string[] = [];
  for (const family of await terminals.running()) {
    windows.push(...(await (await terminals.of(family)).panes()).map(({ agentId }) => agentId));
  }
  await terminals.detach();
  return windows;
}

async function listed(fleet: Fleet, archived: boolean): Promise<Agent[]> {
  const { agents = [] } = await fleet.call<{ agents?: AgentRow[] }>('agent.v1.AgentService/ListAgents', {
    archived,
    pagination: { pageSize: 200 },
  });
  return agents.flatMap(({ agent }) => agent ?? []);
}

function worktreeBranches(repository: string): string[] {
  const list = execFileSync('git', ['-C', repository, 'worktree', 'list', '--porcelain'], { encoding: 'utf8' });
  return [...list.matchAll(/^branch refs\/heads\/(muster\/.+)$/gm)].map(([, branch]) => branch ?? '');
}
