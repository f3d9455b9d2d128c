import type { InferEntity } from '@mikro-orm/sqlite';
import type { ColumnsOf } from './rows.ts';

/** A row of an entity's table: its columns alone. */
export type Row<Entity> = ColumnsOf<InferEntity<Entity>>;
