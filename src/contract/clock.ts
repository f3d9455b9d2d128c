/** Where the time comes from. */
export interface Clock {
  /** Milliseconds since 1970 in UTC. */
  now(): number;
}

/** Where new ids come from. */
export interface Ids {
  /** A prefix such as `agt`, `_`, and a ULID: later ids sort after earlier ones. */
  id(prefix: string): string;
  /** A random UUID. */
  uuid(): string;
}
