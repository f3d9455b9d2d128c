/** The reference that keeps the moved work of an agent, in the repositories of both hosts. */
export function carriedRef(agentId: string): string {
  return `refs/muster/carried/${agentId}`;
}
