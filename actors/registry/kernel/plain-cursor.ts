import { badCursor, cursorSeq } from './cursor.ts';
import type { LogPlace } from './log-line.ts';

/**
 * A cursor that a person can type: a sequence number, then the generation that issued it.
 */
export const plainCursor = {
  write: ({ log, seq }: LogPlace): string => `${seq}-${log}`,
  /** `log` is missing if a person typed only the number. @throws INVALID_ARGUMENT when it is not a position */
  read(cursor: string): { readonly seq: string; readonly log?: string } {
    const [, seq = '', log] = /^([0-9]+)(?:-(.+))?$/s.exec(cursor) ?? [];
    if (!cursorSeq.safeParse(seq).success) throw badCursor(cursor, 'is not a place in the log');
    return { seq, ...(log !== undefined && { log }) };
  },
};
