import { isLoopback } from '#contract/access/loopback.ts';

/**
 * What is wrong with a list of bus addresses, separated by commas; undefined if it is valid. Passwords and tokens cross
 * the bus, so a connection to another machine must be encrypted. Plain `nats://` is allowed only for this machine, by a
 * name or an address that cannot belong to another machine.
 */
export function faultOfAddresses(list: string): string | undefined {
  const urls = urlsIn(list);
  if (urls.some((url) => !/^(nats|tls):$/.test(url?.protocol ?? '') || url?.hostname === '')) {
    return 'must be nats:// or tls:// addresses, separated by commas, such as nats://127.0.0.1:4222';
  }
  const open = urls.find((url) => url?.protocol === 'nats:' && !isLoopback(url.hostname));
  if (open == null) return undefined;
  return `must be tls:// for another machine, and ${open.protocol}//${open.host} is not encrypted: write tls://${open.host}`;
}

/** Whether every server of a list, and each that it names later, has to encrypt its connections. */
export function wantsTls(list: string): boolean {
  return urlsIn(list).some((url) => url?.protocol === 'tls:');
}

/**
 * The servers of a list, normalized so that nothing in them can be read as another host. Unencrypted, localhost becomes
 * 127.0.0.1: the name could lead to another program on `::1`.
 */
export function serversOf(list: string): string[] {
  return urlsIn(list).flatMap((url) => {
    if (url === null) return [];
    const isName = url.protocol === 'nats:' && url.hostname.toLowerCase() === 'localhost';
    return [`${url.protocol}//${isName ? url.host.replace(/^localhost/i, '127.0.0.1') : url.host}`];
  });
}

function urlsIn(list: string): (URL | null)[] {
  return list.split(',').map((one) => URL.parse(one.trim()));
}
