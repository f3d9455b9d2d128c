import type { EntityManager } from '@mikro-orm/sql';
import { type LogPositions, rowBits } from '#store/kernel/log-positions.ts';
import { rowsOf } from '#store/kernel/rows.ts';
import { GenerationEntity, type StoredGeneration } from './generation-entity.ts';

/** How many generations are kept. Cursors from before the oldest are refused. */
const kept = 1_000;

const ends = `select (select coalesce(max("seq"), 0) from "fact") as "facts",
  (select coalesce(max("seq"), 0) from "transition") as "moves",
  (select coalesce(max("record_seq"), 0) from "agent") as "records"`;

const ownServer = `select system_identifier || '/' || oid as "server", pg_current_xact_id()::text::bigint as "transaction"
  from pg_control_system(), pg_database where datname = current_database()`;

/** An integer, as any of the databases returns it. */
type Count = bigint | number | string;

/** The ends of the logs. */
type LogEnds = Pick<StoredGeneration, 'facts' | 'moves' | 'records'>;

/**
 * The generations of the logs in this database. On SQLite each start of the registry begins one, on PostgreSQL the
 * first start on a server. A restored copy lacks the generations that began after it was made.
 */
export class GenerationTable {
  readonly #em: EntityManager;
  readonly #positions: LogPositions;

  constructor(em: EntityManager, positions: LogPositions) {
    this.#em = em;
    this.#positions = positions;
  }

  /** All generations that are kept, oldest first. */
  all(): Promise<readonly StoredGeneration[]> {
    return rowsOf(this.#em, GenerationEntity, {}, { orderBy: { ordinal: 'asc' } });
  }

  /**
   * Records the start of a registry, and deletes the oldest generation. Registries that share a server share its
   * generation.
   */
  async begin(id: string): Promise<void> {
    const { isShared } = this.#positions;
    const last = isShared ? (await this.all()).at(-1) : undefined;
    const own = isShared ? await this.#ownServer() : undefined;
    if (own !== undefined && last?.server === own.server) return;
    const ended = await this.#ends();
    const raised = own === undefined ? 0n : raisedAbove([ended, ...(last ? [last] : [])], own.transaction);
    const row = { id, ...ended, raised, server: own?.server ?? null };
    const ordinal = await this.#em.insert(GenerationEntity, row);
    await this.#em.nativeDelete(GenerationEntity, { ordinal: { $lte: Number(ordinal) - kept } });
  }

  /** Marks a copy as not on any server, so that its first start begins a generation even on the original server. */
  async leaveServer(): Promise<void> {
    await this.#em.execute('update "log_generation" set "server" = null');
  }

  async #ownServer(): Promise<{ readonly server: string; readonly transaction: bigint }> {
    const [{ server, transaction }] = await this.#em.execute<[{ server: string; transaction: Count }]>(ownServer);
    return { server, transaction: BigInt(transaction) };
  }

  /** The ends of the logs, even if they may not be read that far yet. */
  async #ends(): Promise<LogEnds> {
    const [{ facts, moves, records }] = await this.#em.execute<[Record<keyof LogEnds, Count>]>(ends);
    return { facts: BigInt(facts), moves: BigInt(moves), records: BigInt(records) };
  }
}

/** The offset that raises the positions of this transaction, and of later ones, above all earlier positions. */
function raisedAbove(ended: readonly LogEnds[], transaction: bigint): bigint {
  const positions = ended.flatMap(({ facts, moves, records }) => [facts, moves, records]);
  const needed = positions.map((place) => (place >> rowBits) + 1n - transaction);
  return needed.reduce((most, one) => (one > most ? one : most), 0n);
}
