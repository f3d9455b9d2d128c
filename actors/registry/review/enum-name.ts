/**
 * What a host calls something by a word, as an enumeration of the contract names it: `type-changed` as
 * `…_TYPE_CHANGED`.
 */
export function enumName<P extends string>(prefix: P, word: string): `${P}_${string}` {
  return `${prefix}_${word.toUpperCase().replaceAll('-', '_')}`;
}
