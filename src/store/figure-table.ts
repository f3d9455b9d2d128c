import { type EntityManager, raw } from '@mikro-orm/sql';
import type { RegistryFigures } from '#contract/wire/figures.ts';
import { AgentEntity } from '#store/agent/agent-entity.ts';
import { EffectEntity } from '#store/agent/effect-entity.ts';
import { RunEntity } from '#store/run/run-entity.ts';
import { FiringEntity } from '#store/schedule/firing-entity.ts';

/** The number of rows, by table. */
type StoredFigures = Pick<RegistryFigures, 'agents' | 'effects' | 'runs' | 'mailsWaiting'> & {
  /** Firings by the name of their machine's state. */
  readonly firings: Readonly<Record<string, number>>;
};

/** Counts rows for metrics. */
export class FigureTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
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
      runs: await this.#runs(),
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

  async #runs(): Promise<RegistryFigures['runs']> {
    const rows = await this.#em
      .createQueryBuilder(RunEntity, 'r')
      .select(['script', 'state', raw('count(*) as count')])
      .groupBy(['script', 'state'])
      .execute<{ script: string; state: string; count: number }[]>('all');
    return rows.map(({ script, state, count }) => ({ script, state, count: Number(count) }));
  }
}
