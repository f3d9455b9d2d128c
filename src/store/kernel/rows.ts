import type { EntityManager, EntityName, EntityProperty, FilterQuery, QueryOrderMap } from '@mikro-orm/sql';

/** The columns of an entity's table, as a row holds them. */
export type ColumnsOf<Entity> = {
  readonly [Column in keyof Entity as Column extends string ? Column : never]: Entity[Column];
};

/** Which rows are wanted beyond a condition, and what of them. */
interface Wanted<Entity, Column> {
  readonly orderBy?: QueryOrderMap<Entity>;
  readonly limit?: number;
  /** Every column that is not lazy, if it is left out. */
  readonly columns?: readonly Column[];
  /** Lazy columns that are wanted besides. */
  readonly also?: readonly (keyof ColumnsOf<Entity> & string)[];
}

/**
 * Reads rows as stored, as plain data. The entity manager's own `find` makes an entity of each row,
 * which takes five times as long, and remembers it, while writes go past its memory.
 */
export async function rowsOf<Entity extends object, Column extends keyof ColumnsOf<Entity> & string>(
  em: EntityManager,
  entity: EntityName<Entity>,
  where: FilterQuery<NoInfer<Entity>>,
  { orderBy, limit, columns, also }: Wanted<NoInfer<Entity>, Column> = {},
): Promise<Pick<ColumnsOf<Entity>, Column>[]> {
  const properties = propertiesOf(em, entity).filter(
    ({ name, lazy }) => columns?.includes(name as Column) ?? (!lazy || also?.includes(name as never)),
  );
  const query = em
    .createQueryBuilder(entity)
    .select(properties.map(({ name }) => name) as never)
    .where(where as never);
  if (orderBy !== undefined) query.orderBy(orderBy as never);
  if (limit !== undefined) query.limit(limit);
  const rows = await query.execute<Record<string, unknown>[]>('all');
  for (const property of properties) for (const row of rows) convert(em, property, row);
  return rows as Pick<ColumnsOf<Entity>, Column>[];
}

/** The one row, or undefined if there is none. As `rowsOf`. */
export async function rowOf<Entity extends object>(
  em: EntityManager,
  entity: EntityName<Entity>,
  where: FilterQuery<NoInfer<Entity>>,
): Promise<Pick<ColumnsOf<Entity>, keyof ColumnsOf<Entity> & string> | undefined> {
  const [row] = await rowsOf(em, entity, where, { limit: 1 });
  return row;
}

function propertiesOf(em: EntityManager, entity: EntityName): readonly EntityProperty[] {
  return em.getMetadata().get(entity).props;
}

function convert(em: EntityManager, { name, customType }: EntityProperty, row: Record<string, unknown>): void {
  if (customType && row[name] != null) row[name] = customType.convertToJSValue(row[name], em.getPlatform());
}
