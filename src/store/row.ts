import type { InferEntity } from '@mikro-orm/sqlite';

/** A row of an entity's table: its columns alone. */
export type Row<Entity> = {
  readonly [Column in keyof InferEntity<Entity> as Column extends string ? Column : never]: InferEntity<Entity>[Column];
};
