/** The enum value of the contract for a host's word: `type-changed` becomes `…_TYPE_CHANGED`. */
export function enumName<P extends string>(prefix: P, word: string): `${P}_${string}` {
  return `${prefix}_${word.toUpperCase().replaceAll('-', '_')}`;
}
