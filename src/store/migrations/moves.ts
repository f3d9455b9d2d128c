import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** The last transitions of each agent's state, with the readings of its pane. */
export class Moves extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`create table "move" (
      "agent_id" ${text} not null,
      "ordinal" integer not null,
      "at" bigint not null,
      "from_state" ${text} not null,
      "to_state" ${text} not null,
      "reason" ${text} not null,
      "harness" ${text} null,
      "rules" ${text} null,
      "rule" ${text} null,
      "evidence" json null,
      "screen" json null,
      primary key ("agent_id", "ordinal")
    )`);
  }
}
