const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const fourOctets = new RegExp(`^127(?:\\.${octet}){3}$`);

/** The addresses that browsers resolve names under `localhost` to. */
const localhostAddresses = ['127.0.0.1', '::1'] as const;

/** The beginning of the addresses from which hosts pass on connections of isolated agents, a network of loopback for them alone. */
const isolatedNetwork = '127.74.';

/**
 * The address from which a host passes on connections of an isolated agent to a gateway on the same machine.
 * @param digest a digest of the agent's id, in hexadecimal
 */
export function isolatedPeer(digest: string): string {
  const [one, other] = [digest.slice(0, 2), digest.slice(2, 4)].map((byte) => Number.parseInt(byte, 16));
  return `${isolatedNetwork}${one}.${other}`;
}

/**
 * Whether a connection comes from an isolated agent, given the address of its peer, also as IPv6 has it. A gateway answers it
 * nothing that it answers its own machine without a token.
 */
export function isIsolatedPeer(address: string): boolean {
  return address.replace(/^::ffff:/i, '').startsWith(isolatedNetwork);
}

/**
 * Whether an address, alone or in a URL's brackets, is unambiguously a loopback address. Names and unusual spellings
 * are not, because other programs may resolve them differently.
 */
export function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^\[(.*)\]$/, '$1');
  if (!plain.includes(':')) return fourOctets.test(plain);
  return URL.parse(`http://[${plain}]/`)?.hostname === '[::1]';
}

/** The same, or `localhost`, for places where muster itself resolves it to 127.0.0.1. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || isLoopbackAddress(host);
}

/**
 * The addresses that a service bound to one address listens on, that one first. A browser may resolve the page's name
 * to either loopback address, IPv6 first. Another program that held one could pose as the page, so a service on
 * loopback takes both.
 */
export function addressesOf(bind: string): readonly [string, ...string[]] {
  if (!isLoopback(bind)) return [bind];
  const first = bind.includes(':') ? '::1' : isLoopbackAddress(bind) ? bind : '127.0.0.1';
  return [first, ...localhostAddresses.filter((address) => address !== first)];
}
