import type { AgentRole } from '#contract/agent/agent.ts';

/** The properties of an agent that determine whom it may mail. */
export interface Correspondent {
  readonly id: string;
  readonly parentAgentId?: string | null | undefined;
}

/** The same, with the properties that determine whether its mail is an order. */
interface MailParty extends Correspondent {
  readonly role: AgentRole;
  readonly spawnedByAgentId?: string | null | undefined;
}

/**
 * Why an agent may not mail another one: a child may mail its parent and its parent's other children, anyone else any
 * agent that is not a child of someone else. Undefined if it may.
 */
export function mailRefusal(sender: Correspondent, to: Correspondent): 'not kin' | 'child of another' | undefined {
  const parent = sender.parentAgentId ?? undefined;
  if (parent === undefined) {
    return to.parentAgentId == null || to.parentAgentId === sender.id ? undefined : 'child of another';
  }
  const isSibling = to.parentAgentId === parent && to.id !== sender.id;
  return to.id === parent || isSibling ? undefined : 'not kin';
}

/**
 * Whether a mail is an order, which begins a chain again: to an agent that its sender launched or is the parent of, or
 * directs.
 */
export function isOrder({ id, role }: MailParty, to: MailParty): boolean {
  const isOwn = to.parentAgentId === id || to.spawnedByAgentId === id;
  return isOwn || (role === 'AGENT_ROLE_ORCHESTRATOR' && to.role !== role);
}
