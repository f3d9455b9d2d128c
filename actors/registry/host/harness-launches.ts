import { handler } from '#actors/registry/kernel/handler.ts';
import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import { Failure } from '#contract/failure.ts';
import type { HarnessLaunch } from '#contract/host/host.ts';
import { confirmHarness, listHarnessLaunches } from '#contract/operations/host.ts';
import { quoted } from '#contract/quoted.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import { askHost } from './host-call.ts';
import { findHost } from './host-resource.ts';

/** Lists the launches that a host's harness files define now. */
export const listHarnessLaunchesHandler = handler(
  listHarnessLaunches,
  async ({ hostId, harness }, _caller, { store, lines }) => {
    const host = await store.read(({ hosts }) => findHost(hosts, hostId));
    return askHost(lines, host, hostCalls.launches, harness ? { harness } : {});
  },
);

/** Confirms a harness file's launch on a host, for the digest that a person has checked. Its host is notified. */
export const confirmHarnessHandler = handler(confirmHarness, async (request, _caller, scope) => {
  const { harness, digest } = request;
  const host = await scope.store.read(({ hosts }) => findHost(hosts, request.hostId));
  const seen = await launchOn(scope, host, harness);
  if (seen.digest !== digest) {
    throw new Failure(
      'LAUNCH_FILE_CHANGED',
      `The launch of ${harness} on ${host.name} has the digest ${seen.digest}, not ${digest}, because its file has changed: check it again`,
      { field: 'digest' },
    );
  }
  await scope.store.write(async ({ hosts, facts }) => {
    await hosts.confirm(await findHost(hosts, host.id), harness, digest);
    await facts.append([{ kind: 'host.harness-confirmed', subjectId: host.id, detail: { harness, digest } }]);
  });
  return { launch: await launchOn(scope, host, harness) };
});

/** @throws NOT_FOUND when no file on the host defines a launch of the harness; UNAVAILABLE when the host is silent */
async function launchOn({ lines }: KernelScope, host: StoredHost, harness: string): Promise<HarnessLaunch> {
  const { launches } = await askHost(lines, host, hostCalls.launches, { harness });
  const found = launches.find((one) => one.harness === harness);
  if (found !== undefined) return found;
  throw new Failure(
    'HARNESS_FILE_NOT_FOUND',
    `No rules file on ${host.name} defines a launch of ${quoted(harness)}: there is nothing to confirm`,
  );
}
