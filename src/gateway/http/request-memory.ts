import { Failure } from '#contract/failure.ts';

/** How many bytes of requests are held at a time, as received and decompressed: in all, and of one caller. */
export interface RequestMemoryLimits {
  readonly inAll: number;
  readonly ofOneCaller: number;
}

export const defaultRequestMemory: RequestMemoryLimits = {
  inAll: 128 * 1024 * 1024,
  ofOneCaller: 64 * 1024 * 1024,
};

/** The memory of one call. */
export interface MemoryLease {
  /**
   * Reserves this many more bytes.
   * @throws RESOURCE_EXHAUSTED when there is no room for them, Error when everything was released
   */
  add(bytes: number): void;
  /** Releases everything. May be called twice. */
  end(): void;
}

/**
 * Counts the bytes of requests that are being read or answered, so that many large requests cannot exhaust the memory.
 */
export class RequestMemory {
  readonly #limits: RequestMemoryLimits;
  readonly #held = new Map<string, number>();
  #inAll = 0;

  constructor(limits: RequestMemoryLimits) {
    this.#limits = limits;
  }

  lease(credential: string): MemoryLease {
    let own = 0;
    let isOver = false;
    return {
      add: (bytes) => {
        // A body may still arrive after its call was refused, and nothing would release it.
        if (isOver) throw new Error('The call of this memory has ended');
        this.#take(credential, bytes);
        own += bytes;
      },
      end: () => {
        isOver = true;
        this.#give(credential, own);
        own = 0;
      },
    };
  }

  #take(credential: string, bytes: number): void {
    const { inAll, ofOneCaller } = this.#limits;
    const held = this.#held.get(credential) ?? 0;
    if (this.#inAll + bytes > inAll || held + bytes > ofOneCaller) {
      throw new Failure(
        'REQUEST_MEMORY_FULL',
        `One caller may have at most ${ofOneCaller} bytes of large requests in progress: wait a second, then try again`,
      );
    }
    this.#inAll += bytes;
    this.#held.set(credential, held + bytes);
  }

  #give(credential: string, bytes: number): void {
    this.#inAll -= bytes;
    const left = (this.#held.get(credential) ?? 0) - bytes;
    if (left > 0) this.#held.set(credential, left);
    else this.#held.delete(credential);
  }
}
