import { z } from 'zod';
import { cursorCodec, cursorSeq } from '#actors/registry/kernel/cursor.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { pageLimit } from '#actors/registry/kernel/page-limit.ts';
import { plainCursor } from '#actors/registry/kernel/plain-cursor.ts';
import { Failure } from '#contract/failure.ts';
import { listFacts, watchFacts } from '#contract/operations/fact.ts';
import { pageSize } from '#contract/page.ts';
import { factOf } from './fact-resource.ts';
import { requestedKinds } from './requested-kinds.ts';

const cursors = cursorCodec('facts', { subjectId: z.string(), seq: cursorSeq });

/** Lists facts, newest first. */
export const listFactsHandler = handler(
  listFacts,
  ({ subjectId = '', kinds = [], cursor, pageSize }, _caller, { store }) => {
    const limit = pageLimit(pageSize);
    const wanted = [...requestedKinds(kinds, 'kinds')];
    const at = cursors.read(cursor);
    if (at !== undefined && at.subjectId !== subjectId) {
      throw new Failure('INVALID_CURSOR', 'The cursor belongs to a listing with another subjectId: start again', {
        field: 'pagination.cursor',
      });
    }
    return store.read(async ({ facts }) => {
      const of = { subjectId: subjectId || undefined, kinds: wanted.length === 0 ? undefined : wanted };
      const found = await facts.before(at && BigInt(at.seq), limit + 1, of);
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const more = last !== undefined && found.length > limit;
      return {
        facts: page.map(factOf),
        ...(more ? { nextPageToken: cursors.write({ subjectId, seq: String(last.seq) }) } : {}),
      };
    });
  },
);

/** Returns the facts since a position in the log, oldest first. */
export const watchFactsHandler = handler(watchFacts, ({ cursor, subjectId }, _caller, { store, logLine }) => {
  const at = cursor ? plainCursor.read(cursor) : undefined;
  const log = logLine.name;
  return store.read(async ({ facts }) => {
    const newest = await facts.lastSeq();
    if (!cursor || at === undefined) return { facts: [], cursor: plainCursor.write({ log, seq: String(newest) }) };
    const seq = logLine.require('facts', { log, ...at }, newest, cursor);
    if (seq !== beginning && !(await facts.reaches(seq)))
      throw forgotten(cursor, (await facts.firstSeq()) ?? newest + 1n);
    const found = await facts.after(seq, pageSize.max, { subjectId: subjectId || undefined });
    const last = found.length < pageSize.max ? newest : found.at(-1)?.seq;
    return { facts: found.map(factOf), cursor: plainCursor.write({ log, seq: String(last) }) };
  });
});

/** The cursor that means the oldest kept fact, whichever that is. */
const beginning = 0n;

function forgotten(cursor: string, first: bigint): Failure {
  return new Failure(
    'CURSOR_EXPIRED',
    `The cursor ${cursor} is older than the log, which begins with ${first}: facts in between are no longer stored, ` +
      'so read the current state, and continue from the cursor "0" or without one',
    { field: 'cursor', metadata: { firstCursor: String(first) } },
  );
}
