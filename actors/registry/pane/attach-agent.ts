import { whyWindowless } from '#actors/registry/agent/agent-window.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { askHost } from '#actors/registry/host/host-call.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { Failure } from '#contract/failure.ts';
import { attachAgent } from '#contract/operations/agent.ts';
import { hostCalls } from '#contract/wire/registry.ts';

/** Asks the agent's host for the window to attach to. */
export const attachAgentHandler = handler(attachAgent, async ({ agentId }, _caller, scope) => {
  const host = await scope.store.read(async ({ agents, hosts }) => {
    const agent = await findAgent(agents, agentId);
    if (!agent.alive) {
      throw new Failure('AGENT_HAS_NO_WINDOW', `Agent ${describeAgent(agent)} ${whyWindowless(agent)}`, {
        metadata: { agentId: agent.id },
      });
    }
    return (await hosts.find(agent.host)) ?? { id: agent.host, name: agent.host };
  });
  const { family, windowId } = await askHost(scope.lines, host, hostCalls.attach, { agentId });
  return { family, windowId, hostId: host.id, hostName: host.name };
});
