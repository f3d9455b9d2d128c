/**
 * What is wrong with a list of bus addresses, separated by commas; undefined where nothing is. Passwords and tokens cross the
 * bus, so that one to another machine is encrypted: plain `nats://` is for this machine alone, by a name or an address that
 * cannot be anybody else's.
 */
export function faultOfAddresses(list: string): string | undefined {
  const urls = urlsIn(list);
  if (urls.some((url) => !/^(nats|tls):$/.test(url?.protocol ?? '') || url?.hostname === '')) {
    return 'must be nats:// or tls:// addresses, separated by commas, such as nats://127.0.0.1:4222';
  }
  const open = urls.find((url) => url?.protocol === 'nats:' && !isThisMachine(url.hostname));
  if (open == null) return undefined;
  return `must be tls:// where it leads to another machine, and ${open.protocol}//${open.host} is in clear: write tls://${open.host}`;
}

/** Whether every server of a list, and each that it names later, has to encrypt its connections. */
export function wantsTls(list: string): boolean {
  return urlsIn(list).some((url) => url?.protocol === 'tls:');
}

/** The servers of a list, each as what was checked: nothing is left in it that could be read as another host. */
export function serversOf(list: string): string[] {
  return urlsIn(list).flatMap((url) => (url === null ? [] : [`${url.protocol}//${url.host}`]));
}

function urlsIn(list: string): (URL | null)[] {
  return list.split(',').map((one) => URL.parse(one.trim()));
}

/** Only what is written as loopback is: a name may be resolved to anything, and odd spellings are read differently. */
function isThisMachine(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return host === 'localhost' || host === '::1' || /^127(\.(0|[1-9][0-9]{0,2})){3}$/.test(host);
}
