import type { EntityManager } from '@mikro-orm/sql';
import type { Clock } from '#contract/clock.ts';
import { CredentialTable } from '#store/access/credential-table.ts';
import { SessionTable } from '#store/access/session-table.ts';
import { SignInCodeTable } from '#store/access/sign-in-code-table.ts';
import { AgentJournal } from '#store/agent/agent-journal.ts';
import { AgentSearch } from '#store/agent/agent-search.ts';
import { AgentTable } from '#store/agent/agent-table.ts';
import { AgentTransitionTable } from '#store/agent/agent-transition-table.ts';
import { ResultTable } from '#store/agent/result-table.ts';
import { BudgetTable } from '#store/budget/budget-table.ts';
import { DeadlineTable } from '#store/deadline/deadline-table.ts';
import { DepartureTable } from '#store/departure/departure-table.ts';
import { RoundPackageTable } from '#store/departure/round-package-table.ts';
import { DoorbellTable } from '#store/doorbell/doorbell-table.ts';
import { FactTable } from '#store/fact/fact-table.ts';
import { ForgeConnectionTable } from '#store/forge/forge-connection-table.ts';
import { PullRequestTable } from '#store/forge/pull-request-table.ts';
import { RepositoryTable } from '#store/forge/repository-table.ts';
import { HostTable } from '#store/host/host-table.ts';
import { InstanceJournal } from '#store/instance/instance-journal.ts';
import { HostInvitationTable } from '#store/joining/host-invitation-table.ts';
import { JoinedHostTable } from '#store/joining/joined-host-table.ts';
import { LeaseTable } from '#store/lease/lease-table.ts';
import { AccountLimitTable } from '#store/limit/account-limit-table.ts';
import { SurveyTable } from '#store/machine/survey-table.ts';
import { TransitionTable } from '#store/machine/transition-table.ts';
import { MailTable } from '#store/mail/mail-table.ts';
import { NoticeTable } from '#store/notify/notice-table.ts';
import { ProfileTable } from '#store/profile/profile-table.ts';
import { PendingRestoreTable } from '#store/queue/pending-restore-table.ts';
import { QueuedLaunchTable } from '#store/queue/queued-launch-table.ts';
import { RunTable } from '#store/run/run-table.ts';
import { FiringTable } from '#store/schedule/firing-table.ts';
import { ScheduleTable } from '#store/schedule/schedule-table.ts';
import { SettingTable } from '#store/setting/setting-table.ts';
import { WorkflowTable } from '#store/workflow/workflow-table.ts';
import { DiskTable } from './agent/disk-table.ts';
import { FigureTable } from './figure-table.ts';
import { LogPositions } from './kernel/log-positions.ts';
import { GenerationTable } from './log/generation-table.ts';
import { ReviewTable } from './review/reviews.ts';
import { ReviewRoundTable } from './review/rounds.ts';

/** All tables, within one transaction. They are valid only until its work is done. */
export interface Tables {
  readonly accountLimits: AccountLimitTable;
  readonly agents: AgentTable;
  readonly agentSearch: AgentSearch;
  readonly instances: InstanceJournal;
  readonly journal: AgentJournal;
  readonly workflows: WorkflowTable;
  readonly hosts: HostTable;
  readonly hostInvitations: HostInvitationTable;
  readonly joinedHosts: JoinedHostTable;
  readonly budgets: BudgetTable;
  readonly credentials: CredentialTable;
  readonly deadlines: DeadlineTable;
  readonly departures: DepartureTable;
  readonly doorbells: DoorbellTable;
  readonly facts: FactTable;
  readonly figures: FigureTable;
  readonly firings: FiringTable;
  readonly forgeConnections: ForgeConnectionTable;
  readonly generations: GenerationTable;
  readonly leases: LeaseTable;
  readonly mail: MailTable;
  readonly moves: AgentTransitionTable;
  readonly runs: RunTable;
  readonly notices: NoticeTable;
  readonly pendingRestores: PendingRestoreTable;
  readonly positions: LogPositions;
  readonly profiles: ProfileTable;
  readonly pullRequests: PullRequestTable;
  readonly queuedLaunches: QueuedLaunchTable;
  readonly repositories: RepositoryTable;
  readonly disks: DiskTable;
  readonly results: ResultTable;
  readonly reviews: ReviewTable;
  readonly roundPackages: RoundPackageTable;
  readonly rounds: ReviewRoundTable;
  readonly schedules: ScheduleTable;
  readonly sessions: SessionTable;
  readonly settings: SettingTable;
  readonly signInCodes: SignInCodeTable;
  readonly surveys: SurveyTable;
  readonly transitions: TransitionTable;
}

/** The parts of the journal that do not depend on the transaction. */
export type Writers = Pick<ConstructorParameters<typeof AgentJournal>[0], 'viewOf' | 'current' | 'traceOf'>;

/** What the tables of one transaction share. */
interface TableScope {
  readonly em: EntityManager;
  readonly clock: Clock;
  readonly writers: Writers;
}

/** Makes each table from its transaction and from the tables that it writes as well. */
const makers: { readonly [Name in keyof Tables]: (scope: TableScope & Tables) => Tables[Name] } = {
  accountLimits: ({ em, clock }) => new AccountLimitTable(em, clock),
  agents: ({ em, positions }) => new AgentTable(em, positions),
  agentSearch: ({ em }) => new AgentSearch(em),
  instances: ({ em, facts, deadlines, transitions }) => new InstanceJournal({ em, facts, deadlines, transitions }),
  journal: ({ em, clock, writers, agents, facts, instances, moves, positions, runs, results }) =>
    new AgentJournal({ em, clock, ...writers, agents, facts, instances, moves, positions, runs, results }),
  workflows: ({ em }) => new WorkflowTable(em),
  hosts: ({ em }) => new HostTable(em),
  hostInvitations: ({ em }) => new HostInvitationTable(em),
  joinedHosts: ({ em }) => new JoinedHostTable(em),
  budgets: ({ em }) => new BudgetTable(em),
  credentials: ({ em, clock }) => new CredentialTable(em, clock),
  deadlines: ({ em, clock }) => new DeadlineTable(em, clock),
  departures: ({ em }) => new DepartureTable(em),
  doorbells: ({ em }) => new DoorbellTable(em),
  facts: ({ em, clock, positions }) => new FactTable(em, clock, positions),
  figures: ({ em }) => new FigureTable(em),
  firings: ({ em }) => new FiringTable(em),
  forgeConnections: ({ em }) => new ForgeConnectionTable(em),
  generations: ({ em, positions }) => new GenerationTable(em, positions),
  leases: ({ em, clock }) => new LeaseTable(em, clock),
  mail: ({ em }) => new MailTable(em),
  moves: ({ em, clock }) => new AgentTransitionTable(em, clock),
  runs: ({ em, clock }) => new RunTable(em, clock),
  notices: ({ em, clock }) => new NoticeTable(em, clock),
  pendingRestores: ({ em }) => new PendingRestoreTable(em),
  positions: ({ em }) => new LogPositions(em),
  profiles: ({ em }) => new ProfileTable(em),
  pullRequests: ({ em }) => new PullRequestTable(em),
  queuedLaunches: ({ em }) => new QueuedLaunchTable(em),
  repositories: ({ em }) => new RepositoryTable(em),
  disks: ({ em, facts }) => new DiskTable(em, facts),
  results: ({ em }) => new ResultTable(em),
  reviews: ({ em }) => new ReviewTable(em),
  roundPackages: ({ em }) => new RoundPackageTable(em),
  rounds: ({ em }) => new ReviewRoundTable(em),
  schedules: ({ em, positions }) => new ScheduleTable(em, positions),
  sessions: ({ em, clock }) => new SessionTable(em, clock),
  settings: ({ em }) => new SettingTable(em),
  signInCodes: ({ em, clock }) => new SignInCodeTable(em, clock),
  surveys: ({ em }) => new SurveyTable(em),
  transitions: ({ em, clock, positions }) => new TransitionTable(em, clock, positions),
};

/** The tables of a transaction, each made when it is first used: most transactions use a few. */
export function tablesOver(em: EntityManager, clock: Clock, writers: Writers): Tables {
  return Object.assign(Object.create(lazyTables), { em, clock, writers });
}

const lazyTables: object = Object.create(
  null,
  Object.fromEntries(
    Object.entries(makers).map(([name, make]) => [
      name,
      {
        get(this: TableScope & Tables): unknown {
          const value = make(this);
          Object.defineProperty(this, name, { value });
          return value;
        },
      },
    ]),
  ),
);
