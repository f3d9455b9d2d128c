import { type AgentContext, readAgentContext } from '#machines/agent/agent-context.ts';
import { agentDefinition } from '#machines/agent/agent-view.ts';
import { begin } from '#machines/decide.ts';

/** What the machine of an agent remembers that has just been created, but for what is given. */
export function agentContext(given: Partial<AgentContext> = {}): AgentContext {
  const { snapshot } = begin(agentDefinition, { name: given.name ?? 'Ada', provision: true, scripts: [] });
  return { ...readAgentContext(snapshot), ...given };
}
