import type { EntityManager } from '@mikro-orm/sql';
import { limitTo } from '#store/kernel/limit.ts';

/** An instance of a machine, as listed. */
export interface ListedInstance {
  readonly id: string;
  readonly name: string;
  /** The value of its machine's snapshot. */
  readonly value: unknown;
  /** The number by which instances are sorted, newest first. */
  readonly at: number;
}

/** Selects instances. */
export interface InstanceFilter {
  /**
   * Each must be part of the name or the id, in upper or lower case, or `meansState` must be true for it and the
   * instance's value.
   */
  readonly words: readonly string[];
  readonly meansState: (word: string, value: unknown) => boolean;
  /** Whether instances with this value are selected. */
  readonly isIn: (value: unknown) => boolean;
}

/** The instance after which a listing continues. */
export interface InstancePlace {
  readonly at: number;
  readonly id: string;
}

/** The table of a machine's instances, and SQL for their names and order, in which `t` is the table. */
interface Place {
  readonly table: string;
  readonly name: string;
  /** An integer, by which instances are sorted, newest first. */
  readonly order: string;
  readonly where?: string;
}

const agentName = '(select a.name from "agent" a where a.id = t.agent_id)';
const scheduleName = '(select s.name from "schedule" s where s.id = t.schedule_id)';

/** The tables, by machine. They are constants, because they become part of SQL statements. */
const places: Readonly<Record<string, Place>> = {
  agent: { table: 'agent', name: 't.name', order: 't.updated_at', where: "t.standing <> 'gone'" },
  doorbell: { table: 'doorbell', name: `coalesce(${agentName}, t.agent_id)`, order: 't.raised_at' },
  firing: {
    table: 'firing',
    name: `coalesce(${scheduleName}, t.schedule_id) || ' ' || cast(t.id as text)`,
    order: 't.id',
  },
  host: { table: 'host', name: 't.name', order: 't.seen_at' },
  'review-batch': {
    table: 'review',
    name: `coalesce(${agentName}, t.agent_id)`,
    order: 't.created_at',
    where: 't.released_at is not null',
  },
  schedule: { table: 'schedule', name: 't.name', order: 't.updated_at' },
  sweep: { table: 'repository', name: 't.spelled', order: 't.created_at' },
};

const stateValue = `cast(t.snapshot -> 'value' as text)`;

/** Counts the instances of machines by state, and finds them. */
export class SurveyTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  /** How many instances of a machine there are, by the value of their snapshots. */
  async counts(machine: string): Promise<{ value: unknown; count: number }[]> {
    const { table, where = 'true' } = placeOf(machine);
    const counts = await this.#em.execute<{ value: string; count: number }[]>(
      `select ${stateValue} as value, count(*) as count from "${table}" t where ${where} group by 1 order by 1`,
    );
    return counts.map(({ value, count }) => ({ value: JSON.parse(value), count: Number(count) }));
  }

  /** Instances of a machine that match a filter, newest first, after an instance. */
  async instances(
    machine: string,
    limit: number,
    wanted?: InstanceFilter,
    after?: InstancePlace,
  ): Promise<ListedInstance[]> {
    const { from, values } = await this.#wanted(machine, wanted);
    const place = after === undefined ? '' : ' where (at, id) < (?, ?)';
    const end = limitTo(this.#em, limit);
    const rows = await this.#em.execute<{ id: string; name: string; value: string; at: number }[]>(
      `select * from (${from}) as found${place} order by at desc, id desc${end.sql}`,
      [...values, ...(after === undefined ? [] : [after.at, idIn(after.id)]), ...end.parameters],
    );
    return rows.map(({ id, name, value, at }) => ({ id: String(id), name, value: JSON.parse(value), at: Number(at) }));
  }

  /** How many instances of a machine match. */
  async count(machine: string, wanted: InstanceFilter): Promise<number> {
    const { from, values } = await this.#wanted(machine, wanted);
    const [row] = await this.#em.execute<{ count: number }[]>(
      `select count(*) as count from (${from}) as found`,
      values,
    );
    return Number(row?.count ?? 0);
  }

  /** A query for the instances that match. States are few, so which of them match is decided outside the query. */
  async #wanted(machine: string, wanted: InstanceFilter | undefined): Promise<{ from: string; values: unknown[] }> {
    const { table, name, order, where = 'true' } = placeOf(machine);
    const columns = `t.id as id, ${name} as name, ${stateValue} as value, ${order} as at`;
    const all = `select ${columns} from "${table}" t where ${where}`;
    if (wanted === undefined) return { from: all, values: [] };
    const known = (await this.counts(machine)).map(({ value }) => value);
    const values: unknown[] = [];
    const among = (those: readonly unknown[]): string => {
      if (those.length === 0) return 'false';
      values.push(...those.map((value) => JSON.stringify(value)));
      return `value in (${those.map(() => '?').join(', ')})`;
    };
    const conditions = wanted.words.map((word) => {
      const pattern = `%${word.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
      values.push(pattern, pattern);
      const states = among(known.filter((value) => wanted.meansState(word, value)));
      return `(lower(name) like ? escape '\\' or lower(cast(id as text)) like ? escape '\\' or ${states})`;
    });
    const within = known.filter((value) => wanted.isIn(value));
    if (within.length < known.length) conditions.push(among(within));
    return {
      from: `select * from (${all}) as every${conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''}`,
      values,
    };
  }
}

/** The id as its column holds it: firings have numbers, all other instances have texts. */
function idIn(id: string): string | number {
  return /^[0-9]+$/.test(id) ? Number(id) : id;
}

function placeOf(machine: string): Place {
  const place = places[machine];
  if (place === undefined) throw new Error(`no table is known for the instances of ${machine}`);
  return place;
}
