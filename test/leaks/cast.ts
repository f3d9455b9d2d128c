import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { openStream } from '#test/gateway/stream-call.ts';
import { agentCaller } from '#test/support/agent-caller.ts';
import { moment } from '#test/support/moment.ts';
import type { Pieces } from '#test/support/pieces.ts';
import { socketFolder, socketOf } from '#world/tmux/socket-folder.ts';

/** Agents of one round, by what is special about each, and the ids of all that goes with them. */
export interface Cast {
  readonly agents: ReadonlyMap<Part, string>;
  /** Leaves the terminals and ends the watches. */
  readonly leave: () => Promise<void>;
}

export type Part = 'worktree' | 'plain' | 'lead' | 'child' | 'reviewed' | 'reviewer' | 'held' | 'fired' | 'unsaved';

const service = 'agent.v1.AgentService';

/** Where the agents of a cast are launched. */
export interface Ground {
  readonly pieces: Pieces;
  /** The state folder of the host that they run on. */
  readonly home: string;
  readonly hostId: string;
}

/** The workflows that a cast is launched into. */
export interface Workflows {
  readonly provisioned: string;
  readonly plain: string;
}

/** Makes the workflows of a ground's casts: one with worktrees and every script, one with neither. */
export async function makeWorkflows({ pieces, hostId }: Ground): Promise<Workflows> {
  const make = async (name: string, more: object): Promise<string> => {
    const given = { name: `${name} ${hostId}`, cwd: pieces.repository, harness: 'shell', host: hostId, ...more };
    const { workflow } = await pieces.call<{ workflow: { id: string } }>(
      'workflow.v1.WorkflowService/CreateWorkflow',
      given,
    );
    return workflow.id;
  };
  const scripts = { setup: 'true', teardown: 'true', onIdle: 'true', onWaiting: 'true' };
  return {
    provisioned: await make('provisioned', { provisionEnabled: true, scripts }),
    plain: await make('plain', { provisionEnabled: false }),
  };
}

/** Launches an agent of every kind, and waits until each does what makes it one. */
export async function launchCast(ground: Ground, workflows: Workflows, round: number): Promise<Cast> {
  const { pieces, home } = ground;
  const agents = new Map<Part, string>();
  const launch = async (part: Part, more: object): Promise<string> => {
    const given = { prompt: 'true', title: `${part} ${round}`, ...more };
    const { agent } = await pieces.call<{ agent: { id: string } }>(`${service}/CreateAgent`, given);
    agents.set(part, agent.id);
    return agent.id;
  };
  const { provisioned: workflowId, plain: plainWorkflow } = workflows;
  const plainly = { workflowId: plainWorkflow };
  await launch('worktree', { workflowId });
  await launch('unsaved', { workflowId, prompt: 'echo work > unsaved.txt' });
  await launch('held', plainly);
  const plain = await launch('plain', plainly);
  const lead = await launch('lead', plainly);
  const reviewed = await launch('reviewed', { workflowId, prompt: 'echo work > reviewed.txt' });
  agents.set('fired', await fire(ground, workflows, round));
  await Promise.all([...agents.values()].map((id) => atRest(pieces, id)));
  await launch('child', { ...plainly, parentAgentId: lead });
  const reviewer = await launch('reviewer', { workflowId, parentAgentId: reviewed, role: 'AGENT_ROLE_REVIEWER' });
  await Promise.all([...agents.values()].map((id) => atRest(pieces, id)));
  await pieces.call(`${service}/HoldAgent`, { agentId: agents.get('held') });
  await review(pieces, reviewed, reviewer);
  // The child's doorbell stays open: whoever is held is not rung.
  await pieces.call(`${service}/HoldAgent`, { agentId: agents.get('child') });
  await pieces.call(`${service}/SendMail`, { agentId: agents.get('child'), body: 'Look at this' });
  await (await agentCaller(pieces, lead)).call('SendMail', { agentId: plain, body: 'And at this' });
  const ends = [
    await attach(home, plain),
    await attach(home, lead),
    await watch(pieces, plain),
    await watch(pieces, lead),
  ];
  return { agents, leave: async () => void (await Promise.all(ends.map((end) => end()))) };
}

/** What a schedule's firing has launched; the schedule is deleted again. */
async function fire({ pieces }: Ground, { plain }: Workflows, round: number): Promise<string> {
  const schedules = 'schedule.v1.ScheduleService';
  const given = { name: `fires ${plain} ${round}`, cron: '0 9 1 1 *', prompt: 'true', workflowId: plain };
  const { schedule } = await pieces.call<{ schedule: { id: string } }>(`${schedules}/CreateSchedule`, given);
  const scheduleId = schedule.id;
  await pieces.call(`${schedules}/FireSchedule`, { scheduleId });
  const agentId = await moment('a firing launches its agent', async () => {
    const { runs = [] } = await pieces.call<{ runs?: { agentId?: string }[] }>(`${schedules}/ListScheduleRuns`, {
      scheduleId,
    });
    return runs[0]?.agentId;
  });
  await pieces.call(`${schedules}/DeleteSchedule`, { scheduleId });
  return agentId;
}

/** Reviews an agent's work in a round: from then on its base is watched. */
async function review(pieces: Pieces, reviewed: string, reviewer: string): Promise<void> {
  const caller = await agentCaller(pieces, reviewer);
  await caller.call('StartReviewRound', { agentId: reviewed });
  const place = { filePath: 'reviewed.txt', newStart: 1, newEnd: 1 };
  await caller.call('CreateReviewThread', { agentId: reviewed, ...place, body: 'Say what it is.' });
  await caller.call('ReleaseReview', { agentId: reviewed, verdict: 'REVIEW_VERDICT_COMMENTED' });
}

/** Waits until an agent has no work in progress and its pane is at rest. */
export async function atRest(pieces: Pieces, agentId: string): Promise<void> {
  await moment(`${agentId} is at rest`, async () => {
    const { agent } = await pieces.call<{ agent: AgentRow }>(`${service}/GetAgent`, { agentId });
    return agent.agent?.state === 'AGENT_STATE_IDLE';
  });
}

/** Attaches to an agent's terminal as a person does; gives what goes away again. */
async function attach(home: string, family: string): Promise<() => Promise<void>> {
  const socket = socketOf(socketFolder(join(home, 'run')), family);
  const viewer = spawn('tmux', ['-S', socket, '-C', 'attach', '-r'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(viewer, 'exit');
  await moment('somebody is attached', () => {
    const clients = execFileSync('tmux', ['-S', socket, 'list-clients', '-F', '#{client_pid}'], { encoding: 'utf8' });
    return clients.split('\n').includes(String(viewer.pid));
  });
  return async () => {
    viewer.kill();
    await ended;
  };
}

/** Watches an agent's pane; gives what stops watching. */
async function watch({ home, url }: Pieces, agentId: string): Promise<() => Promise<void>> {
  const token = readFileSync(join(home, 'operator.token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  const stream = await openStream({ port: Number(new URL(url).port) }, `/${service}/WatchPane`, { agentId }, headers);
  await stream.next();
  return () => stream.close();
}
