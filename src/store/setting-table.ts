import type { EntityManager } from '@mikro-orm/sqlite';
import { fresh } from './fresh.ts';
import { SettingEntity } from './setting-entity.ts';

/** What the installation remembers of itself, by name. */
export class SettingTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  async get(name: string): Promise<string | undefined> {
    return (await this.#em.findOne(SettingEntity, { name }, fresh))?.value;
  }

  /** Sets a value for good. A name that has one already is refused by the database. */
  async settle(name: string, value: string): Promise<void> {
    await this.#em.insert(SettingEntity, { name, value });
  }
}
