import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import type { StoreFixture } from '#test/store/store-fixture.ts';

/** The registry as a host sees it, on a store alone. */
export function storedRegistry(stored: Pick<StoreFixture, 'store'>): RegistryClient {
  const { store } = stored;
  return {
    load: (id) => store.read(({ journal }) => journal.load(id)),
    commit: (change) => store.commitAgent(change),
    beat: async () => ({ confirmed: {} }),
    rung: async (id) => store.read((tables) => tables.journal.load(id)),
    token: async () => 'mst_x',
    profile: async () => undefined,
    permit: async (id) => ({ record: await store.read(({ journal }) => journal.load(id)), leftMs: 60_000 }),
    run: async () => {},
    renew: async () => ({ host: '', gateway: '' }),
    baseMoved: async () => false,
    piece: async () => '',
    departed: async () => undefined,
    async families(families) {
      const left = await store.read(({ agents }) => agents.familiesLeft(families, 'hst_1'));
      const gone = await store.read(({ agents }) => agents.familiesGone(families, 'hst_1'));
      return { installation: 'here', left: [...left], gone: [...gone], confirmed: {} };
    },
    async changes(hostId, cursor) {
      const after = BigInt(cursor || 0);
      const found = await store.read(({ agents }) => agents.changesOn(hostId, after, 100));
      return {
        agents: found.map(({ record }) => record),
        cursor: String(found.at(-1)?.place ?? after),
        more: found.length === 100,
        departures: [],
      };
    },
  };
}
