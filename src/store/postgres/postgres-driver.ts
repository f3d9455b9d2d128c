import {
  AbstractSqlDriver,
  type Configuration,
  type Constructor,
  type Dictionary,
  MikroORM,
  PostgreSqlConnection,
  PostgreSqlPlatform,
  type Transaction,
} from '@mikro-orm/postgresql';
import { CompiledQuery, PostgresDialect } from 'kysely';
import { type Binding, boundStatement, WholeArray } from '#store/database/bound-statement.ts';
import type { Session } from '#store/database/session.ts';
import type { StatementResult } from '#store/database/statement.ts';
import { heldText } from './exact-text.ts';
import { PooledConnections, type PoolOptions } from './pooled-connections.ts';

const binding: Binding = {
  placeholder: (place) => `$${place}`,
  bound: (value) => (typeof value === 'string' ? heldText(value) : value),
};

type KyselyTransaction = Pick<ReturnType<PostgreSqlConnection['getClient']>, 'executeQuery'>;

/** A cache of statements with numbered placeholders, by the same statements with question marks. */
const numbered = new Map<string, string>();
/** How many statements the cache holds. */
const maxNumbered = 2_000;

/** A session in a transaction of Kysely's. MikroORM runs its own statements in it, too. */
export function sessionOver(transaction: KyselyTransaction): Session & KyselyTransaction {
  return {
    executeQuery: (query) => transaction.executeQuery(query),
    async run({ sql, parameters }) {
      const query = CompiledQuery.raw(numberedText(sql), parameters.map(boundValue));
      const { rows, numAffectedRows } = await transaction.executeQuery<StatementResult['rows'][number]>(query);
      return { rows, ...(numAffectedRows !== undefined && { numAffectedRows }) };
    },
  };
}

function numberedText(text: string): string {
  const known = numbered.get(text);
  if (known !== undefined) return known;
  let place = 0;
  const made = text.replaceAll('?', () => {
    place += 1;
    return `$${place}`;
  });
  if (numbered.size < maxNumbered) numbered.set(text, made);
  return made;
}

function boundValue(value: unknown): unknown {
  if (value instanceof WholeArray) return value.values.map(binding.bound);
  return typeof value === 'string' ? heldText(value) : value;
}

/** MikroORM's PostgreSQL driver, with bound parameters instead of inlined values, and with exact texts and numbers. */
export class ExactPostgresDriver extends AbstractSqlDriver<PostgreSqlConnection> {
  constructor(config: Configuration) {
    super(config, new PostgreSqlPlatform(), ExactConnection, []);
  }

  override getORMClass(): Constructor<MikroORM> {
    return MikroORM;
  }
}

class ExactConnection extends PostgreSqlConnection {
  override createKyselyDialect(options: Dictionary): PostgresDialect {
    return new PostgresDialect({ pool: new PooledConnections(options as PoolOptions) });
  }

  override async execute<T>(
    asked: Parameters<PostgreSqlConnection['execute']>[0],
    values: readonly unknown[] | Dictionary = [],
    method: 'all' | 'get' | 'run' = 'all',
    transaction?: Transaction,
  ): Promise<T> {
    await this.ensureConnection();
    const { sql, parameters } = boundStatement(asked, values, this.platform, binding);
    const result = await (transaction ?? this.getClient()).executeQuery(CompiledQuery.raw(sql, [...parameters]));
    return this.transformRawResult(result, method);
  }
}
