/** Minimum length of a secret that is masked: shorter ones also occur in ordinary text. */
const minLength = 6;

/** The values of secrets that agents of this host were given, by agent. They are only in memory. */
export class KnownSecrets {
  readonly #byAgent = new Map<string, readonly string[]>();
  #texts: readonly string[] | undefined;

  /** Adds the secrets of an agent to those that it had before: its program may still have those. */
  add(agentId: string, values: readonly string[]): void {
    const known = this.#byAgent.get(agentId) ?? [];
    const added = values.filter((value) => !known.includes(value));
    if (added.length === 0 && this.#byAgent.has(agentId)) return;
    this.#byAgent.set(agentId, [...known, ...added]);
    this.#texts = undefined;
  }

  has(agentId: string): boolean {
    return this.#byAgent.has(agentId);
  }

  /** Forgets the secrets of an agent that is archived or deleted. */
  forget(agentId: string): void {
    if (this.#byAgent.delete(agentId)) this.#texts = undefined;
  }

  /**
   * Every text that reveals a secret, the longest first: the value, each longer line of it, and how it is written in a
   * URL, in JSON and in Base64.
   */
  get texts(): readonly string[] {
    this.#texts ??= [...new Set([...this.#byAgent.values()].flat().flatMap(formsOf))]
      .filter((text) => text.length >= minLength)
      .sort((one, other) => other.length - one.length);
    return this.#texts;
  }
}

function formsOf(value: string): string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  const long = lines.length === 1 ? lines : lines.filter((line) => line.length >= 2 * minLength);
  return [value, ...long].flatMap((text) => [
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    ...base64FormsOf(text),
  ]);
}

/** A text in both alphabets of Base64, also in the midst of other text, such as the password of an `Authorization` header. */
function base64FormsOf(text: string): string[] {
  const whole = Buffer.from(text).toString('base64').replace(/=+$/, '');
  const inside = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    // Without the characters that depend on the text around it.
    return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
  return [whole, ...inside].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
