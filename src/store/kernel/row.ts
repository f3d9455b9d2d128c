import type { InferEntity } from '@mikro-orm/sql';
import type { ColumnsOf } from './rows.ts';

/** A row of an entity's table, as plain data. */
export type Row<Entity> = ColumnsOf<InferEntity<Entity>>;
