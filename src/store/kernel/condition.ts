import type { EntityMetadata } from '@mikro-orm/sql';
import type { Dialect } from '#store/database/dialect.ts';
import { storedValue } from '#store/database/stored-value.ts';

/** A part of a statement, with the values of its placeholders. */
export class Fragment {
  readonly sql: string;
  readonly parameters: readonly unknown[];

  constructor(sql: string, ...parameters: readonly unknown[]) {
    this.sql = sql;
    this.parameters = parameters;
  }
}

/** The columns of a table, by the names of its entity's properties. */
type Columns = Pick<EntityMetadata, 'properties'>;

/** A condition by column. `$or` is a list of conditions, and `$sql` is a fragment. */
type WhereClause = Readonly<Record<string, unknown>>;

const comparisons: Readonly<Record<string, string>> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=', $ne: '<>' };

/** Builds a condition. Its text does not depend on the values, nor on the length of a list. */
export function conditionOf(columns: Columns, dialect: Dialect, where: WhereClause): Fragment {
  const parts = Object.entries(where).map(([name, wanted]) => partOf(columns, dialect, name, wanted));
  return joined(parts, ' and ', 'true');
}

/** The name of a column, quoted for SQL. */
export function fieldOf({ properties }: Columns, name: string): string {
  const field = properties[name]?.fieldNames[0];
  if (field === undefined) throw new TypeError(`There is no column ${name}`);
  return `"${field}"`;
}

function partOf(columns: Columns, dialect: Dialect, name: string, wanted: unknown): Fragment {
  if (name === '$sql' && wanted instanceof Fragment) return wanted;
  if (name === '$or' && Array.isArray(wanted)) {
    return joined(
      wanted.map((one: WhereClause) => conditionOf(columns, dialect, one)),
      ' or ',
      'false',
    );
  }
  const field = fieldOf(columns, name);
  if (wanted === null) return new Fragment(`${field} is null`);
  if (typeof wanted !== 'object') return new Fragment(`${field} = ${dialect.compared}`, plain(name, wanted));
  const tests = Object.entries(wanted).map(([test, value]) => testOf(dialect, field, test, value));
  return joined(tests, ' and ', 'true');
}

function testOf(dialect: Dialect, field: string, test: string, value: unknown): Fragment {
  if ((test === '$in' || test === '$nin') && Array.isArray(value)) {
    const { sql, parameters } = dialect.inList(field, value.map(storedValue), test === '$in');
    return new Fragment(sql, ...parameters);
  }
  if (test === '$ne' && value === null) return new Fragment(`${field} is not null`);
  const comparison = comparisons[test];
  if (comparison === undefined) throw new TypeError(`There is no test ${test}`);
  return new Fragment(`${field} ${comparison} ${dialect.compared}`, plain(field, value));
}

/** Refuses null and undefined, because a comparison with them would match nothing. */
function plain(name: string, value: unknown): ReturnType<typeof storedValue> {
  if (value === undefined || value === null) throw new TypeError(`${name} is compared with ${value}`);
  return storedValue(value);
}

function joined(parts: readonly Fragment[], by: string, none: string): Fragment {
  const [only] = parts;
  if (only === undefined) return new Fragment(none);
  if (parts.length === 1) return only;
  return new Fragment(`(${parts.map(({ sql }) => sql).join(by)})`, ...parts.flatMap(({ parameters }) => parameters));
}
