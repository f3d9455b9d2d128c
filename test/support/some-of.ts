import { isSoak } from './soak.ts';

/**
 * Of many cases that one test is run with: every third in the suite, or another part, all of them in soak, so that the
 * suite stays short. `turn` has tests that go over the same cases take different ones.
 */
export function someOf<T>(cases: readonly T[], turn = 0, part = 3): readonly T[] {
  return isSoak ? cases : cases.filter((_, at) => at % part === turn % part);
}
