import type { EntityManager } from '@mikro-orm/sql';
import type { Clock } from '#contract/clock.ts';
import type { Failure } from '#contract/failure.ts';
import { type Tracer, traced } from '#contract/tracer.ts';
import type { AgentCommit, AgentRecord } from '#contract/wire/agent-record.ts';
import { CredentialTable } from '#store/access/credential-table.ts';
import { SessionTable } from '#store/access/session-table.ts';
import { SignInCodeTable } from '#store/access/sign-in-code-table.ts';
import type { ViewOf } from '#store/agent/agent-columns.ts';
import { AgentJournal } from '#store/agent/agent-journal.ts';
import { AgentSearch } from '#store/agent/agent-search.ts';
import { AgentTable } from '#store/agent/agent-table.ts';
import { AgentTransitionTable } from '#store/agent/agent-transition-table.ts';
import { ResultTable } from '#store/agent/result-table.ts';
import { BudgetTable } from '#store/budget/budget-table.ts';
import type { Engine, OpenDatabase, SharedTime, WriteTurn } from '#store/database/engine.ts';
import { FaultMemory } from '#store/database/fault-memory.ts';
import { type LogAppend, type StoreFigures, StoreMeasures } from '#store/database/measures.ts';
import { DeadlineTable } from '#store/deadline/deadline-table.ts';
import { DepartureTable } from '#store/departure/departure-table.ts';
import { RoundPackageTable } from '#store/departure/round-package-table.ts';
import { DoorbellTable } from '#store/doorbell/doorbell-table.ts';
import { type AppendedFact, FactTable } from '#store/fact/fact-table.ts';
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
import { entities } from './entities.ts';
import { FigureTable } from './figure-table.ts';
import { LogPositions } from './kernel/log-positions.ts';
import { GenerationTable } from './log/generation-table.ts';
import { migrations, release } from './migrations/list.ts';
import { ReviewTable } from './review/reviews.ts';
import { ReviewRoundTable } from './review/rounds.ts';
import { type SnapshotUpgrades, upgradeSnapshots } from './snapshot-upgrades.ts';

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

/** Work on the tables in one transaction. It must not wait for another transaction of the store. */
type Work<T> = (tables: Tables) => Promise<T>;

export interface WriteOptions {
  /** Whether no read runs meanwhile, for work that also changes state outside the database on which reads depend. */
  readonly exclusive?: boolean;
}

/** Called with the facts of a commit, in the order of the log. */
type FactsListener = (facts: readonly AppendedFact[]) => void;

/** The database. Writes run one at a time, and so do reads. */
export interface Store {
  /** Runs reads on one snapshot of the database. They do not wait for writes. */
  read<T>(work: Work<T>): Promise<T>;
  /** Commits everything that the work writes, durably, or nothing if it throws. */
  write<T>(work: Work<T>, options?: WriteOptions): Promise<T>;
  /**
   * As `write`, but ahead of waiting writes and with a shorter wait for locks, to check whether the database can be
   * written.
   * @throws as `write`; Failure also when there was a fault of the database in the last seconds, or damage since it was
   *   opened
   */
  probe<T>(work: Work<T>): Promise<T>;
  /** The one commit: a decision on an agent. As `AgentJournal.commit`. */
  commitAgent(change: AgentCommit): Promise<AgentRecord>;
  /** How many writes were committed. A read that was requested at the same count is still current. */
  readonly writes: number;
  /** Reads the time for registries that share the database; undefined if only this process writes to it. */
  readonly sharedTime: (() => Promise<SharedTime>) | undefined;
  /** Its metrics since it was opened. */
  figures(): StoreFigures;
  /**
   * Calls the listener after each commit that appended facts to the log, with these facts. Returns a function that
   * removes the listener. A listener must not throw.
   */
  onFacts(listener: FactsListener): () => void;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  /** Derives the columns of an agent's row from its machine's snapshot. */
  readonly viewOf: ViewOf;
  /** Upgrades snapshots of earlier versions; without it they are used as they are. */
  readonly upgrades?: SnapshotUpgrades | undefined;
  /** Records writes as spans, and gives effects the trace that caused them. */
  readonly tracer?: Tracer | undefined;
  /** Called with faults that are found in the open database. `readyz` and Doctor report them, too. */
  readonly onFault?: (error: unknown) => void;
  /** As of `Engine.open`; the process must end. */
  readonly onUnsure?: (failure: Failure) => void;
}

/** Opens the database and migrates its tables. @throws as `Engine.open` */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { engine, clock, viewOf, upgrades, tracer } = options;
  const faults = new FaultMemory();
  const database = await engine.open({
    schema: { entities, migrations, release },
    async prepare(em) {
      if (upgrades !== undefined) await upgradeSnapshots(em, upgrades);
    },
    onFault(failure) {
      faults.note(failure);
      options.onFault?.(failure);
    },
    onUnsure: (failure) => options.onUnsure?.(failure),
  });
  const observers = { measures: new StoreMeasures(database), tracer, faults };
  const current: Writers['current'] = (snapshot, cwd) => upgrades?.upgrade('agent', snapshot, { cwd }) ?? snapshot;
  const writers: Writers = { viewOf, current, traceOf: () => tracer?.current() };
  return storeOver(database, observers, (em) => tablesOver(em, stopped(clock), writers));
}

/** How long a write waits for another program that locks the database, in milliseconds. */
const patienceMs = 5_000;
/** How long a probe waits for that, in milliseconds. */
const probePatienceMs = 300;

/** A stopped clock, so that everything that one transaction writes has the same time. */
function stopped(clock: Clock): Clock {
  const now = clock.now();
  return { now: () => now };
}

/** The observers of a store's work. */
interface Observers {
  readonly measures: StoreMeasures;
  readonly faults: FaultMemory;
  readonly tracer: Tracer | undefined;
}

function storeOver(database: OpenDatabase, observers: Observers, tablesOf: (em: EntityManager) => Tables): Store {
  const { measures, tracer, faults } = observers;
  const readers = measures.turns('reads');
  const writers = measures.turns('writes');
  const judged = <T>(work: Promise<T>): Promise<T> =>
    work.catch(async (error: unknown) => {
      measures.failed(error);
      const failure = await database.failureOf(error);
      faults.note(failure);
      throw failure;
    });
  const { sharedTime } = database;
  const listeners = new Set<FactsListener>();
  let writes = 0;
  const writeAll = async <T>(work: Work<T>, turn: WriteTurn): Promise<T> => {
    let appended: LogAppend & { readonly facts: readonly AppendedFact[] } = { facts: [], transitions: [] };
    const result = await database.write(async (em) => {
      const tables = tablesOf(em);
      const done = await work(tables);
      appended = { facts: tables.facts.appended, transitions: tables.transitions.appended };
      return done;
    }, turn);
    writes += 1;
    measures.wrote(appended);
    if (appended.facts.length > 0) for (const listener of listeners) listener(appended.facts);
    return result;
  };
  const spec = { name: 'commit', kind: 'internal' } as const;
  const tryWrite = <T>(work: Work<T>, turn: WriteTurn): Promise<T> => traced(tracer, spec, () => writeAll(work, turn));
  // Writes keep their order even while one waits for another program's lock.
  const write = <T>(work: Work<T>, { exclusive: alone = false }: WriteOptions = {}): Promise<T> => {
    const inTurn = (over: () => void): Promise<T> => tryWrite(work, { patienceMs, over });
    return judged(writers((over) => (alone ? readers(() => inTurn(over)) : inTurn(over))));
  };
  return {
    read: (work) => readSettled(() => judged(readers(() => readOnce(database, tablesOf, work)))),
    write,
    async probe(work) {
      if (faults.current !== undefined) throw faults.current;
      return judged(tryWrite(work, { patienceMs: probePatienceMs }));
    },
    get writes() {
      return writes;
    },
    sharedTime: sharedTime && (() => judged(sharedTime())),
    figures: () => measures.read(),
    commitAgent: (change) => write(async ({ journal }) => (await journal.commit(change)).record),
    onFacts(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => writers(() => readers(() => database.close())),
  };
}

/** How long a read waits for older transactions in all, and the first pause, in milliseconds. */
const [settlesWithin, settlesFirst] = [1_000, 2];

/** The result of a read, and whether a log had rows that it may not return yet. */
interface LogRead<T> {
  readonly result: T;
  readonly isBehind: boolean;
}

function readOnce<T>(
  database: OpenDatabase,
  tablesOf: (em: EntityManager) => Tables,
  work: Work<T>,
): Promise<LogRead<T>> {
  return database.read(async (em) => {
    const tables = tablesOf(em);
    const result = await work(tables);
    return { result, isBehind: tables.positions.isBehind };
  });
}

/**
 * Reads again while a log has rows that older transactions hold back, which usually end in a moment: a client that was
 * notified of such a row is not notified again. If they do not end, returns what can be read.
 */
async function readSettled<T>(read: () => Promise<LogRead<T>>): Promise<T> {
  for (let pause = settlesFirst, waited = 0; ; waited += pause, pause *= 2) {
    const { result, isBehind } = await read();
    if (!isBehind || waited >= settlesWithin) return result;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** The parts of the journal that do not depend on the transaction. */
type Writers = Pick<ConstructorParameters<typeof AgentJournal>[0], 'viewOf' | 'current' | 'traceOf'>;

function tablesOver(em: EntityManager, clock: Clock, writers: Writers): Tables {
  const positions = new LogPositions(em);
  const agents = new AgentTable(em, positions);
  const facts = new FactTable(em, clock, positions);
  const deadlines = new DeadlineTable(em, clock);
  const moves = new AgentTransitionTable(em, clock);
  const results = new ResultTable(em);
  const runs = new RunTable(em, clock);
  const transitions = new TransitionTable(em, clock, positions);
  const instances = new InstanceJournal({ em, facts, deadlines, transitions });
  return {
    accountLimits: new AccountLimitTable(em, clock),
    agents,
    agentSearch: new AgentSearch(em),
    facts,
    instances,
    figures: new FigureTable(em),
    deadlines,
    moves,
    runs,
    notices: new NoticeTable(em, clock),
    journal: new AgentJournal({ em, clock, ...writers, agents, facts, instances, moves, positions, runs, results }),
    disks: new DiskTable(em, facts),
    results,
    workflows: new WorkflowTable(em),
    hosts: new HostTable(em),
    hostInvitations: new HostInvitationTable(em),
    joinedHosts: new JoinedHostTable(em),
    mail: new MailTable(em),
    pendingRestores: new PendingRestoreTable(em),
    positions,
    departures: new DepartureTable(em),
    doorbells: new DoorbellTable(em),
    profiles: new ProfileTable(em),
    pullRequests: new PullRequestTable(em),
    queuedLaunches: new QueuedLaunchTable(em),
    repositories: new RepositoryTable(em),
    reviews: new ReviewTable(em),
    roundPackages: new RoundPackageTable(em),
    rounds: new ReviewRoundTable(em),
    budgets: new BudgetTable(em),
    credentials: new CredentialTable(em, clock),
    schedules: new ScheduleTable(em, positions),
    firings: new FiringTable(em),
    forgeConnections: new ForgeConnectionTable(em),
    generations: new GenerationTable(em, positions),
    leases: new LeaseTable(em, clock),
    sessions: new SessionTable(em, clock),
    settings: new SettingTable(em),
    signInCodes: new SignInCodeTable(em, clock),
    surveys: new SurveyTable(em),
    transitions,
  };
}
