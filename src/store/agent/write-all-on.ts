import type { EntityManager } from '@mikro-orm/sql';
import type { FactTable } from '#store/fact/fact-table.ts';
import { rowsOf } from '#store/kernel/rows.ts';
import { AgentEntity } from './agent-entity.ts';

/** When a host was removed, and when the state of its agents was last known, in milliseconds since 1970. */
export interface HostRemoval {
  readonly lastKnownAt: number;
  readonly removedAt: number;
}

/** Columns of agents, as the assignments of an update, with their values. */
interface ColumnAssignments {
  readonly columns: string;
  readonly values: readonly (number | null)[];
}

/** Writes columns of all agents on a host, those that wait for room left out, and publishes a change of each. */
export async function writeAllOn(
  { em, facts }: { readonly em: EntityManager; readonly facts: FactTable },
  host: string,
  { columns, values }: ColumnAssignments,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const which = { host, queued: false, standing: { $ne: 'gone' as const } };
  const found = await rowsOf(em, AgentEntity, which, { columns: ['id'], orderBy: { id: 'asc' } });
  const last = await facts.append(found.map(({ id }) => ({ kind: 'agent.changed', subjectId: id, detail })));
  if (last === undefined) return;
  const first = facts.appended.at(-found.length)?.seq ?? last;
  await em.execute(
    `update "agent" set ${columns}, "moved_seq" = changed."seq"
    from (select "subject_id", max("seq") as "seq" from "fact" where "seq" >= ? group by "subject_id") as changed
    where changed."subject_id" = "agent"."id" and "agent"."host_id" = ?
    and "agent"."standing" <> 'gone' and not "agent"."queued"`,
    [...values, first, host],
  );
}
