/** The reference under which an agent's work is carried, in the repositories of both hosts. */
export function carriedRef(agentId: string): string {
  return `refs/muster/carried/${agentId}`;
}
