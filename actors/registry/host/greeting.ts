import { z } from 'zod';
import type { Endpoint } from '#bus/bus.ts';
import { isForOne, senderOf } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import { Hello, Here } from '#contract/wire/host-greeting.ts';
import { notUnderstood } from '#contract/wire/protocol-range.ts';
import { otherInstallation } from '#contract/wire/registry-lease.ts';
import { isOfThisLog } from './changes.ts';
import { type HostEndpoint, placesOf } from './host-endpoint.ts';
import type { HostScope } from './host-scope.ts';
import { takeLease } from './leases.ts';
import { hostRemoved, keyMismatch } from './own-key.ts';

/** The topic of hints about sessions that hosts begin. */
const topic = 'session';
const Hint = z.object({ hostId: z.string() });
/** Maximum number of cached refusals. */
const maxRefusals = 1_000;

/**
 * The endpoints where hosts begin their sessions. A host's row is bound to the first key that the host presents; any
 * other key is refused.
 */
export function greetingEndpoints(scope: HostScope): readonly Endpoint[] {
  const { store, lines, log, holder, hints } = scope;
  /** The last refusal by host. A host retries, and its refusal is logged again only if the reason changes. */
  const refusals = new Map<string, string>();
  const logRefusal = (hostId: string, why: string): void => {
    if (refusals.get(hostId) === why) return;
    if (refusals.size >= maxRefusals) refusals.clear();
    refusals.set(hostId, why);
    log.warn({ hostId, why }, 'a host was refused');
  };
  hints.listen(topic, Hint, ({ hostId }) => lines.renew(hostId));
  const endpoints: readonly HostEndpoint[] = [
    {
      name: 'hello',
      // Unsealed: only the host's first message in the session authenticates the sender.
      envelope: async ({ data }) => ({ data, seal: (outcome) => ({ data: outcome.subarray(1) }) }),
      async handle(body, { subject }) {
        const hello = parseRequest(Hello, body);
        const hostId = senderOf(subject);
        const to = hello.hostMoment;
        if (hello.installation !== undefined && hello.installation !== holder.installation) {
          const refused = otherInstallation('host', hello.installation, holder);
          logRefusal(hostId, refused.message);
          return { to, refused };
        }
        const outdated = notUnderstood('host', hello.protocols);
        if (outdated !== undefined) {
          logRefusal(hostId, outdated.message);
          return { to, refused: outdated };
        }
        const { known, joined } = await store.read(async ({ hosts, joinedHosts }) => ({
          known: await hosts.find(hostId),
          joined: await joinedHosts.find(hostId),
        }));
        if (joined?.removedAt != null) return { to, refused: hostRemoved(joined) };
        if (known?.key != null && known.key !== hello.hostKey) {
          const refused = keyMismatch(known);
          logRefusal(hostId, refused.message);
          return { to, refused };
        }
        refusals.delete(hostId);
        const { keyEpoch = 0 } = known ?? {};
        return {
          to,
          ...lines.begin(hostId, hello, { isBound: known?.key != null, keyEpoch, isDirected: isForOne(subject) }),
        };
      },
    },
    {
      name: 'here',
      envelope: lines.envelope,
      async handle(body, { sender }) {
        const here = parseRequest(Here, body);
        if (sender === undefined) throw new Failure('INTERNAL', 'A host sent a request without a session');
        await takeLease(scope, sender, here);
        // The other registries may have sessions with an earlier process of the host.
        if (!sender.isDirected) hints.send(topic, { hostId: sender.hostId });
        return { isOfAnotherLog: !isOfThisLog(scope, here.cursor), registryNow: lines.now() };
      },
    },
  ];
  return endpoints.flatMap((endpoint) => placesOf(endpoint, holder));
}

/** Asks every host to begin a session: a registry that has just started has none. */
export async function greetHosts({ store, lines }: HostScope): Promise<void> {
  for (const { id } of await store.read(({ hosts }) => hosts.all())) lines.greet(id);
}
