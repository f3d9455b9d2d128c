import type { Endpoint } from '#bus/bus.ts';
import { fromHostsPattern, hostSubject, senderOf } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import { Hello, Here } from '#contract/wire/host-greeting.ts';
import { otherInstallation } from '#contract/wire/registry-lease.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import { isOfThisLog } from './changes.ts';
import type { HostScope } from './host-scope.ts';
import { takeLease } from './leases.ts';
import { keyMismatch } from './own-key.ts';

/**
 * The endpoints where hosts begin their sessions. A host's row keeps the first key that the host comes with; any other
 * key is refused.
 */
export function greetingEndpoints(scope: HostScope): readonly Endpoint[] {
  const { lines, log, holder } = scope;
  return [
    {
      name: 'hello',
      subject: fromHostsPattern('hello'),
      // Unsealed: only the host's first message in the session proves who sent this.
      envelope: async ({ data }) => ({ data, seal: (outcome) => ({ data: outcome.subarray(1) }) }),
      async handle(body, { subject }) {
        const hello = parseRequest(Hello, body);
        const hostId = senderOf(subject);
        const to = hello.hostMoment;
        if (hello.installation !== undefined && hello.installation !== holder.installation) {
          const refused = otherInstallation('host', hello.installation, holder);
          log.warn({ hostId, installation: hello.installation }, 'a host of another installation was refused');
          return { to, refused };
        }
        const known = await rowNow(scope, hostId);
        if (known?.key != null && known.key !== hello.hostKey) {
          const refused = keyMismatch(known);
          log.warn({ hostId, why: refused.message }, 'a host was refused');
          return { to, refused };
        }
        return { to, ...lines.begin(hostId, hello, known?.key != null) };
      },
    },
    {
      name: 'here',
      subject: fromHostsPattern('here'),
      envelope: lines.envelope,
      async handle(body, { sender }) {
        const here = parseRequest(Here, body);
        if (sender === undefined) throw new Failure('INTERNAL', 'A host sent a request without a session');
        await takeLease(scope, sender, here);
        return { isOfAnotherLog: !isOfThisLog(scope, here.cursor), registryNow: lines.now() };
      },
    },
  ];
}

/** Asks every host to begin a session: a registry that has just started has none. */
export async function greetHosts({ store, bus }: HostScope): Promise<void> {
  for (const { id } of await store.read(({ hosts }) => hosts.all())) bus.publish(hostSubject(id, 'greet'));
}

/** A host's row, read again if a person had a key forgotten meanwhile. */
async function rowNow({ store, lines }: HostScope, hostId: string): Promise<StoredHost | undefined> {
  for (;;) {
    const { keysForgotten } = lines;
    const row = await store.read(({ hosts }) => hosts.find(hostId));
    if (lines.keysForgotten === keysForgotten) return row;
  }
}
