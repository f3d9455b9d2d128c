import { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';

/** The cursors of one listing: where it continues, and what it lists, as one opaque word. */
export interface Cursors<Content> {
  write(content: Content): string;
  /**
   * Reads a cursor back; undefined for an empty one.
   * @throws INVALID_ARGUMENT when it is none of this listing.
   */
  read(cursor: string | undefined): Content | undefined;
}

/** The cursors of a listing. `kind` names it, so that a cursor of another one is not taken for its own. */
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

/** A number as cursors hold a position in the log. */
export const cursorSeq = z.string().regex(/^(0|[1-9][0-9]{0,18})$/);

/** Refuses a cursor. */
export function badCursor(cursor: string, why: string): Failure {
  return new Failure(
    'INVALID_CURSOR',
    `The cursor ${quoted(cursor, 40)} ${why}: pass a cursor back as it was given, or leave it out to start again`,
  );
}

function jsonOf(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
