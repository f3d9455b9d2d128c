import type { Plan, PlannedMember, StartPlanOptions } from '#service/start-plan.ts';
import { joinedFilesIn } from './joined-files.ts';
import type { JoinRecord } from './joined-state.ts';

/**
 * Plans the processes of a machine that has joined another installation: a host, and a gateway on loopback beside it,
 * which agents and commands on this machine call.
 */
export function planJoined(
  { environment, folder }: Pick<StartPlanOptions, 'environment' | 'folder'>,
  joined: JoinRecord,
): Plan {
  const files = joinedFilesIn(folder.home);
  const all = {
    ...environment,
    MUSTER_BIND: undefined,
    MUSTER_URL: undefined,
    MUSTER_TLS_CERT: undefined,
    MUSTER_TLS_KEY: undefined,
    MUSTER_BUS_URL: joined.busUrl,
    MUSTER_BUS_KEYS: undefined,
    MUSTER_BUS_CA: joined.busAuthority,
    MUSTER_DATABASE_URL: undefined,
    MUSTER_DATABASE_PASSWORD_FILE: undefined,
  };
  const planned = (member: 'host' | 'gateway'): PlannedMember => ({
    name: member,
    member,
    environment: { ...all, MUSTER_BUS_CREDENTIALS: files[member] },
  });
  return { members: [planned('host'), planned('gateway')] };
}
