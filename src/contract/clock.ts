/** A source of the current time. */
export interface Clock {
  /** Milliseconds since 1970 in UTC. */
  now(): number;
}

/** The computer's wall clock, which may be set, and a monotonic clock. */
export interface MonotonicClock extends Clock {
  /**
   * Milliseconds since an arbitrary moment. It never steps, and continues while the process is stopped and while the
   * computer sleeps.
   */
  monotonic(): number;
}

/** A source of new ids. */
export interface Ids {
  /** A prefix such as `agt`, `_`, and a ULID: later ids sort after earlier ones. */
  id(prefix: string): string;
  /** A random UUID. */
  uuid(): string;
}
