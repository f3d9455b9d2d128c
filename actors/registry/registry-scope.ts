import type { AccessScope } from './access/access-scope.ts';
import type { FactScope } from './fact/fact-scope.ts';
import type { ForgeScope } from './forge/forge-scope.ts';
import type { HostScope } from './host/host-scope.ts';
import type { MailScope } from './mail/mail-scope.ts';
import type { NotifyScope } from './notify/notify-scope.ts';
import type { ScheduleScope } from './schedule/schedule-scope.ts';

/** Which facts are kept: those of so many days, and the newest so many however old. */
export interface FactsKept {
  readonly days: number;
  readonly count: number;
}

type Rooms = AccessScope & FactScope & ForgeScope & HostScope & MailScope & NotifyScope & ScheduleScope;

/** What the registry's rooms work with, all of them together. */
export interface RegistryScope extends Rooms {
  readonly factsKept: FactsKept;
  /** Measures the review status of worktrees against their rounds. */
  readonly standings: {
    measure(agentId: string): void;
    /** Measures an agent whose base has moved; answers whether it has a round. */
    remeasure(agentId: string): Promise<boolean>;
    measureAll(hostId: string): void;
  };
}
