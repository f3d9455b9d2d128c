import type { Endpoint } from '#bus/bus.ts';
import { fromHostsPattern } from '#bus/subjects.ts';
import type { RegistryHolder } from '#contract/wire/registry-lease.ts';

/** An endpoint that hosts call. Its name is the verb. */
export type HostEndpoint = Omit<Endpoint, 'subject'>;

/**
 * Where hosts call an endpoint: at any registry, as hosts do that have no session, and at this one, with which a host
 * has one.
 */
export function placesOf(endpoint: HostEndpoint, { instance }: Pick<RegistryHolder, 'instance'>): readonly Endpoint[] {
  const { name } = endpoint;
  return [
    { ...endpoint, subject: fromHostsPattern(name) },
    { ...endpoint, name: `own-${name}`, subject: fromHostsPattern(name, instance) },
  ];
}
