const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const fourOctets = new RegExp(`^127(?:\\.${octet}){3}$`);

/** Where browsers find a name under `localhost`. */
const localhostAddresses = ['127.0.0.1', '::1'] as const;

/**
 * Whether an address, alone or as it is in a URL, is written as one of loopback and can be read as nothing else: names,
 * short and odd spellings are not, since others may read them differently.
 */
export function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^\[(.*)\]$/, '$1');
  if (!plain.includes(':')) return fourOctets.test(plain);
  return URL.parse(`http://[${plain}]/`)?.hostname === '[::1]';
}

/** The same, or `localhost`, if muster itself reads that as 127.0.0.1. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || isLoopbackAddress(host);
}

/**
 * The addresses that a service which binds one listens on, that one first. A browser may look for the page's name at
 * either of localhost's, at IPv6 first: whoever else had it would be the page, so a service on loopback has both.
 */
export function addressesOf(bind: string): readonly [string, ...string[]] {
  if (!isLoopback(bind)) return [bind];
  const first = bind.includes(':') ? '::1' : isLoopbackAddress(bind) ? bind : '127.0.0.1';
  return [first, ...localhostAddresses.filter((address) => address !== first)];
}
