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
import { type Binding, boundStatement } from '#store/database/bound-statement.ts';
import { heldText } from './exact-text.ts';
import { PooledConnections, type PoolOptions } from './pooled-connections.ts';

const binding: Binding = {
  placeholder: (place) => `$${place}`,
  bound: (value) => (typeof value === 'string' ? heldText(value) : value),
};

/** MikroORM's PostgreSQL driver with values beside their statements, and with texts and numbers that stay exact. */
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
