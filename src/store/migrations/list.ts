import { BoundSessions } from './bound-sessions.ts';
import { ConfirmedRepositories } from './confirmed-repositories.ts';
import { FirstTables } from './first-tables.ts';
import { ForgeConnections } from './forge-connections.ts';
import { HeldAndRuns } from './held-and-runs.ts';
import { HostConditions } from './host-conditions.ts';
import { HostKeys } from './host-keys.ts';
import { MailTables } from './mail.ts';
import { Moves } from './moves.ts';
import { Notices } from './notices.ts';
import { OpenPullRequests } from './open-pull-requests.ts';
import { PullRequests } from './pull-requests.ts';
import { Reports } from './reports.ts';
import { Results } from './results.ts';
import { Reviews } from './reviews.ts';
import { Schedules } from './schedules.ts';
import { Sessions } from './sessions.ts';
import { StoredHashes } from './stored-hashes.ts';
import { Traces } from './traces.ts';
import { Transitions } from './transitions.ts';
import { UnreadThreads } from './unread-threads.ts';
import { WaitingFor } from './waiting-for.ts';

/** Every migration in the order in which they run. A name is never changed and a migration never edited once released. */
export const migrations = [
  { name: '2026-11-21-first-tables', class: FirstTables },
  { name: '2026-11-22-moves', class: Moves },
  { name: '2026-11-23-reports', class: Reports },
  { name: '2026-11-24-held-and-runs', class: HeldAndRuns },
  { name: '2026-11-24-mail', class: MailTables },
  { name: '2026-11-25-notices', class: Notices },
  { name: '2026-11-26-results', class: Results },
  { name: '2026-11-26-reviews', class: Reviews },
  { name: '2026-11-27-schedules', class: Schedules },
  { name: '2026-11-28-forge-connections', class: ForgeConnections },
  { name: '2026-11-28-sessions', class: Sessions },
  { name: '2026-11-28-pull-requests', class: PullRequests },
  { name: '2026-11-29-transitions', class: Transitions },
  { name: '2026-11-29-traces', class: Traces },
  { name: '2026-11-30-host-conditions', class: HostConditions },
  { name: '2026-11-30-unread-threads', class: UnreadThreads },
  { name: '2026-11-30-waiting-for', class: WaitingFor },
  { name: '2026-12-01-confirmed-repositories', class: ConfirmedRepositories },
  { name: '2026-12-01-bound-sessions', class: BoundSessions },
  { name: '2026-12-01-host-keys', class: HostKeys },
  { name: '2026-12-01-stored-hashes', class: StoredHashes },
  { name: '2026-12-01-open-pull-requests', class: OpenPullRequests },
];
