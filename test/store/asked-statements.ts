import { MikroORM } from '@mikro-orm/sqlite';
import { CompiledQuery } from 'kysely';
import { entities } from '#store/entities.ts';
import { DurableSqliteDriver } from '#store/sqlite/sqlite-driver.ts';

/** A database that notes each statement that it is asked, as SQLite gets it. */
export interface AskedStatements {
  readonly orm: MikroORM;
  /** How SQLite would answer each statement that reads a table and that a piece of work asks. */
  plansOf(work: () => Promise<unknown>): Promise<string[][]>;
}

export async function askedStatements(file: string): Promise<AskedStatements> {
  const orm = await MikroORM.init({ driver: DurableSqliteDriver, dbName: file, entities });
  const client = orm.em.getConnection().getClient();
  const run = client.executeQuery.bind(client);
  const asked: CompiledQuery[] = [];
  Object.assign(client, {
    executeQuery(query: CompiledQuery) {
      asked.push(query);
      return run(query);
    },
  });
  const planOf = async ({ sql, parameters }: CompiledQuery): Promise<string[]> => {
    const { rows } = await run<{ detail: string }>(CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]));
    return rows.map(({ detail }) => detail);
  };
  return {
    orm,
    async plansOf(work) {
      asked.length = 0;
      await work();
      const plans: string[][] = [];
      for (const query of asked.filter(({ sql }) => /^select [`"]/.test(sql))) plans.push(await planOf(query));
      return plans;
    },
  };
}
