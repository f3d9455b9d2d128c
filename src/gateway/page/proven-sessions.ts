/** Maximum number of cached sessions. The oldest is evicted first. */
const maxSessions = 1_000;

/**
 * The credentials of recently proven sessions, by the Authorization header of their requests, so that overload
 * admission can separate them before a proof is checked. It grants no rights. Anyone can prove a made-up session with
 * a new key, so only sessions that the registry accepts are cached, and made-up ones cannot displace them.
 */
export class ProvenSessions {
  readonly #isKnown: (credential: string) => boolean;
  readonly #credentials = new Map<string, string>();

  /** @param isKnown whether the registry recently accepted a credential */
  constructor(isKnown: (credential: string) => boolean) {
    this.#isKnown = isKnown;
  }

  /** Caches a session, if the registry accepts it. */
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
