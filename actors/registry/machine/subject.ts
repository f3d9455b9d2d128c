import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { Tables } from '#store/tables.ts';

/** An instance in its current state. */
export interface Subject {
  /** Its display name. */
  readonly name: string;
  readonly snapshot: StoredSnapshot;
}

type FindInstance = (tables: Tables, id: string) => Promise<Subject | undefined>;

const finders: Readonly<Record<string, FindInstance>> = {
  agent: async ({ agents }, id) => agents.find(id),
  doorbell: async ({ doorbells, agents }, id) => {
    const bell = await doorbells.find(id);
    return bell && { name: await nameOf(agents, bell.agent), snapshot: bell.snapshot };
  },
  firing: async ({ firings, schedules }, id) => {
    const firing = /^[1-9][0-9]{0,15}$/.test(id) ? await firings.find(Number(id)) : undefined;
    const schedule = firing && (await schedules.find(firing.schedule));
    return firing && { name: `${schedule?.name ?? firing.schedule} ${firing.id}`, snapshot: firing.snapshot };
  },
  host: async ({ hosts }, id) => hosts.find(id),
  'review-batch': async ({ reviews, agents }, id) => {
    const batch = await reviews.find(id);
    return batch && { name: await nameOf(agents, batch.agent), snapshot: batch.snapshot };
  },
  schedule: async ({ schedules }, id) => schedules.find(id),
  sweep: async ({ repositories }, id) => {
    const repository = await repositories.find(id);
    return repository && { name: repository.spelled, snapshot: repository.snapshot };
  },
};

/** The instance of a machine with an id; undefined if there is none. */
export async function findSubject(tables: Tables, machine: string, id: string): Promise<Subject | undefined> {
  return finders[machine]?.(tables, id);
}

async function nameOf(agents: Tables['agents'], id: string): Promise<string> {
  return (await agents.namesOf([id])).get(id) ?? id;
}
