import { Failure } from '#contract/failure.ts';

/** What the thread that runs checkpoints is asked to do. No statement runs on the other connections meanwhile. */
export type CheckpointCall =
  | { readonly kind: 'open'; readonly file: string }
  /**
   * Runs a checkpoint if the log is long, and checks the pages that it suspects. `foreignWrites` counts how often other
   * programs were found to have written.
   */
  | { readonly kind: 'tend'; readonly foreignWrites: number }
  /** Runs a checkpoint. */
  | { readonly kind: 'checkpoint'; readonly foreignWrites: number }
  /** Without `foreignWrites`, it runs no checkpoint. */
  | { readonly kind: 'close'; readonly foreignWrites: number | undefined };

/** The answer to a call. Answers have the order of the calls. */
export type CheckpointAnswer = { readonly done: true } | { readonly error: PackedError };

/** What the thread reports on its own. */
export interface CheckpointNotice {
  /** Which database of the thread it is about: the number of its `open` call, from 1. */
  readonly opening: number;
  /** A fault of the database; without one, the thread needs a `tend` call. */
  readonly fault?: PackedError;
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
