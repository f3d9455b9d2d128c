import { phaseOfAgent } from '#actors/registry/agent/agent-standing.ts';
import { change, send } from '#actors/registry/agent/change.ts';
import { askHost, isSilence } from '#actors/registry/host/host-call.ts';
import type { HostScope } from '#actors/registry/host/host-scope.ts';
import { isOnline } from '#actors/registry/host/online.ts';
import type { CleanedAgent } from '#contract/agent/cleaned-agent.ts';
import { Failure } from '#contract/failure.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredHost } from '#store/host/host-entity.ts';

const { cleanAgent: call } = hostCalls;

/** What a host may delete of an archived agent. */
export type Cleaning = 'nothing' | 'build-folders' | 'worktree';

interface CleanableAgent {
  readonly agent: StoredAgent;
  readonly host: StoredHost | undefined;
  readonly buildFolders: readonly string[];
  /** An agent that is not archived and works in this agent's worktree. */
  readonly user: StoredAgent | undefined;
}

/**
 * Deletes what an archived agent no longer needs on disk, and records what the host deleted. The removal of the worktree
 * is recorded before the host begins: if the agent is restored meanwhile, it makes its worktree again, or adopts the one
 * that is there. Returns undefined for an agent that has nothing on disk, or is not archived any more.
 */
export async function cleanAgent(scope: HostScope, id: string, cleaning: Cleaning): Promise<CleanedAgent | undefined> {
  const found = await readCleanable(scope, id);
  if (found === undefined) return undefined;
  const { agent, host, buildFolders, user } = found;
  const about = { agentId: agent.id, name: agent.name };
  if (host === undefined || !isOnline(host)) {
    return { ...about, freed: [], kept: [`host ${host?.name ?? agent.host} is not online, so nothing was deleted`] };
  }
  const asked = { agentId: agent.id, buildFolders: [...buildFolders] };
  const ask = (remove: Cleaning) => askHost(scope.lines, host, call, { ...asked, remove }, call.withinMs);
  try {
    const first = await ask(cleaning === 'build-folders' ? 'build-folders' : 'nothing');
    if (!first.isThere) {
      // The host finishes a removal that was interrupted.
      const last = cleaning === 'worktree' ? await ask('worktree') : first;
      const freed = freedIn(last, false);
      if (cleaning === 'worktree' && last.kept.length === 0) await record(scope, agent.id, { bytes: 0, freed });
      return freed.length + last.kept.length === 0 ? undefined : { ...about, freed, kept: last.kept };
    }
    const inUse = user === undefined ? [] : [`the worktree ${agent.cwd}: ${user.name} (${user.id}) works in it`];
    const isFree = first.worktree !== undefined && inUse.length === 0;
    if (cleaning === 'nothing') return { ...about, freed: freedIn(first, isFree), kept: [...first.kept, ...inUse] };
    if (cleaning === 'worktree' && isFree) return { ...about, ...(await removeWorktree(scope, agent, ask)) };
    const answer = cleaning === 'build-folders' ? first : await ask('build-folders');
    const freed = freedIn(answer, false);
    await record(scope, agent.id, { freed });
    return { ...about, freed, kept: [...answer.kept, ...inUse] };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const unknown = isSilence(error) ? '; what it deleted is not recorded: call again once it answers' : '';
    return { ...about, freed: [], kept: [`${error.message}${unknown}`] };
  }
}

async function readCleanable({ store }: HostScope, id: string): Promise<CleanableAgent | undefined> {
  return store.read(async ({ agents, disks, hosts, workflows }) => {
    const agent = await agents.find(id);
    if (agent === undefined || phaseOfAgent(agent) !== 'archived' || !agent.launch.provision) return undefined;
    const { archivePolicy } = (await workflows.find(agent.workflowId)) ?? {};
    const user = await disks.userOf(agent.host, agent.cwd);
    return { agent, host: await hosts.find(agent.host), buildFolders: archivePolicy?.buildFolders ?? [], user };
  });
}

type Answer = Awaited<ReturnType<typeof askHost<typeof call.request, typeof call.response>>>;

async function removeWorktree(
  scope: HostScope,
  agent: StoredAgent,
  ask: (remove: Cleaning) => Promise<Answer>,
): Promise<Pick<CleanedAgent, 'freed' | 'kept'>> {
  if (!(await noteWorktree(scope, agent.id, true))) return { freed: [], kept: ['it is not archived any more'] };
  try {
    const answer = await ask('worktree');
    const freed = freedIn(answer, !answer.isThere);
    await record(scope, agent.id, { freed, ...(!answer.isThere && { bytes: 0 }) });
    if (answer.isThere) await noteWorktree(scope, agent.id, false);
    return { freed, kept: answer.kept };
  } catch (error) {
    // The host answered that it did not remove it. If it does not answer, it may have.
    if (!isSilence(error)) await noteWorktree(scope, agent.id, false);
    throw error;
  }
}

/** Records whether the worktree of an archived agent is gone. Returns false if the agent is not archived. */
async function noteWorktree(scope: HostScope, id: string, worktreeGone: boolean): Promise<boolean> {
  return change(scope, async (writing) => {
    const agent = await writing.tables.agents.find(id);
    if (agent === undefined || phaseOfAgent(agent) !== 'archived') return false;
    const { checkout } = readAgentContext(agent.snapshot);
    return send(writing, agent, { type: 'CHECKOUT_READ', checkout, worktreeGone });
  });
}

function freedIn({ buildFolders, worktree }: Answer, isWorktreeFree: boolean): NonNullable<CleanedAgent['freed']> {
  const all = buildFolders.map(({ path, bytes }) => ({ path, bytes: String(bytes), worktree: false }));
  if (worktree === undefined || !isWorktreeFree) return all;
  return [...all, { path: worktree.path, bytes: String(worktree.bytes), worktree: true }];
}

/** Records what was deleted, each folder as a fact, and what the worktree takes now, if that is known. */
async function record(
  { store, clock }: HostScope,
  id: string,
  { freed = [], bytes }: { readonly freed?: CleanedAgent['freed']; readonly bytes?: number },
): Promise<void> {
  if (freed.length === 0 && bytes === undefined) return;
  await store.write(async ({ agents, disks, facts }) => {
    await facts.append(freed.map((folder) => ({ kind: 'agent.cleaned', subjectId: id, detail: { ...folder } })));
    const agent = await agents.find(id);
    if (agent === undefined) return;
    const left = (agent.diskBytes ?? 0) - freed.reduce((sum, folder) => sum + Number(folder.bytes), 0);
    if (bytes !== undefined || agent.diskBytes !== null)
      await disks.set(agent, bytes ?? Math.max(0, left), clock.now());
  });
}
