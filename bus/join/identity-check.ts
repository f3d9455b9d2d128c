import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/** The options of the connection, by which Node checks a certificate. */
interface TlsConnecting {
  /** The dialled host name; unset if an address was dialled. */
  readonly servername?: string;
  readonly socket?: { readonly remoteAddress?: string | undefined };
}

/**
 * Checks a certificate against the dialled name or address. For an address the NATS client passes no name, and Node
 * would check for `localhost` instead.
 */
export function checkIdentity(
  this: TlsConnecting | undefined,
  name: string,
  certificate: PeerCertificate,
): Error | undefined {
  const dialled = this?.servername || this?.socket?.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '');
  return checkServerIdentity(dialled ?? name, certificate);
}
