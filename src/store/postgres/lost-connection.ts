/** No connection could be opened, or it was lost during a statement. */
export class LostConnection extends Error {
  /** What MikroORM copies into an error of its own, in place of this one. */
  readonly isLostConnection = true;

  constructor(cause: unknown) {
    super('There is no connection to the database', { cause });
  }
}

/** The connection was lost while a commit was under way: nobody knows whether it was done. */
export class UnknownCommit extends Error {
  /** As `isLostConnection`. */
  readonly isUnknownCommit = true;

  constructor(cause: unknown) {
    super('The connection to the database was lost during a commit', { cause });
  }
}
