import { badCursor, cursorSeq } from './cursor.ts';
import type { LogPlace } from './log-line.ts';

/**
 * A cursor that people may write themselves: a place of the log as it is now, and behind it the start that issued it.
 */
export const plainCursor = {
  write: ({ log, seq }: LogPlace): string => `${seq}-${log}`,
  /** @throws INVALID_ARGUMENT when it is no place. `log` is left out if a person wrote it. */
  read(cursor: string): { readonly seq: string; readonly log?: string } {
    const [, seq = '', log] = /^([0-9]+)(?:-(.+))?$/s.exec(cursor) ?? [];
    if (!cursorSeq.safeParse(seq).success) throw badCursor(cursor, 'is not a place in the log');
    return { seq, ...(log !== undefined && { log }) };
  },
};
