import { z } from 'zod';
import { factOf } from '#actors/registry/fact/fact-resource.ts';
import type { PassingFacts } from '#actors/registry/fact/passing-facts.ts';
import { cursorSeq } from '#actors/registry/kernel/cursor.ts';
import { type Fact, factKinds, passingFactKinds } from '#contract/fact/fact.ts';
import { Failure } from '#contract/failure.ts';
import { pageSize } from '#contract/page.ts';
import { quoted } from '#contract/quoted.ts';
import type { Tables } from '#store/store.ts';

const known = [...Object.keys(factKinds), ...Object.keys(passingFactKinds)];

/** Up to where the facts of a watch are told: a place in the log, and one among those that pass. */
export const factPlace = z.strictObject({ seq: cursorSeq, passing: z.int() });
type FactPlace = z.output<typeof factPlace>;

/** The facts that are told beside what a watch is about, and what the next cursor carries; nothing where none are wanted. */
export interface FactsBeside {
  readonly facts?: Fact[];
  readonly factsForgotten?: true;
  readonly place?: FactPlace;
}

/**
 * The kinds of facts that are wanted beside a watch; empty for none.
 * @throws Failure `invalid_argument` for a kind that there is not.
 */
export function kindsWanted(said: readonly string[] = []): ReadonlySet<string> {
  return new Set(
    said.flatMap((one) => {
      const meant = known.filter((kind) => kind === one || (one.endsWith('.') && kind.startsWith(one)));
      if (meant.length > 0) return meant;
      throw new Failure(
        'invalid_argument',
        `factKinds has ${quoted(one)}: give kinds such as mail.sent, or beginnings such as mail.`,
      );
    }),
  );
}

/**
 * What happened since a place, a page of it, in the order of the log; from the newest fact on where there is no place. Where the
 * log does not reach back to it nothing is told but that.
 */
export async function factsSince(
  { facts }: Tables,
  passing: PassingFacts,
  kinds: ReadonlySet<string>,
  place: FactPlace,
): Promise<FactsBeside> {
  if (kinds.size === 0) return {};
  const [newest, seq] = [await facts.lastSeq(), BigInt(place.seq)];
  const now = { seq: String(newest), passing: passing.place };
  if (seq < newest && seq + 1n < ((await facts.firstSeq()) ?? newest + 1n)) {
    return { factsForgotten: true, place: now };
  }
  const found = seq === newest ? [] : await facts.after(seq, pageSize.most, { kinds: [...kinds] });
  const last = found.length < pageSize.most ? newest : found.at(-1)?.seq;
  const fleeting = passing.after(place.passing > passing.place ? 0 : place.passing, kinds);
  return {
    facts: [...found.map(factOf), ...fleeting],
    place: { ...now, seq: String(last) },
  };
}
