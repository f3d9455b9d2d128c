/** How many sessions are remembered; the one that was proven first is forgotten first. */
const maxSessions = 1_000;

/**
 * What stands for the sessions that were proven lately, by the authorization that their requests show: so that a person
 * has room of their own before a proof is looked at. It lets nobody in. Whoever makes a key can prove a session of it
 * that nobody began, so only those that the registry knows are remembered: made-up ones push nobody out.
 */
export class ProvenSessions {
  readonly #isKnown: (credential: string) => boolean;
  readonly #credentials = new Map<string, string>();

  /** @param isKnown whether the registry took a credential a moment ago */
  constructor(isKnown: (credential: string) => boolean) {
    this.#isKnown = isKnown;
  }

  /** Remembers a session, if it is known. */
  note(authorization: string, credential: string): void {
    if (!this.#isKnown(credential)) return;
    this.#credentials.delete(authorization);
    const [oldest] = this.#credentials.size < maxSessions ? [] : this.#credentials.keys();
    if (oldest !== undefined) this.#credentials.delete(oldest);
    this.#credentials.set(authorization, credential);
  }

  find(authorization: string): string | undefined {
    return this.#credentials.get(authorization);
  }
}
