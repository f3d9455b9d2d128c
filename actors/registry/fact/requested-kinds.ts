import { ephemeralEventKinds, factKinds } from '#contract/fact/fact.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';

const known = [...Object.keys(factKinds), ...Object.keys(ephemeralEventKinds)];

/**
 * The kinds of facts that a field of a request names.
 * @throws INVALID_ARGUMENT when a kind or prefix does not exist
 */
export function requestedKinds(said: readonly string[] = [], field = 'factKinds'): ReadonlySet<string> {
  return new Set(
    said.flatMap((one) => {
      const meant = known.filter((kind) => kind === one || (one.endsWith('.') && kind.startsWith(one)));
      if (meant.length > 0) return meant;
      throw new Failure(
        'INVALID_FIELD',
        `${field} has ${quoted(one)}: give kinds such as mail.sent, or prefixes such as mail.`,
        { field },
      );
    }),
  );
}
