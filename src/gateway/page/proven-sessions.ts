/** How many sessions are remembered; the one that was proven first is forgotten first. */
const maxSessions = 1_000;

/**
 * What stands for the sessions that were proven lately, by the authorization that their requests show: so that a person has room of their own
 * before a proof is looked at. It lets nobody in.
 */
export class ProvenSessions {
  readonly #credentials = new Map<string, string>();

  note(authorization: string, credential: string): void {
    this.#credentials.delete(authorization);
    const [oldest] = this.#credentials.size < maxSessions ? [] : this.#credentials.keys();
    if (oldest !== undefined) this.#credentials.delete(oldest);
    this.#credentials.set(authorization, credential);
  }

  find(authorization: string): string | undefined {
    return this.#credentials.get(authorization);
  }
}
