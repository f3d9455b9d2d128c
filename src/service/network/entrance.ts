import { isIPv6 } from 'node:net';
import { addressesOf } from '#contract/access/loopback.ts';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { networkAddresses, ownNames } from '#world/net/own-addresses.ts';
import { findPort } from '#world/net/tcp-port.ts';
import { type CertificateFiles, ensureCertificates } from './certificate-files.ts';

/** The addresses at which other machines reach an installation that listens beyond loopback. */
export interface NetworkEntrance {
  readonly tls: CertificateFiles;
  /**
   * The address and port of the gateway with muster's own certificate; undefined if the gateway has one of a person's.
   */
  readonly gateway: { readonly bind: string; readonly port: number; readonly url: string } | undefined;
  readonly bus: { readonly bind: string; readonly port: number };
}

/**
 * Opens an installation to other machines: finds free ports, and keeps a certificate. Undefined if it listens on
 * loopback alone, or if the bus is not its own.
 * @throws PORT_TAKEN
 */
export async function openEntrance(config: Config, now: number): Promise<NetworkEntrance | undefined> {
  const { network, home, joinUrl } = config;
  if (network === undefined || config.busUrl !== undefined) return undefined;
  const { bind } = network;
  const busPort = await freePort(bind, network.busPort, 'MUSTER_BUS_PORT');
  const bus = { bind, port: busPort };
  const named = config.isJoinUrlGiven ? [new URL(joinUrl).hostname.replace(/^\[(.*)\]$/, '$1')] : [];
  const tls = await ensureCertificates(
    home,
    [...new Set([...ownNames(), ...(isWildcard(bind) ? [] : [bind]), ...named])],
    now,
  );
  if (network.port === undefined) return { tls, bus, gateway: undefined };
  const port = await freePort(bind, network.port, 'MUSTER_TLS_PORT');
  const [first = '127.0.0.1'] = isWildcard(bind) ? networkAddresses() : [bind];
  const url = config.isJoinUrlGiven ? joinUrl : `https://${isIPv6(first) ? `[${first}]` : first}:${port}`;
  return { tls, bus, gateway: { bind, port, url } };
}

/** Whether an address means all addresses of a machine. */
export function isWildcard(bind: string): boolean {
  return bind === '0.0.0.0' || bind === '::';
}

async function freePort(bind: string, port: number, variable: string): Promise<number> {
  const found = await findPort(addressesOf(bind), port);
  if ('port' in found) return found.port;
  throw new Failure(
    'PORT_TAKEN',
    `Port ${port} on ${found.takenAt} is in use by another program. End it, or set ${variable} to another port.`,
  );
}
