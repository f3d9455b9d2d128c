/** How many texts are compiled on each connection: more than muster has, except for lists of many lengths. */
const maxTexts = 500;

/**
 * The names under which PostgreSQL keeps compiled statements. The same texts come again and again, and compiling takes
 * longer than most of them. Those that come after the first many are compiled each time: a server keeps what it
 * compiled on every connection, and nobody takes it away.
 */
export class CompiledTexts {
  readonly #names = new Map<string, string>();

  /** The name of a text; undefined if it is not kept. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= maxTexts) return known;
    const name = `s${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}
