import { Migration } from '@mikro-orm/migrations';
import type { ColumnTypes } from '#store/database/dialect.ts';
import { dialectOf } from '#store/database/dialect-of.ts';

const statements = ({ serial, text }: ColumnTypes): readonly string[] => [
  `create table "transition" (
    "seq" ${serial},
    "machine" ${text} not null,
    "subject_id" ${text} not null,
    "at" bigint not null,
    "event" ${text} not null,
    "event_detail" json not null,
    "from_state" ${text} not null,
    "to_state" ${text} not null,
    "effects" json not null,
    "facts" json not null,
    "snapshot" json not null
  )`,
  'create index "transition_by_subject" on "transition" ("machine", "subject_id", "seq")',
  'create index "transition_by_time" on "transition" ("at")',
];

/** The last transitions of each machine instance. */
export class Transitions extends Migration {
  override up(): void {
    for (const statement of statements(dialectOf(this.driver).types)) this.addSql(statement);
  }
}
