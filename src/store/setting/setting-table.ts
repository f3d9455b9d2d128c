import type { EntityManager } from '@mikro-orm/sql';
import { rowOf } from '#store/kernel/rows.ts';
import { SettingEntity } from './setting-entity.ts';

/** What the installation remembers of itself, by name. */
export class SettingTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  async get(name: string): Promise<string | undefined> {
    return (await rowOf(this.#em, SettingEntity, { name }))?.value;
  }

  /** Sets a value for good. A name that has one already is refused by the database. */
  async settle(name: string, value: string): Promise<void> {
    await this.#em.insert(SettingEntity, { name, value });
  }

  /** Sets a value, replacing any previous one. */
  async put(name: string, value: string): Promise<void> {
    await this.#em.upsert(SettingEntity, { name, value });
  }

  /** Forgets a value, if there is one. */
  async drop(name: string): Promise<void> {
    await this.#em.nativeDelete(SettingEntity, { name });
  }
}
