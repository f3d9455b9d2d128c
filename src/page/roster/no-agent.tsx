/** What stands beside the list while no agent is looked at. */
export function NoAgent() {
  return null;
}
