import type { EntitySchema, MetadataStorage, MikroORM } from '@mikro-orm/sql';
import { ormOptions, type Schema } from './engine.ts';

/** The options that the entities and migrations of a schema set. */
type SchemaOptions = ReturnType<typeof ormOptions> & { readonly discovery: { readonly skipSyncDiscovery: boolean } };

/**
 * MikroORM's metadata of the entities of schemas, for one driver. Discovery takes 30 ms of processor time, half of what
 * it takes to open a database, and depends on nothing else: so a process that opens several databases does it once.
 */
export class DiscoveredEntities {
  readonly #known = new WeakMap<readonly EntitySchema[], MetadataStorage>();

  /** An ORM for a schema. `make` constructs it with the given options. */
  ormOf<Orm extends MikroORM>(schema: Schema, make: (options: SchemaOptions) => Orm): Orm {
    const { entities } = schema;
    const known = this.#known.get(entities);
    const orm = make({ ...ormOptions(schema), discovery: { skipSyncDiscovery: known !== undefined } });
    if (known === undefined) {
      this.#known.set(entities, orm.getMetadata());
      return orm;
    }
    orm.driver.setMetadata(known);
    orm.em = orm.driver.createEntityManager() as Orm['em'];
    return orm;
  }
}
