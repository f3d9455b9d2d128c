import type { EntityManager } from '@mikro-orm/sql';

/** An agent whose newest round is not stored for a move from a lost host. */
export interface UnsavedRound {
  readonly agent: string;
  readonly round: number;
}

const unkept = `
  select round."agent_id" as "agent", max(round."ordinal") as "round"
  from "review_round" round
  join "agent" agent on agent."id" = round."agent_id" and agent."standing" <> 'gone'
  left join "round_package" kept on kept."agent_id" = round."agent_id"
  where round."created_at" >= ? and round."ordinal" > coalesce(kept."round", 0)
  group by round."agent_id" order by max(round."created_at") desc limit ?`;

/** The agents whose newest round since a time, in milliseconds since 1970, is not stored, the newest rounds first. */
export async function unsavedRounds(em: EntityManager, since: number, limit: number): Promise<readonly UnsavedRound[]> {
  const rows = await em.execute<{ agent: string; round: number | bigint }[]>(unkept, [since, limit]);
  return rows.map(({ agent, round }) => ({ agent, round: Number(round) }));
}
