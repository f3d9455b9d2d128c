import type { ScheduledBackups } from '#contract/backup/scheduled-backups.ts';
import type { AccessScope } from './access/access-scope.ts';
import type { FactScope } from './fact/fact-scope.ts';
import type { ForgeScope } from './forge/forge-scope.ts';
import type { JoiningScope } from './joining/joining-scope.ts';
import type { MailScope } from './mail/mail-scope.ts';
import type { NotifierScope, NotifyScope } from './notify/notify-scope.ts';
import type { ProfileScope } from './profile/profile-scope.ts';
import type { QuestionHints } from './roster/question-hints.ts';
import type { ScheduleScope } from './schedule/schedule-scope.ts';
import type { WorkflowScope } from './workflow/workflow-scope.ts';

/** Which facts are kept: those of the last `days`, and the newest `count` however old. */
export interface FactRetention {
  readonly days: number;
  readonly count: number;
}

type Modules = AccessScope &
  FactScope &
  ForgeScope &
  JoiningScope &
  MailScope &
  NotifyScope &
  ProfileScope &
  ScheduleScope &
  WorkflowScope;

/** The scopes of all of the registry’s modules. */
export interface RegistryScope extends Modules {
  /** Whether a rule is answering an agent now. */
  readonly areAnswering: NotifierScope['areAnswering'];
  readonly questionHints: QuestionHints;
  readonly factsKept: FactRetention;
  /** Makes the scheduled backups; undefined if there are none. */
  readonly backups?: ScheduledBackups | undefined;
  /** Compares worktrees with their review rounds. */
  readonly reviewStatuses: {
    measure(agentId: string): void;
    /** Measures an agent whose base branch has moved; resolves to whether it has a round. */
    remeasure(agentId: string): Promise<boolean>;
    measureAll(hostId: string): void;
  };
}
