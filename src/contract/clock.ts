/** Where the time comes from. */
export interface Clock {
  /** Milliseconds since 1970 in UTC. */
  now(): number;
}

/** A machine's own clock, which somebody may set, and a monotonic one. */
export interface MonotonicClock extends Clock {
  /**
   * Milliseconds since a moment of no meaning. It never steps, and continues while the process is stopped and while the
   * machine sleeps.
   */
  monotonic(): number;
}

/** Where new ids come from. */
export interface Ids {
  /** A prefix such as `agt`, `_`, and a ULID: later ids sort after earlier ones. */
  id(prefix: string): string;
  /** A random UUID. */
  uuid(): string;
}
