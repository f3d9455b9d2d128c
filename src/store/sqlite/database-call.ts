import { Failure } from '#contract/failure.ts';
import type { Statement, StatementResult } from '#store/database/statement.ts';

/** A call to the thread that writes the database. It handles calls in their order. */
export type DatabaseCall =
  | { readonly kind: 'open'; readonly file: string }
  | ({ readonly kind: 'run' } & Statement)
  | { readonly kind: 'begin' | 'commit' | 'rollback' | 'close' };

/** The answer to a call. Answers have the order of the calls. */
export type DatabaseAnswer = { readonly result: StatementResult } | { readonly error: PackedError };

/** A fault that is found while a database is open. */
export interface DatabaseFault {
  /** Which database of the thread has the fault: the number of its `open` call, from 1. */
  readonly opening: number;
  readonly error: PackedError;
}

/** An error as it is sent to another thread. A plain error would lose its own properties on the way. */
export type PackedError =
  | { readonly failure: object }
  | { readonly name: string; readonly message: string; readonly properties: object };

/** Packs an error with the properties that identify a database fault. */
export function packError(error: unknown): PackedError {
  if (error instanceof Failure) return { failure: error.toJSON() };
  if (!(error instanceof Error)) throw error;
  const { code, syscall, name, message } = error as NodeJS.ErrnoException;
  return { name, message, properties: { ...(code && { code }), ...(syscall && { syscall }) } };
}

/** Restores an error from another thread, with its properties. */
export function unpackError(packed: PackedError): Error {
  if ('failure' in packed) return Failure.fromJSON(packed.failure);
  return Object.assign(new Error(packed.message), { name: packed.name, ...packed.properties });
}
