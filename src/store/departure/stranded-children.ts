import type { EntityManager } from '@mikro-orm/sql';

/** An archived child whose parent has moved to another host. */
export interface StrandedChild {
  readonly child: string;
  readonly parent: string;
}

const leftBehind = `
  select child."id" as "child", parent."id" as "parent"
  from "agent" child join "agent" parent on parent."id" = child."parent_agent_id"
  where child."standing" = 'archived' and child."host_id" <> parent."host_id" and parent."standing" <> 'gone'
    and child."moving_to" is null and parent."moving_to" is null and child."failed_move" = ''
  order by child."id" limit ?`;

/** Archived children that are on another host than their parent, where neither moves and no move of the child failed. */
export function strandedChildren(em: EntityManager, limit: number): Promise<readonly StrandedChild[]> {
  return em.execute<StrandedChild[]>(leftBehind, [limit]);
}
