import type { EntityManager } from '@mikro-orm/sqlite';

/** A life of a machine, as a survey names it. */
interface Surveyed {
  readonly id: string;
  readonly name: string;
  /** The value of its machine's snapshot. */
  readonly value: unknown;
}

/** What is counted, and how its lives are named. */
interface Place {
  readonly table: string;
  readonly name: string;
  /** The newest of them come first by this. */
  readonly order: string;
  readonly where?: string;
}

/** Where the lives of each machine stand: names of our own alone, nothing that anybody gave. */
const places: Readonly<Record<string, Place>> = {
  agent: { table: 'agent', name: 'name', order: 'updated_at', where: "standing <> 'gone'" },
  doorbell: { table: 'doorbell', name: 'agent_id', order: 'raised_at', where: 'closed_at is null' },
  firing: { table: 'firing', name: 'schedule_id', order: 'id' },
  host: { table: 'host', name: 'name', order: 'seen_at' },
  'review-batch': { table: 'review', name: 'agent_id', order: 'created_at', where: 'released_at is not null' },
  schedule: { table: 'schedule', name: 'name', order: 'updated_at' },
  sweep: { table: 'repository', name: 'spelled', order: 'created_at' },
};
/** Where a machine's state stands in its row. */
const value = `snapshot -> '$.value'`;
/** How many lives a survey names. */
const mostNamed = 100;

/** Counts the lives of machines by their states. */
export class SurveyTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  /** How many lives of a machine there are by the value of their snapshots, and the newest of them. One aggregate, one page. */
  async of(machine: string): Promise<{ counts: { value: unknown; count: number }[]; subjects: Surveyed[] }> {
    const place = places[machine];
    if (place === undefined) return { counts: [], subjects: [] };
    const { table, name, order, where = 'true' } = place;
    const subjects = await this.#em.execute<{ id: string; name: string; value: string }[]>(
      `select id, ${name} as name, ${value} as value from "${table}" where ${where} order by ${order} desc limit ${mostNamed}`,
    );
    return {
      counts: await this.counts(machine),
      subjects: subjects.map(({ id, name, value }) => ({ id: String(id), name, value: JSON.parse(value) })),
    };
  }

  /** How many lives of a machine there are by the value of their snapshots. One aggregate. */
  async counts(machine: string): Promise<{ value: unknown; count: number }[]> {
    const place = places[machine];
    if (place === undefined) return [];
    const { table, where = 'true' } = place;
    const counts = await this.#em.execute<{ value: string; count: number }[]>(
      `select ${value} as value, count(*) as count from "${table}" where ${where} group by 1 order by 1`,
    );
    return counts.map(({ value, count }) => ({ value: JSON.parse(value), count: Number(count) }));
  }
}
