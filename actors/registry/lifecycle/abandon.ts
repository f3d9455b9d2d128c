import { sendRequired } from '#actors/registry/agent/change.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { refuseHeld } from '#actors/registry/agent/find-agent.ts';
import { isLost } from '#actors/registry/host/online.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';

/**
 * Gives up an agent and its children on a lost host: deletes their records, and closes or removes nothing on the host.
 * Returns one sentence about each loss.
 * @throws FAILED_PRECONDITION when the host is not lost, or a person holds one of the agents
 */
export async function abandon(writing: Change, agent: StoredAgent, method: string): Promise<readonly string[]> {
  const { agents, hosts } = writing.tables;
  const host = await hosts.find(agent.host);
  if (host !== undefined && !isLost(host)) {
    throw new Failure(
      'HOST_STILL_HEARD',
      `abandon is true, and the host of agent ${describeAgent(agent)}, ${quoted(host.name)}, sent its last beat at ` +
        `${new Date(host.seenAt).toISOString()}: delete the agent without it, or wait until the host is lost (update_host sets ` +
        'after how much silence)',
      { field: 'abandon' },
    );
  }
  const family = [...(await agents.childrenOf(agent.id)), agent];
  for (const one of family) refuseHeld(one, method);
  const givenUp: string[] = [];
  for (const one of family) {
    givenUp.push(...lossesOf(one, host?.name ?? one.host));
    await sendRequired(writing, one, { type: 'ABANDON' }, method);
  }
  return givenUp;
}

function* lossesOf(agent: StoredAgent, host: string): Generator<string> {
  const { name, alive, cwd, branch, headSha, worktreeRemoved, launch, unreadMail } = agent;
  if (alive)
    yield `the terminal of ${quoted(name)}, which may still run on ${host}: if the host returns, muster finds it and does not end it`;
  if (launch.provision && !worktreeRemoved && cwd !== launch.cwd) {
    yield `its worktree ${quoted(cwd)} on ${host}${branch == null ? '' : `, on branch ${quoted(branch)}`}`;
    const last = headSha == null ? '' : ` (last seen at commit ${headSha})`;
    yield `its work that is stored nowhere else${last}: uncommitted, unpushed and unmerged changes`;
  } else if (!worktreeRemoved) {
    yield `its files in ${quoted(cwd)} on ${host}`;
  }
  if (unreadMail > 0) yield `${unreadMail} ${unreadMail === 1 ? 'mail' : 'mails'} that ${quoted(name)} has not taken`;
}
