import type { EntityManager } from '@mikro-orm/sql';

/** The numbers of a host's agents, by activity. */
export interface HostAgentCounts {
  /** Those that are not archived. */
  readonly agents: number;
  /** All of them that are being set up, work, wait for a person or are being closed. */
  readonly atWork: number;
  /** Those that are being set up. */
  readonly launches: number;
  /** Of these, those whose setup script is still to end. */
  readonly setups: number;
}

/** The agents of a host that has none. */
export const noAgents: HostAgentCounts = { agents: 0, atWork: 0, launches: 0, setups: 0 };

const isPresent = `"standing" = 'present' and not "queued"`;
const isSettingUp = `"state" = 'AGENT_STATE_SETTING_UP'`;
const isBusy = `"alive" and "state" in ('AGENT_STATE_THINKING', 'AGENT_STATE_WAITING', 'AGENT_STATE_UNCERTAIN')`;
const isAtWork = `(${isSettingUp} or (${isBusy}))`;
const hasSetup = `"launch" -> 'scripts' ->> 'setup' <> ''
  and "snapshot" -> 'value' ->> 'settingUp' in ('provisioning', 'preparing')`;

/**
 * The first part counts by the index of placements alone and in its order, so that no row of a large fleet is read, and
 * none is sorted. The others read the few agents that are being closed, and those that are being set up.
 */
const counted = `select "host", sum("agents") as "agents", sum("atWork") as "atWork", sum("launches") as "launches",
    sum("setups") as "setups"
  from (
    select "host", sum("n") as "agents", coalesce(sum("n") filter (where ${isAtWork}), 0) as "atWork",
      coalesce(sum("n") filter (where ${isSettingUp}), 0) as "launches", 0 as "setups"
    from (
      select "host_id" as "host", "state", "alive", "queued", count(*) as "n"
      from "agent" where "standing" = 'present' group by "state", "host_id", "alive", "queued"
    ) as "alike" where not "queued" group by "host"
    union all
    select "host_id", 0, count(*), 0, 0
    from "agent" where "id" in (select "agent_id" from "effect") and "standing" <> 'gone' and not "queued"
      and not ("standing" = 'present' and ${isAtWork}) group by "host_id"
    union all
    select "host_id", 0, 0, 0, count(*)
    from "agent" where ${isPresent} and ${isSettingUp} and ${hasSetup} group by "host_id"
  ) as "placed" group by "host"`;

/** Counts the agents of each host, by the host's id. Hosts without any are left out. */
export async function countHostAgents(em: EntityManager): Promise<ReadonlyMap<string, HostAgentCounts>> {
  const rows =
    await em.execute<({ readonly host: string } & Record<keyof HostAgentCounts, number | bigint>)[]>(counted);
  return new Map(
    rows.map(({ host, agents, atWork, launches, setups }) => [
      host,
      { agents: Number(agents), atWork: Number(atWork), launches: Number(launches), setups: Number(setups) },
    ]),
  );
}
