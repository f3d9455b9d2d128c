import { isLoopback } from '#contract/access/loopback.ts';

/** The name with which a probe tries that names are refused. No such host exists. */
export const probedHost = 'refused.invalid';

/** A host and a port that an isolated program asked for. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/**
 * Whether a destination is one of those named: `example.com`, `*.example.com` for any name below it, and either with a
 * port, such as `example.com:8443`. An address is matched only by itself.
 */
export function isNamed({ host, port }: Destination, names: readonly string[]): boolean {
  const asked = host.toLowerCase().replace(/\.$/, '');
  return names.some((name) => {
    const [, pattern = '', wanted] = /^(.*?)(?::([0-9]+))?$/.exec(name.toLowerCase()) ?? [];
    if (wanted !== undefined && Number(wanted) !== port) return false;
    const isBelow = pattern.startsWith('*.') && !isAddress(asked) && asked.endsWith(pattern.slice(1));
    return asked === pattern || isBelow;
  });
}

/** Whether a host is named by an address of its own machine. */
export function isOwnMachine(host: string): boolean {
  return isLoopback(host) || host.toLowerCase().endsWith('.localhost');
}

function isAddress(host: string): boolean {
  return host.includes(':') || /^[0-9.]+$/.test(host);
}
