import type { EntityManager } from '@mikro-orm/sql';
import type { Clock } from '#contract/clock.ts';
import type { Failure } from '#contract/failure.ts';
import { type Tracer, traced } from '#contract/tracer.ts';
import type { AgentCommit, AgentRecord } from '#contract/wire/agent-record.ts';
import type { ViewOf } from '#store/agent/agent-columns.ts';
import type { Engine, OpenDatabase, SharedTime, WriteTurn } from '#store/database/engine.ts';
import { FaultMemory } from '#store/database/fault-memory.ts';
import { type LogAppend, type StoreFigures, StoreMeasures } from '#store/database/measures.ts';
import type { AppendedFact } from '#store/fact/fact-table.ts';
import { entities } from './entities.ts';
import { migrations, release } from './migrations/list.ts';
import { type SnapshotUpgrades, snapshotUpgrade } from './snapshot-upgrades.ts';
import { type Tables, tablesOver, type Writers } from './tables.ts';

/**
 * Work on the tables in one transaction. It must wait neither for another transaction of the store nor for anything else
 * than its statements: others share its commit.
 */
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
    rows: snapshotUpgrade(upgrades),
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
