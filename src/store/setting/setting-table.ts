import type { EntityManager } from '@mikro-orm/sql';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { SettingEntity } from './setting-entity.ts';

/** Settings of the installation, by name. */
export class SettingTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  async get(name: string): Promise<string | undefined> {
    return (await rowOf(this.#em, SettingEntity, { name }))?.value;
  }

  /** Whether there is a setting whose name begins with a prefix. */
  async hasUnder(prefix: string): Promise<boolean> {
    const where = { name: { $gte: prefix, $lt: `${prefix}\uffff` } };
    return (await rowsOf(this.#em, SettingEntity, where, { limit: 1, columns: ['name'] })).length > 0;
  }

  /** Adds a setting. The database refuses a name that is already set. */
  async insert(name: string, value: string): Promise<void> {
    await this.#em.insert(SettingEntity, { name, value });
  }

  /** Sets a value, and replaces an existing one. */
  async put(name: string, value: string): Promise<void> {
    await this.#em.upsert(SettingEntity, { name, value });
  }

  /** Removes a setting, if it exists. */
  async drop(name: string): Promise<void> {
    await this.#em.nativeDelete(SettingEntity, { name });
  }
}
