import { serversOf } from '#bus/join/address.ts';
import { tryServers } from '#bus/join/join.ts';
import { isLoopback } from '#contract/access/loopback.ts';
import { Failure } from '#contract/failure.ts';
import type { JoinLine } from '#contract/joining/join-line.ts';
import type { JoinedBus } from '#contract/wire/host-joining.ts';
import { isDropped } from '#world/net/tcp-port.ts';

/** How long a server of the bus may take to answer, in milliseconds. */
const answersWithin = 5_000;

/** The bus as this machine reaches it: an encrypted server on loopback is the machine of the gateway. */
export function busFrom({ url }: JoinLine, bus: JoinedBus): JoinedBus {
  const { hostname } = new URL(url);
  const servers = serversOf(bus.url).map((server) => {
    const { protocol, hostname: host, port } = new URL(server);
    const isThere = protocol === 'tls:' && isLoopback(host);
    return `${protocol}//${isThere ? hostname : host}:${port || 4222}`;
  });
  return { ...bus, url: servers.join(',') };
}

/** @throws JOIN_UNREACHABLE when no server of the bus answers as one */
export async function requireBus({ url, authority }: JoinedBus): Promise<void> {
  const lines = await Promise.all(serversOf(url).map((server) => faultOf(server, authority)));
  if (lines.includes(undefined)) return;
  throw new Failure(
    'JOIN_UNREACHABLE',
    `This machine reaches the gateway, but not the bus. ${lines.join('; ')}. The line can be used again`,
  );
}

/**
 * Why this machine cannot reach a server of the bus; undefined if it can. A refusal of the credential is not an error
 * yet.
 */
async function faultOf(server: string, authority: string | undefined): Promise<string | undefined> {
  // The client of NATS would leave a connection behind that waits for minutes, and this process with it.
  if (await isDropped(server, answersWithin))
    return `${server}: nothing there answers within ${answersWithin / 1_000} s: a firewall drops the packets, or the machine does not exist`;
  const [found] = await tryServers({ url: server, authority });
  return found === undefined || found.fault.kind === 'NOT_ADMITTED' ? undefined : `${server}: ${found.fault.words}`;
}
