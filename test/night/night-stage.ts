import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Agent } from '#contract/agent/agent.ts';
import type { ApprovalRule } from '#contract/approval/approval-rule.ts';
import type { Workflow } from '#contract/workflow.ts';
import { rowsOfFile } from '#test/store/rows-of-file.ts';
import { faultyDisk } from '#test/support/faulty-disk.ts';
import { moment } from '#test/support/moment.ts';
import { ownProgram, type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { socketFolder, socketOf } from '#world/tmux/socket-folder.ts';
import { shiftedTime } from './shifted-time.ts';

const agents = 'agent.v1.AgentService';
const cli = fileURLToPath(new URL('./night-cli.mjs', import.meta.url));
const registry = fileURLToPath(new URL('./registry-process.ts', import.meta.url));

/** An installation whose night a test lets pass. */
export interface NightStage {
  readonly pieces: Pieces;
  /** A file on a disk that is full, or what stands for one where no disk can be mounted. */
  readonly onFullDisk: string;
  readonly hostName: string;
  /** Notes a notification, and those that were noted. */
  readonly notifyCommand: string;
  notices(): readonly string[];
  workflow(given: Partial<Workflow>): Promise<string>;
  approve(workflowId: string, rules: readonly ApprovalRule[]): Promise<void>;
  launch(workflowId: string, name: string, prompt: string): Promise<string>;
  agent(agentId: string): Promise<Agent>;
  /** Resolves once the rows of these agents, by their names, are all so. */
  until(names: readonly string[], what: string, isSo: (agent: Agent) => boolean): Promise<void>;
  /** Lets time pass for the registry, once it has sent every notification, and waits until it hears the host again. */
  pass(milliseconds: number): Promise<void>;
  /** Lets time pass for the registry, whose clock shows what this returns from then on. */
  shift(milliseconds: number): number;
  /** Ends the tmux server of an agent, as a crash of it does. */
  endTerminal(agentId: string): void;
  close(): Promise<void>;
}

/** Starts the installation; `host` may be another program than the product’s. */
export async function openNight(host?: string): Promise<NightStage> {
  const folder = temporaryFolder('night');
  const bin = join(folder.path, 'bin');
  mkdirSync(bin);
  for (const harness of ['claude', 'codex']) {
    const run = `exec '${process.execPath}' '${cli}' ${harness}`;
    writeFileSync(join(bin, harness), `#!/bin/sh\n[ "$1" = --version ] && echo 2.1.0 && exit\n${run}\n`);
    chmodSync(join(bin, harness), 0o755);
  }
  const disk = faultyDisk(folder.path);
  disk?.fill();
  const pieces = await setUpPieces(
    (piece) => {
      const program = piece === 'registry' ? registry : piece === 'host' ? host : undefined;
      return program === undefined ? ownProgram(piece) : [process.execPath, program];
    },
    { PATH: `${bin}:${process.env['PATH']}`, HOME: folder.path },
  );
  for (const piece of ['registry', 'host', 'gateway'] as const) await pieces.start(piece);
  const notices = join(folder.path, 'notices');
  const time = shiftedTime(pieces.home);
  const { hosts } = await pieces.call<{ hosts: { id: string; name: string }[] }>('host.v1.HostService/ListHosts', {});
  // The host's time does not pass: to the registry it is silent until its next beat.
  await pieces.call('host.v1.HostService/UpdateHost', { hostId: hosts[0]?.id, patienceSeconds: 86_400 });
  const agent = async (agentId: string) =>
    (await pieces.call<{ agent: { agent: Agent } }>(`${agents}/GetAgent`, { agentId })).agent.agent;
  const hostIsBack = () =>
    moment('the host is heard again', async () => {
      const { hosts } = await pieces.call<{ hosts: { state: string }[] }>('host.v1.HostService/ListHosts', {});
      return hosts[0]?.state === 'HOST_STATE_ONLINE';
    });
  return {
    pieces,
    onFullDisk: disk === undefined ? '/dev/full' : join(disk.path, 'more'),
    hostName: hosts[0]?.name ?? '',
    notifyCommand: `echo "$MUSTER_TEXT" >> '${notices}'`,
    notices: () => (existsSync(notices) ? readFileSync(notices, 'utf8').trimEnd().split('\n') : []),
    async workflow(given) {
      const request = { cwd: pieces.repository, provisionEnabled: false, ...given };
      const method = 'workflow.v1.WorkflowService/CreateWorkflow';
      return (await pieces.call<{ workflow: { id: string } }>(method, request)).workflow.id;
    },
    async approve(workflowId, rules) {
      await pieces.call('approval.v1.ApprovalService/SetApprovals', { workflowId, rules });
    },
    async launch(workflowId, title, prompt) {
      const request = { workflowId, title, prompt };
      return (await pieces.call<{ agent: { id: string } }>(`${agents}/CreateAgent`, request)).agent.id;
    },
    agent,
    async until(names, what, isSo) {
      let others: readonly Agent[] = [];
      const areSo = async () => {
        const { agents: rows } = await pieces.call<{ agents: { agent: Agent }[] }>(`${agents}/ListAgents`, {});
        const found = rows.map((row) => row.agent).filter(({ name = '' }) => names.includes(name));
        others = found.filter((one) => !isSo(one));
        return found.length === names.length && others.length === 0;
      };
      await moment(what, areSo).catch((error: unknown) => {
        throw new Error(`${String(error)}: ${JSON.stringify(others)}`);
      });
    },
    async pass(milliseconds) {
      // Time would pass for what is being sent, too, so that it would be sent again.
      await moment('no notification is left to send', () => countNotices(join(pieces.home, 'muster.db')) === 0);
      time.pass(milliseconds);
      await hostIsBack();
    },
    shift(milliseconds) {
      time.pass(milliseconds);
      return time.now();
    },
    endTerminal(agentId) {
      const socket = socketOf(socketFolder(join(pieces.home, 'run')), agentId);
      execFileSync('tmux', ['-S', socket, 'kill-server']);
    },
    async close() {
      await pieces.stop();
      disk?.remove();
      folder.remove();
    },
  };
}

/** How many notifications are to be sent. */
function countNotices(file: string): number {
  const [row] = rowsOfFile(file, 'select count(*) as "left" from "notice"');
  return Number(row?.['left']);
}
