import { Failure } from '#contract/failure.ts';

/** No connection could be opened, or it was lost during a statement. */
export class LostConnection extends Error {
  /** Identifies this error: MikroORM throws its own error instead, and copies this property into it. */
  readonly isLostConnection = true;

  constructor(cause: unknown) {
    super('There is no connection to the database', { cause });
  }
}

/** The connection was lost during a commit, so whether it was committed is unknown. */
export class UnknownCommit extends Error {
  /** As `isLostConnection`. */
  readonly isUnknownCommit = true;

  constructor(cause: unknown) {
    super('The connection to the database was lost during a commit', { cause });
  }
}

/**
 * Chooses the error to report of several servers: if one of them is a standby, the other one is at fault.
 */
export function mainError(errors: readonly unknown[]): unknown {
  const isStandby = (error: unknown) => error instanceof Failure && error.isFor('DATABASE_READ_ONLY');
  return errors.find((error) => !isStandby(error)) ?? errors[0];
}
