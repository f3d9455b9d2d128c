/** What a look at the rows finds. */
export interface Due {
  /** Whether some may be claimed. */
  readonly free: boolean;
  /** Whether the lease of some has ended. */
  readonly expired: boolean;
}

/**
 * What a worker does with rows of one kind. Whoever claims a row is given a fence, which each later write must name:
 * one that names an older fence changes nothing. So it is the rows that keep two workers apart, also those of two
 * processes.
 */
export interface LeasedWork<Item, Result> {
  /** Names it in the log and in metrics, such as `firings`. */
  readonly name: string;
  /** How many rows are worked at together. */
  readonly atOnce: number;
  /** How long a lease is, and how often it is renewed, in milliseconds. */
  readonly lease: number;
  readonly heartbeat: number;
  /** Looks whether there is anything to do: nothing is written if nothing is. */
  due(): Promise<Due>;
  /** Takes the rows whose lease has ended away from whoever had them. */
  rescue(): Promise<void>;
  /** Claims free rows, so many at most, each with its own fence. */
  claim(room: number): Promise<readonly Item[]>;
  /** Renews a lease; false if the row is another’s by now, or over. */
  renew(item: Item): Promise<boolean>;
  /** Does the work. The signal is aborted when the worker is stopped, or has lost its lease: it may reject then. */
  perform(item: Item, signal: AbortSignal): Promise<Result>;
  /** Records the result if the lease still holds; else false, and nothing is written. */
  settle(item: Item, result: Result): Promise<boolean>;
  /** Gives the row back undone, if the lease still holds. */
  release(item: Item): Promise<void>;
  /** What the log names a row by. */
  about(item: Item): Readonly<Record<string, unknown>>;
}
