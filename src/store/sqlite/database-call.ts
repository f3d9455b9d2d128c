import { Failure } from '#contract/failure.ts';
import type { Statement, StatementResult } from '#store/database/statement.ts';

/** What the thread that writes the database is asked for, one after the other. */
export type DatabaseCall =
  | { readonly kind: 'open'; readonly file: string }
  | ({ readonly kind: 'run' } & Statement)
  | { readonly kind: 'begin' | 'commit' | 'rollback' | 'close' };

/** What it answers: to each call in their order. */
export type DatabaseAnswer = { readonly result: StatementResult } | { readonly error: TravellingError };

/** What is found wrong with a database while it is open, and which opening of its thread that was, from 1. */
export interface DatabaseFault {
  readonly opening: number;
  readonly error: TravellingError;
}

/** An error as it crosses threads, which takes an error's own properties off it. */
export type TravellingError =
  | { readonly failure: object }
  | { readonly name: string; readonly message: string; readonly properties: object };

/** Packs an error with what identifies a database fault. */
export function packError(error: unknown): TravellingError {
  if (error instanceof Failure) return { failure: error.toJSON() };
  if (!(error instanceof Error)) throw error;
  const { code, syscall, name, message } = error as NodeJS.ErrnoException;
  return { name, message, properties: { ...(code && { code }), ...(syscall && { syscall }) } };
}

export function unpackError(packed: TravellingError): Error {
  if ('failure' in packed) return Failure.fromJSON(packed.failure);
  return Object.assign(new Error(packed.message), { name: packed.name, ...packed.properties });
}
