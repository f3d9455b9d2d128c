import { type EntityManager, raw } from '@mikro-orm/sqlite';
import type { RegistryFigures } from '#contract/wire/figures.ts';
import { AgentEntity } from './agent-entity.ts';
import { DoorbellEntity } from './doorbell-entity.ts';
import { EffectEntity } from './effect-entity.ts';
import { FiringEntity } from './firing-entity.ts';

/** How many rows there are of what, one aggregate a table. */
type StoredFigures = Pick<RegistryFigures, 'agents' | 'effects' | 'firings' | 'doorbells' | 'mailsWaiting'>;

/** Counts what the tables hold. */
export class FigureTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  /** Whether the database can be read: throws where it cannot. */
  async look(): Promise<void> {
    await this.#em.createQueryBuilder(AgentEntity, 'a').select(['id']).limit(1).execute('all');
  }

  async read(): Promise<StoredFigures> {
    const agents = await this.#em
      .createQueryBuilder(AgentEntity, 'a')
      .select(['state', 'standing', raw('count(*) as count'), raw('sum(unread_mail) as mails')])
      .where({ standing: { $ne: 'gone' } })
      .groupBy(['state', 'standing'])
      .execute<{ state: string; standing: string; count: number; mails: number }[]>('all');
    return {
      agents: agents.map(({ state, standing, count }) => ({ state, standing, count: Number(count) })),
      mailsWaiting: agents.reduce((sum, { mails }) => sum + Number(mails), 0),
      effects: await this.#countBy(EffectEntity, 'kind'),
      firings: await this.#countBy(FiringEntity, 'state'),
      doorbells: await this.#doorbells(),
    };
  }

  async #countBy(entity: typeof EffectEntity | typeof FiringEntity, column: string): Promise<Record<string, number>> {
    const rows = await this.#em
      .createQueryBuilder(entity as typeof FiringEntity, 'e')
      .select([raw(`${column} as name`), raw('count(*) as count')])
      .groupBy(raw(column))
      .execute<{ name: string; count: number }[]>('all');
    return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]));
  }

  async #doorbells(): Promise<{ raised: number; rung: number }> {
    const [row] = await this.#em
      .createQueryBuilder(DoorbellEntity, 'd')
      .select([raw('count(*) as "open"'), raw('count(rung_at) as rung')])
      .where({ closedAt: null })
      .execute<{ open: number; rung: number }[]>('all');
    const rung = Number(row?.rung ?? 0);
    return { raised: Number(row?.open ?? 0) - rung, rung };
  }
}
