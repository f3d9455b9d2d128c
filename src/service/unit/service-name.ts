import { basename } from 'node:path';
import { defaultStateFolder } from '#cli/client/connection.ts';
import type { JoinRecord } from '#service/join/joined-state.ts';

/**
 * The name of a state folder's service: that of the host, of a machine that has joined, and otherwise `muster`, followed by the
 * folder's name if it is not the default one.
 */
export function serviceName(
  home: string,
  joined: Pick<JoinRecord, 'name'> | undefined,
  environment: NodeJS.ProcessEnv,
): string {
  const own = home === defaultStateFolder(environment) ? undefined : basename(home);
  const suffix = joined?.name ?? own;
  return suffix === undefined ? 'muster' : `muster-${suffix.replace(/[^A-Za-z0-9_-]+/g, '-')}`;
}
