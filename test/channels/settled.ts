import type { StoredRepository } from '#store/forge/repository-entity.ts';
import type { RegistryFixture } from '#test/registry/registry-fixture.ts';
import { moment } from '#test/support/moment.ts';

/** The states of a firing that has not ended. */
const liveStates = ['pending', 'scheduled', 'available', 'running', 'cancelling', 'retryable'];

/** Waits until no firing and no sweep is in progress. */
export async function settled(fixture: RegistryFixture): Promise<object> {
  const isSwept = ({ state, dueAt }: StoredRepository): boolean =>
    !['sweeping', 'rereading'].includes(state) && (dueAt ?? Number.POSITIVE_INFINITY) > fixture.clock.now();
  await moment('every firing and every sweep has ended', () =>
    fixture.store.read(async ({ firings, repositories }) => {
      const live = await Promise.all(liveStates.map((state) => firings.inState(state, 1)));
      return live.flat().length === 0 && (await repositories.awake()).every(isSwept);
    }),
  );
  return {};
}
