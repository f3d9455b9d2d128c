import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect, type DetailedPeerCertificate } from 'node:tls';

/** How long a server may take to show its certificates, in milliseconds. */
const answersWithin = 5_000;

/**
 * The result of a search: the certificate with the fingerprint, in PEM, or else the fingerprint of the server's own
 * one.
 */
export type PresentedCertificate = { readonly pem: string } | { readonly instead: string };

/**
 * Looks for a certificate, by its SHA-256 in base64url, in the chain that a server presents. Nothing is sent to the
 * server, and the certificate proves nothing yet: the server must still be verified against it.
 * @throws the error of the connection
 */
export async function shownCertificate(url: string, fingerprint: string): Promise<PresentedCertificate> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve, reject } = Promise.withResolvers<PresentedCertificate>();
  const socket = connect({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    // The chain is only read here. Later connections are checked against it.
    rejectUnauthorized: false,
    timeout: answersWithin,
  });
  socket.once('error', reject);
  socket.once('timeout', () => reject(Object.assign(new Error('it does not answer'), { name: 'TimeoutError' })));
  socket.once('secureConnect', () => {
    const chain = chainOf(socket.getPeerCertificate(true));
    const found = chain.find((certificate) => fingerprintOf(certificate) === fingerprint);
    resolve(found === undefined ? { instead: chain[0] ? fingerprintOf(chain[0]) : '' } : { pem: found.toString() });
  });
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

/** The SHA-256 of a certificate in base64url. */
export function fingerprintOf({ fingerprint256 }: X509Certificate): string {
  return Buffer.from(fingerprint256.replaceAll(':', ''), 'hex').toString('base64url');
}

/** The certificates that a server presented, its own one first. */
function chainOf(first: DetailedPeerCertificate): X509Certificate[] {
  const chain: X509Certificate[] = [];
  const seen = new Set<string>();
  for (let one = first; one?.raw !== undefined && !seen.has(one.fingerprint256); one = one.issuerCertificate) {
    seen.add(one.fingerprint256);
    chain.push(new X509Certificate(one.raw));
  }
  return chain;
}
