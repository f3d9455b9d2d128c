import { addressesOf } from '#contract/access/loopback.ts';
import { findPort } from '#world/net/tcp-port.ts';

/**
 * A port of an address, of loopback in both families, that was free a moment ago.
 * @throws Error when it has none
 */
export async function freePort(address = '127.0.0.1'): Promise<number> {
  const found = await findPort(addressesOf(address), 0);
  if ('port' in found) return found.port;
  throw new Error(`no port of ${address} is free: ${found.takenAt}`);
}
