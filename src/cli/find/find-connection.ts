import { Failure } from '#contract/failure.ts';
import type { ForgeConnection } from '#contract/forge/forge-connection.ts';
import { printable } from '#contract/printable.ts';

/** Finds a connection by its host or id. @throws NOT_FOUND listing those that exist */
export function findConnection(
  connections: readonly ForgeConnection[],
  nameOrId: string,
): { readonly id: string; readonly host: string } {
  const found = connections.find(({ id, host }) => id === nameOrId || host === nameOrId.toLowerCase());
  if (found?.id) return { id: found.id, host: found.host ?? '' };
  const hosts = connections.flatMap(({ host }) => host ?? []);
  const help = hosts.length > 0 ? `there are ${hosts.slice(0, 8).join(', ')}` : 'connect one with `muster forge add`';
  throw new Failure(
    'FORGE_CONNECTION_NOT_FOUND',
    `no forge is connected for ${printable(JSON.stringify(nameOrId))}: ${help}`,
    { metadata: { connectionId: nameOrId } },
  );
}
