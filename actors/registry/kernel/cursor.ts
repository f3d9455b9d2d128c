import { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';

/** Encodes and decodes the cursors of one listing. A cursor is opaque to clients. */
export interface Cursors<Content> {
  write(content: Content): string;
  /**
   * Decodes a cursor; undefined for an empty one.
   * @throws INVALID_ARGUMENT when the cursor does not belong to this listing
   */
  read(cursor: string | undefined): Content | undefined;
}

/** The cursors of a listing. They contain its `kind`, so that cursors of other listings are refused. */
export function cursorCodec<S extends z.ZodRawShape>(kind: string, shape: S): Cursors<z.output<z.ZodObject<S>>> {
  const schema = z.strictObject({ ...shape, kind: z.literal(kind) });
  return {
    write: (content) => Buffer.from(JSON.stringify({ kind, ...content })).toString('base64url'),
    read(cursor) {
      if (!cursor) return undefined;
      const read = schema.safeParse(jsonOf(cursor));
      if (!read.success || !/^[A-Za-z0-9_-]+$/.test(cursor)) throw badCursor(cursor, 'does not belong to this listing');
      return read.data as z.output<z.ZodObject<S>>;
    },
  };
}

/** A position in the log, as cursors hold it. */
export const cursorSeq = z.string().regex(/^(0|[1-9][0-9]{0,18})$/);

/** The error for an invalid cursor. */
export function badCursor(cursor: string, why: string): Failure {
  return new Failure(
    'INVALID_CURSOR',
    `The cursor ${quoted(cursor, 40)} ${why}: pass it exactly as it was returned, or leave it out to start again`,
  );
}

function jsonOf(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
