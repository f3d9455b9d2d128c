import type { Client } from '#cli/client/client.ts';
import type { Agent } from '#contract/agent/agent.ts';
import { newerText } from '#contract/pane/harness-version.ts';

/** Says that an agent's CLI is newer than its host's rules; empty if it is not, or if the caller may not see hosts. */
export async function newerThanRules(client: Client, { hostId, harness, harnessVersion }: Agent = {}): Promise<string> {
  if (harnessVersion === undefined) return '';
  const { hosts = [] } = await client.call('host.v1.HostService/ListHosts', {}).catch(() => ({ hosts: [] }));
  const { recordedHarnesses = [] } = hosts.find(({ id }) => id === hostId) ?? {};
  return newerText(harnessVersion, recordedHarnesses.find((recorded) => recorded.harness === harness)?.recordedWith);
}
