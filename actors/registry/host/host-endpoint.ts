import type { Endpoint } from '#bus/bus.ts';
import { fromHostsPattern } from '#bus/subjects.ts';
import type { RegistryHolder } from '#contract/wire/registry-lease.ts';

/** An endpoint that hosts call. Its name is the verb. */
export type HostEndpoint = Omit<Endpoint, 'subject'>;

/** The subjects of an endpoint: one that any registry answers, one that only this registry answers. */
export function placesOf(endpoint: HostEndpoint, { instance }: Pick<RegistryHolder, 'instance'>): readonly Endpoint[] {
  const { name } = endpoint;
  return [
    { ...endpoint, subject: fromHostsPattern(name) },
    { ...endpoint, name: `own-${name}`, subject: fromHostsPattern(name, instance) },
  ];
}
