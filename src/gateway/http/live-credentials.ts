import type { Bus } from '#bus/bus.ts';
import { endedCredentialsSubject } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';

/** How often the credentials of open streams are checked, in milliseconds. A revoked one is found within a second. */
const checkEveryMs = 400;
/** For how long a check is valid, in milliseconds. After that the credential is checked before more is sent. */
const goodForMs = 1_000;
/** How long the registry may take to check, in milliseconds. */
const checkWithinMs = 2_000;
/** How many credentials one request checks. */
const batchSize = 1_000;

/** The credential of an open stream. */
export interface StreamCredential {
  /** Aborts, with the failure, once the registry no longer accepts the credential. */
  readonly ended: AbortSignal;
  /**
   * Resolves once the registry has accepted the credential within the last second.
   * @throws UNAUTHENTICATED when it was revoked, UNAVAILABLE or DEADLINE_EXCEEDED when the registry does not answer
   */
  require(): Promise<void>;
  release(): void;
}

interface OpenCredential {
  count: number;
  /** When it was last checked, in milliseconds. */
  checkedAt: number;
  readonly ending: AbortController;
}

/**
 * Checks the credentials of all open streams, in batches, so that a stream ends with its credential even if it requests
 * nothing from the registry.
 */
export class LiveCredentials {
  readonly #bus: Bus;
  readonly #held = new Map<string, OpenCredential>();
  #checking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  hold(credential: string): StreamCredential {
    const known = this.#held.get(credential);
    const held = known ?? { count: 0, checkedAt: Number.NEGATIVE_INFINITY, ending: new AbortController() };
    held.count += 1;
    this.#held.set(credential, held);
    this.#timer ??= setInterval(() => void this.#check([...this.#held.keys()]).catch(() => undefined), checkEveryMs);
    return {
      ended: held.ending.signal,
      require: () => this.#require(credential, held),
      release: () => this.#release(credential, held),
    };
  }

  #release(credential: string, held: OpenCredential): void {
    held.count -= 1;
    if (held.count > 0 || this.#held.get(credential) !== held) return;
    this.#held.delete(credential);
    if (this.#held.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #require(credential: string, held: OpenCredential): Promise<void> {
    const since = performance.now() - goodForMs;
    while (held.checkedAt < since && this.#held.get(credential) === held) {
      await this.#check(
        [...this.#held].filter(([, { checkedAt }]) => checkedAt < since).map(([credential]) => credential),
      );
    }
    held.ending.signal.throwIfAborted();
    if (this.#held.get(credential) !== held) throw ended();
  }

  /** Checks these credentials, or waits for the check in progress. */
  #check(credentials: readonly string[]): Promise<void> {
    this.#checking ??= this.#ask(credentials).finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #ask(credentials: readonly string[]): Promise<void> {
    const started = performance.now();
    for (let at = 0; at < credentials.length; at += batchSize) {
      const batch = credentials.slice(at, at + batchSize);
      const answer = await this.#bus.request(
        endedCredentialsSubject,
        { credentials: batch },
        { timeoutMs: checkWithinMs },
      );
      const over = new Set((answer as { readonly ended: readonly string[] }).ended);
      for (const credential of batch) this.#note(credential, over.has(credential), started);
    }
  }

  #note(credential: string, isOver: boolean, checkedAt: number): void {
    const held = this.#held.get(credential);
    if (held === undefined) return;
    if (!isOver) held.checkedAt = checkedAt;
    else {
      // A later stream with this credential is checked again, because it may have become valid.
      this.#held.delete(credential);
      held.ending.abort(ended());
    }
  }
}

function ended(): Failure {
  return new Failure('CREDENTIAL_ENDED', 'The token is no longer valid: it was revoked or replaced, or has expired');
}
