/** How many statements are prepared: more than muster uses, apart from lists of many lengths. */
const maxTexts = 500;

/**
 * The names of prepared statements. The same texts recur, and planning takes longer than running most of them. Texts
 * beyond the limit are planned each time, because the server keeps prepared statements on every connection and evicts
 * none.
 */
export class PreparedStatements {
  readonly #names = new Map<string, string>();

  /** The name under which to prepare a statement; undefined if it should not be prepared. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= maxTexts) return known;
    const name = `s${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}
