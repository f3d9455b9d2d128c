/** The connection was lost while a commit was under way: nobody knows whether it was done. */
export class UnknownCommit extends Error {
  constructor(cause: unknown) {
    super('The connection to the database was lost during a commit', { cause });
  }
}
