import { z } from 'zod';
import type { EphemeralEvents } from '#actors/registry/fact/ephemeral-events.ts';
import { factOf } from '#actors/registry/fact/fact-resource.ts';
import { cursorSeq } from '#actors/registry/kernel/cursor.ts';
import type { Fact } from '#contract/fact/fact.ts';
import { pageSize } from '#contract/page.ts';
import type { Tables } from '#store/tables.ts';

/**
 * How far a watch has delivered facts: a position in the log, and one (`passing`, named so in cursors that clients
 * keep) in the ephemeral events.
 */
export const factPlace = z.strictObject({ seq: cursorSeq, passing: z.int() });
type FactPlace = z.output<typeof factPlace>;

/** The facts of a watch, and their position for the next cursor; empty if the watch wants no facts. */
export interface WatchedFacts {
  readonly facts?: Fact[];
  readonly factsForgotten?: true;
  readonly place?: FactPlace;
  /** Whether there are more facts already. */
  readonly more?: true;
}

/**
 * A page of the facts after a position, in the order of the log. If the log has pruned the position,
 * there are no facts, and `factsForgotten` is set.
 */
export async function factsSince(
  { facts }: Tables,
  ephemeralEvents: EphemeralEvents,
  kinds: ReadonlySet<string>,
  place: FactPlace,
): Promise<WatchedFacts> {
  if (kinds.size === 0) return {};
  const [newest, seq] = [await facts.lastSeq(), BigInt(place.seq)];
  const now = { seq: String(newest), passing: ephemeralEvents.place };
  if (seq < newest && !(await facts.reaches(seq))) {
    return { factsForgotten: true, place: now };
  }
  const found = seq === newest ? [] : await facts.after(seq, pageSize.max, { kinds: [...kinds] });
  const isWhole = found.length < pageSize.max;
  const last = isWhole ? newest : found.at(-1)?.seq;
  const ephemeral = ephemeralEvents.after(place.passing > ephemeralEvents.place ? 0 : place.passing, kinds);
  return {
    facts: [...found.map(factOf), ...ephemeral],
    place: { ...now, seq: String(last) },
    ...(!isWhole && { more: true }),
  };
}
