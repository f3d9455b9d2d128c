import type { AgentRole } from './agent.ts';

/** What each role is told of its half of a review. Empty where there is nothing to be told. */
const reviewHalf: Readonly<Record<AgentRole, string>> = {
  AGENT_ROLE_UNSPECIFIED: '',
  AGENT_ROLE_IMPLEMENTER: '',
  AGENT_ROLE_REVIEWER:
    'You are a reviewer. The directory you are in belongs to another agent or person: read the work in it and change ' +
    'nothing. Say what is wrong and what to do about it, naming the file and the line, in one or two sentences each.',
  AGENT_ROLE_ORCHESTRATOR: '',
};

/** What a briefing is made of. */
interface BriefingParts {
  readonly harness: string;
  /** The workflow's context. */
  readonly context: string;
  readonly role: AgentRole;
  readonly prompt: string;
}

/**
 * The whole briefing of an agent: its workflow's context, its role's half of the review briefing and its prompt, with
 * blank lines between. A shell takes its prompt as a command line, so there it is the prompt alone.
 */
export function briefingOf({ harness, context, role, prompt }: BriefingParts): string {
  if (harness === 'shell') return prompt;
  return [context, reviewHalf[role], prompt].filter((part) => part !== '').join('\n\n');
}
