import { z } from 'zod';
import { cursorCodec, cursorSeq } from '#actors/registry/kernel/cursor.ts';
import { fitRows } from '#actors/registry/kernel/fit-rows.ts';
import { Failure } from '#contract/failure.ts';
import type { registryCalls } from '#contract/wire/registry.ts';
import type { HostScope } from './host-scope.ts';

/** Maximum number of records in one answer. */
const maxRecords = 100;
/** Maximum number of departures in one answer: the rest follows once these are completed. */
const maxDepartures = 20;

/**
 * `log` is the log generation that issued the cursor, `seq` the position up to which commits are included. `after` is
 * the position of the last agent that was sent, while the first pages, of all active agents, are incomplete.
 */
const cursors = cursorCodec('host-changes', { log: z.string(), seq: cursorSeq, after: cursorSeq.optional() });

/**
 * Returns every active agent of a host, page by page, and after that those with new commits. The position of the newest
 * commit is read before the first page, so an agent that changes meanwhile is included again.
 * @throws OUT_OF_RANGE when the cursor belongs to another log
 */
export async function changes(
  { store, reviewStatuses, logLine }: HostScope,
  { hostId, cursor }: z.output<typeof registryCalls.changes.request>,
): Promise<z.output<typeof registryCalls.changes.response>> {
  const at = cursors.read(cursor);
  // A returning host has seen no changes of its worktrees while it was away.
  if (at === undefined) reviewStatuses.measureAll(hostId);
  return store.read(async ({ agents, departures }) => {
    const newest = await agents.lastPosition();
    const seq = at === undefined ? newest : logLine.require('records', at, newest, cursor);
    const isOpening = at === undefined || at.after !== undefined;
    const found = isOpening
      ? await agents.atWorkOn(hostId, BigInt(at?.after ?? 0), maxRecords)
      : await agents.changesOn(hostId, seq, maxRecords);
    const page = fitRows(found.map(({ record }) => record));
    const last = String(found[page.length - 1]?.place ?? seq);
    const isWhole = page.length === found.length && found.length < maxRecords;
    const next = !isOpening ? { seq: last } : isWhole ? { seq: String(seq) } : { seq: String(seq), after: last };
    const left = fitRows(
      (await departures.from(hostId, maxDepartures)).map(({ id, epoch, record, remains }) => ({
        id,
        epoch,
        record,
        remains,
      })),
    );
    const read = { agents: page, cursor: cursors.write({ log: logLine.name, ...next }), departures: left };
    return { ...read, more: isOpening || !isWhole };
  });
}

/** Whether a cursor belongs to this log, and not to one that a restored database has replaced. */
export function isOfThisLog({ logLine }: Pick<HostScope, 'logLine'>, cursor: string): boolean {
  try {
    const at = cursors.read(cursor);
    return at === undefined || logLine.holds('records', at);
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
