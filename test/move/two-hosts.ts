import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Host } from '#contract/host/host.ts';
import { gitIn } from '#test/support/git-in.ts';
import { moment } from '#test/support/moment.ts';
import { type ownProgram, type Piece, type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';

const service = 'agent.v1.AgentService';

/** The scripts of a workflow. */
type Scripts = Readonly<Record<string, string>>;

/** An installation with two hosts, each with a clone of one repository, as on two machines. */
export interface TwoHosts extends Pieces {
  /** The hosts' ids. */
  readonly near: string;
  readonly far: string;
  /** The far host's clone. */
  readonly clone: string;
  readonly workflowId: string;
  /** Launches an agent of the workflow on the near host, and waits until it is at rest. */
  launch(title: string, prompt?: string, workflowId?: string): Promise<Agent>;
  agent(id: string): Promise<Agent>;
  /** Begins to move an agent. */
  move(
    agentId: string,
    request?: object,
  ): Promise<{ readonly notCarried?: readonly string[]; readonly mayBeMissing?: readonly string[] }>;
  /** Waits until an agent is on a host, at rest and not moving. */
  settled(id: string, host: string): Promise<Agent>;
  /** The agents with a window on a host, one entry for each window. */
  windows(where: 'near' | 'far'): Promise<readonly string[]>;
  /** The agents with a window on either host. */
  allWindows(): Promise<readonly string[]>;
  /** Adds a workflow with other scripts, on the near host, and gives its id. */
  addWorkflow(name: string, scripts: Scripts): Promise<string>;
}

/** The hosts of a test, and the workflow of what it moves between them. */
export type OtherHost = Pick<TwoHosts, 'near' | 'far' | 'clone' | 'workflowId'>;

/** Starts a second host beside a running registry, host and gateway, with a clone of the repository. */
export async function addOtherHost(pieces: Pieces, scripts: Scripts = {}): Promise<OtherHost> {
  const { repository } = pieces;
  writeFileSync(join(repository, 'tracked.txt'), 'first\n');
  writeFileSync(join(repository, '.gitignore'), 'ignored/\n');
  gitIn(repository, 'add', '.');
  gitIn(repository, 'commit', '--quiet', '-m', 'files');
  const clone = join(dirname(repository), 'clone');
  gitIn(repository, 'clone', '--quiet', repository, clone);
  const hosts = async () => (await pieces.call<{ hosts: Host[] }>('host.v1.HostService/ListHosts', {})).hosts;
  const near = (await moment('the first host', async () => (await hosts())[0]?.id)) ?? '';
  await pieces.start('otherHost');
  const far = await moment('the other host', async () => (await hosts()).find(({ id }) => id !== near)?.id);
  await pieces.call('host.v1.HostService/DrainHost', { hostId: far, undo: true });
  return { near, far, clone, workflowId: await addWorkflow(pieces, 'moving', near, scripts) };
}

/** Adds a workflow of shells in worktrees on a host, and gives its id. */
async function addWorkflow(pieces: Pieces, name: string, host: string, scripts: Scripts): Promise<string> {
  const request = { name, cwd: pieces.repository, harness: 'shell', provisionEnabled: true, host, scripts };
  const method = 'workflow.v1.WorkflowService/CreateWorkflow';
  return (await pieces.call<{ workflow: { id: string } }>(method, request)).workflow.id;
}

export async function startTwoHosts(
  programOf?: (piece: Piece) => ReturnType<typeof ownProgram>,
  scripts: Scripts = {},
): Promise<TwoHosts> {
  const pieces = await setUpPieces(programOf);
  for (const piece of ['registry', 'host', 'gateway'] as const) await pieces.start(piece);
  const { near, far, clone, workflowId: ownWorkflow } = await addOtherHost(pieces, scripts);
  const show = async (agentId: string): Promise<Agent> => {
    const { agent } = await pieces.call<{ agent: AgentRow }>(`${service}/GetAgent`, { agentId });
    return agent.agent ?? {};
  };
  const settled = (id: string, host: string) =>
    moment(`${id} is at rest on ${host}`, async () => {
      const agent = await show(id);
      const isThere = agent.hostId === host && agent.movingTo === undefined;
      return isThere && agent.state === 'AGENT_STATE_IDLE' ? agent : undefined;
    }).catch(async (error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(await show(id))}`);
    });
  return {
    ...pieces,
    near,
    far,
    clone,
    workflowId: ownWorkflow,
    agent: show,
    settled,
    async launch(title, prompt = 'true', workflowId = ownWorkflow) {
      const { agent } = await pieces.call<{ agent: { id: string } }>(`${service}/CreateAgent`, {
        ...{ prompt, title, workflowId },
      });
      return settled(agent.id, near);
    },
    move: (agentId, request = {}) =>
      pieces.call(`${service}/MoveAgent`, { agentId, host: far, dir: clone, ...request }),
    windows: (where) => windowsIn(where === 'near' ? pieces.home : pieces.otherHome),
    allWindows: async () => [...(await windowsIn(pieces.home)), ...(await windowsIn(pieces.otherHome))],
    addWorkflow: (name, own) => addWorkflow(pieces, name, near, own),
  };
}

/** The agents with a window of a host, one entry for each window; `home` is its state folder. */
export async function windowsIn(home: string): Promise<string[]> {
  const terminals = createTmuxTerminals({ runDir: join(home, 'run'), environment: {} });
  const found: string[] = [];
  for (const family of await terminals.running()) {
    // It may end meanwhile.
    const open = async () => (await terminals.of(family)).panes();
    found.push(...(await open().catch(() => [])).map(({ agentId }) => agentId));
  }
  await terminals.detach();
  return found;
}

/** Leaves work of every kind in a worktree: a commit, and staged, changed, untracked, large, ignored and executable files. */
export function leaveWork(worktree: string): void {
  writeFileSync(join(worktree, 'committed.txt'), 'committed\n');
  gitIn(worktree, 'add', '.');
  gitIn(worktree, 'commit', '--quiet', '-m', 'work');
  writeFileSync(join(worktree, 'staged.txt'), 'staged\n');
  gitIn(worktree, 'add', 'staged.txt');
  writeFileSync(join(worktree, 'tracked.txt'), 'changed\r\nwithout an end');
  mkdirSync(join(worktree, 'new folder'), { recursive: true });
  writeFileSync(join(worktree, 'new folder', 'ü.sh'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(worktree, 'large.bin'), Buffer.alloc(3 * 1024 * 1024, 'muster'));
  mkdirSync(join(worktree, 'ignored'), { recursive: true });
  writeFileSync(join(worktree, 'ignored', 'note'), 'not carried\n');
}

/** What a worktree holds: its commit, branch, status, and files by path. */
export function workIn(worktree: string): object {
  const files = ['tracked.txt', 'committed.txt', 'staged.txt', 'new folder/ü.sh', 'large.bin'];
  return {
    head: gitIn(worktree, 'rev-parse', 'HEAD'),
    branch: gitIn(worktree, 'rev-parse', '--abbrev-ref', 'HEAD'),
    status: gitIn(worktree, 'status', '--porcelain'),
    files: files.map((file) => [
      file,
      existsSync(join(worktree, file)) && readFileSync(join(worktree, file), 'latin1'),
    ]),
  };
}
