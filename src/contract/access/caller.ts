/** The roles that an operation may be offered to. */
export type RoleName = 'implementer' | 'reviewer' | 'orchestrator';

/**
 * Who calls: the person who runs the installation, or one agent. Always derived from the token, never from the request.
 */
export type Caller =
  | { readonly kind: 'person' }
  | { readonly kind: 'agent'; readonly agentId: string; readonly role: RoleName; readonly parentAgentId?: string };
