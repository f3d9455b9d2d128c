import type { EntityManager } from '@mikro-orm/sql';

/** How many agents of a host there are, and what they are at. */
export interface PlacedAgents {
  /** Those that are not archived. */
  readonly agents: number;
  /** Of all of them, those that are being set up, work, wait for a person or are being closed. */
  readonly atWork: number;
  /** Those that are being set up. */
  readonly launches: number;
  /** Of these, those whose setup script is still to end. */
  readonly setups: number;
}

/** The agents of a host that has none. */
export const nothingPlaced: PlacedAgents = { agents: 0, atWork: 0, launches: 0, setups: 0 };

const present = `"standing" = 'present'`;
const isSettingUp = `"state" = 'AGENT_STATE_SETTING_UP'`;
const isBusy = `"alive" and "state" in ('AGENT_STATE_THINKING', 'AGENT_STATE_WAITING', 'AGENT_STATE_UNCERTAIN')`;
const hasEffects = `exists (select 1 from "effect" where "effect"."agent_id" = "agent"."id")`;
const hasSetup = `"launch" -> 'scripts' ->> 'setup' <> ''
  and "snapshot" -> 'value' ->> 'settingUp' in ('provisioning', 'preparing')`;

const counted = `select "host_id" as "host", count(*) filter (where ${present}) as "agents",
    count(*) filter (where ${present} and (${isSettingUp} or (${isBusy})) or ${hasEffects}) as "atWork",
    count(*) filter (where ${present} and ${isSettingUp}) as "launches",
    count(*) filter (where ${present} and ${isSettingUp} and ${hasSetup}) as "setups"
  from "agent" where "standing" <> 'gone' and not "queued" group by "host_id"`;

/** Counts the agents of each host, by the host's id. Hosts without any are left out. */
export async function countPlaced(em: EntityManager): Promise<ReadonlyMap<string, PlacedAgents>> {
  const rows = await em.execute<({ readonly host: string } & Record<keyof PlacedAgents, number | bigint>)[]>(counted);
  return new Map(
    rows.map(({ host, agents, atWork, launches, setups }) => [
      host,
      { agents: Number(agents), atWork: Number(atWork), launches: Number(launches), setups: Number(setups) },
    ]),
  );
}
