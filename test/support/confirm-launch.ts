import type { HarnessLaunch, Host } from '#contract/host/host.ts';
import type { Pieces } from './pieces.ts';

/** Confirms the launch part of a harness's file as a person would, and returns its digest. */
export async function confirmLaunch(pieces: Pick<Pieces, 'call'>, harness: string): Promise<string> {
  const { hosts } = await pieces.call<{ hosts: Host[] }>('host.v1.HostService/ListHosts', {});
  const hostId = hosts[0]?.id;
  const method = 'host.v1.HostService/ListHarnessLaunches';
  const { launches = [] } = await pieces.call<{ launches?: HarnessLaunch[] }>(method, { hostId, harness });
  const digest = launches[0]?.digest ?? '';
  await pieces.call('host.v1.HostService/ConfirmHarness', { hostId, harness, digest });
  return digest;
}
