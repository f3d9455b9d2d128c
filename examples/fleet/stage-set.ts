import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Tools } from './tools.ts';

/** The harness that the scripted agents run, and the workflow that they are launched into. */
export const demoName = 'muster-demo';

/** The folders of a demonstration, below the state folder. */
export function foldersOf(stateFolder: string) {
  const folder = join(stateFolder, 'demo');
  return {
    folder,
    repository: join(folder, 'repository'),
    rules: join(stateFolder, 'rules', `${demoName}.json`),
  };
}

/**
 * Makes a repository, a harness whose CLI is the scripted player, and a workflow of both; returns the workflow's id.
 */
export async function setStage(stateFolder: string, tools: Tools): Promise<string> {
  const { repository, rules } = foldersOf(stateFolder);
  mkdirSync(repository, { recursive: true });
  const git = (...args: string[]): void => void execFileSync('git', ['-C', repository, ...args]);
  git('init', '-q', '-b', 'main');
  const author = ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.org'];
  git(...author, 'commit', '-q', '--allow-empty', '-m', 'Begin');
  mkdirSync(join(stateFolder, 'rules'), { recursive: true });
  writeFileSync(rules, `${JSON.stringify(harness(), null, 2)}\n`);
  await confirm(stateFolder, tools);
  await untilKnown(tools);
  const { workflow } = await tools.call<{ workflow: { id: string } }>('create_workflow', {
    name: demoName,
    cwd: repository,
    harness: demoName,
    // Its agents are scripts of this folder.
    isolation: 'ISOLATION_NONE',
    // The lead launches with other flags than its own: the part that each agent plays.
    agentsMayLaunch: { flags: ['implementer'] },
  });
  return workflow.id;
}

function harness(): object {
  const { launch, ...file } = JSON.parse(
    readFileSync(fileURLToPath(new URL('harness.json', import.meta.url)), 'utf8'),
  ) as { launch: object };
  const player = fileURLToPath(new URL('player.ts', import.meta.url));
  return { ...file, launch: { ...launch, command: process.execPath, start: [player], resume: [player] } };
}

/** What a file has launched counts once a person has confirmed it: this one was written just now. */
async function confirm(stateFolder: string, tools: Tools): Promise<void> {
  const hostId = readFileSync(join(stateFolder, 'host.id'), 'utf8').trim();
  const about = { hostId, harness: demoName };
  const { launches = [] } = await tools.call<{ launches?: { digest: string }[] }>('list_harness_launches', about);
  await tools.call('confirm_harness', { ...about, digest: launches[0]?.digest ?? '' });
}

/** A host rereads its rules as soon as they change, and reports to the registry. */
async function untilKnown(tools: Tools): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const { hosts = [] } = await tools.call<{ hosts?: { harnesses?: string[] }[] }>('list_hosts');
    if (hosts.some(({ harnesses = [] }) => harnesses.includes(demoName))) return;
    if (Date.now() > deadline) throw new Error('no host on this machine has loaded the rules of the demo');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

interface AgentList {
  readonly agents?: readonly { readonly agent: { readonly id: string; readonly workflowId: string } }[];
  readonly nextPageToken?: string;
}

/** Takes everything of an earlier demonstration away: agents, workflow, harness and repository. */
export async function clearStage(stateFolder: string, tools: Tools): Promise<void> {
  const { folder, rules } = foldersOf(stateFolder);
  const { workflows = [] } = await tools.call<{ workflows?: { id: string; name: string }[] }>('list_workflows', {
    pagination: { pageSize: 200 },
  });
  const workflowId = workflows.find(({ name }) => name === demoName)?.id;
  if (workflowId !== undefined) {
    await deleteAgents(tools, workflowId);
    await tools.call('delete_workflow', { workflowId });
  }
  rmSync(rules, { force: true });
  rmSync(folder, { recursive: true, force: true });
}

async function deleteAgents(tools: Tools, workflowId: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (let left = await agentsOf(tools, workflowId); left.length > 0; left = await agentsOf(tools, workflowId)) {
    if (Date.now() > deadline) throw new Error(`agents of the demo could not be deleted: ${left.join(', ')}`);
    for (const agentId of left) await tools.call('delete_agent', { agentId, force: true }).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function agentsOf(tools: Tools, workflowId: string): Promise<string[]> {
  const ids: string[] = [];
  for (const archived of [false, true]) {
    let cursor: string | undefined;
    do {
      const pagination = { pageSize: 200, ...(cursor && { cursor }) };
      const page: AgentList = await tools.call<AgentList>('list_agents', { archived, pagination });
      ids.push(
        ...(page.agents ?? []).filter(({ agent }) => agent.workflowId === workflowId).map(({ agent }) => agent.id),
      );
      cursor = page.nextPageToken;
    } while (cursor);
  }
  return ids;
}
