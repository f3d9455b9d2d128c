import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { advanceInstance, type WriteContext } from '#actors/registry/kernel/instance.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { decide } from '#machines/decide.ts';
import { hostDefinition } from '#machines/host/host.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import { hostKind } from './host-kind.ts';

/** Stops placing new agents on a host, or allows it again. */
export async function drain(writing: WriteContext, host: StoredHost, isDrained: boolean): Promise<void> {
  await advanceInstance(writing, hostKind, host, { type: isDrained ? 'DRAIN' : 'UNDRAIN' });
}

/**
 * Forgets a lost host that has no agents, and the harness launches confirmed on it. Its row keeps its key, so that no
 * other machine can join as this host.
 * @throws FAILED_PRECONDITION when it is not lost or has agents
 */
export async function forget(writing: WriteContext, host: StoredHost): Promise<void> {
  const { tables } = writing;
  const { id, name, snapshot, seenAt } = host;
  const refuse = (why: string) =>
    new Failure('HOST_IN_USE', `Host ${quoted(name)} (${id}) cannot be forgotten: ${why}`);
  if (phaseOf(snapshot.value) === 'forgotten') return;
  if (decide(hostDefinition, snapshot, { type: 'FORGET' }) === undefined) {
    throw refuse(
      `it sent a beat at ${new Date(seenAt).toISOString()}. Stop \`muster host\` there first, and wait until it is lost (update_host sets after how much silence)`,
    );
  }
  const { first, count } = await tables.agents.standingOn(id, 5);
  if (count > 0) {
    const names = first.map(describeAgent).join(', ') + (count > first.length ? ', …' : '');
    throw refuse(
      `${count} ${count === 1 ? 'agent is' : 'agents are'} on it, archived ones too: ${names}. delete_agent with abandon gives them up`,
    );
  }
  await advanceInstance(writing, hostKind, host, { type: 'FORGET' });
  await tables.hosts.confirmNothing(id);
}
