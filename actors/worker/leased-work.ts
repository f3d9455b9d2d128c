/** Which rows need work. */
export interface DueRows {
  /** Whether rows can be claimed. */
  readonly free: boolean;
  /** Whether leases have expired. */
  readonly expired: boolean;
}

/**
 * How a worker claims and works rows of one kind. Each claim has a fencing token, and a write with an older token
 * changes nothing. So two workers, even of two processes, never both record a result of the same row.
 */
export interface LeasedWork<Item, Result> {
  /** Names it in the log and in metrics, such as `firings`. */
  readonly name: string;
  /** How many rows are worked on at once. */
  readonly atOnce: number;
  /** How long a lease is valid without renewal, in milliseconds. */
  readonly lease: number;
  /** How often a lease is renewed, in milliseconds. */
  readonly heartbeat: number;
  /** Checks whether there is work. Writes nothing. */
  due(): Promise<DueRows>;
  /** Frees the rows whose lease has expired. */
  rescue(): Promise<void>;
  /** Claims at most `room` free rows, each with its own fencing token. */
  claim(room: number): Promise<readonly Item[]>;
  /** Renews a lease; false if another worker has claimed the row, or it is done. */
  renew(item: Item): Promise<boolean>;
  /** Does the work. The signal is aborted when the worker is stopped or has lost the lease; then it may reject. */
  perform(item: Item, signal: AbortSignal): Promise<Result>;
  /** Records the result; false, without a write, if the lease is lost. */
  settle(item: Item, result: Result): Promise<boolean>;
  /** Releases the row without a result, unless the lease is lost. */
  release(item: Item): Promise<void>;
  /** The fields that identify a row in the log. */
  about(item: Item): Readonly<Record<string, unknown>>;
}
