import { type AgentContext, readAgentContext } from '#machines/agent/agent-context.ts';
import { agentDefinition } from '#machines/agent/agent-view.ts';
import { begin } from '#machines/decide.ts';

/** The context of a newly created agent's machine, with the given overrides. */
export function agentContext(given: Partial<AgentContext> = {}): AgentContext {
  const { snapshot } = begin(agentDefinition, { name: given.name ?? 'Ada', provision: true, scripts: [] });
  return { ...readAgentContext(snapshot), ...given };
}
