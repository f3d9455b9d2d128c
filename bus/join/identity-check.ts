import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/** What Node checks a certificate for: the options of the very connection. */
interface TlsConnecting {
  /** The name that was dialled, or nothing if an address was. */
  readonly servername?: string;
  readonly socket?: { readonly remoteAddress?: string | undefined };
}

/**
 * Checks a certificate against what was dialled: the name, or if an address was dialled, that address. The client gives
 * no name for an address, and Node would check `localhost` in its place.
 */
export function checkIdentity(
  this: TlsConnecting | undefined,
  name: string,
  certificate: PeerCertificate,
): Error | undefined {
  const dialled = this?.servername || this?.socket?.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '');
  return checkServerIdentity(dialled ?? name, certificate);
}
