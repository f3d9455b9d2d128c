/** Something that runs until it is stopped. */
export interface Service {
  /** Starts nothing more, and resolves once nothing is in progress. May be called twice, and before a start. */
  stop(): Promise<void>;
}
