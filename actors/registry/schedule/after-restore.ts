import type { Change } from '#actors/registry/kernel/writing.ts';
import type { StoredFiring } from '#store/schedule/firing-entity.ts';
import { advanceFiring, insertFirings, newFiring } from './firings.ts';
import { decideOccurrences } from './occurrences.ts';

/** How many schedules and firings are read at once. */
const atOnce = 1_000;
/** States in which a firing may still launch an agent. */
const unended: readonly StoredFiring['state'][] = ['pending', 'scheduled', 'available', 'running', 'retryable'];

/**
 * Prevents what may have run since a backup from running again after its restore: skips the occurrences up to the
 * restore, and cancels the firings that had not ended. A person can retry each.
 * @param restoredAt in milliseconds since 1970
 */
export async function skipUpToRestore(writing: Change, takenAt: string, restoredAt: number): Promise<void> {
  await cancelFirings(writing, `the backup of ${takenAt} was restored: it may have run since then`);
  await skipOccurrences(
    writing,
    `skipped: it may have run between the backup of ${takenAt} and its restore`,
    restoredAt,
  );
}

async function cancelFirings(writing: Change, reason: string): Promise<void> {
  for (const state of unended) {
    for (let after = 0; ; ) {
      const some = await writing.tables.firings.inState(state, atOnce, after);
      for (const firing of some) await advanceFiring(writing, firing, { type: 'CANCEL', reason });
      after = some.at(-1)?.id ?? after;
      if (some.length < atOnce) break;
    }
  }
}

async function skipOccurrences({ tables, now }: Change, message: string, restoredAt: number): Promise<void> {
  for (let due = await tables.schedules.due(restoredAt, atOnce); due.length > 0; ) {
    for (const schedule of due) {
      const { decisions, upTo, next } = decideOccurrences({ ...schedule, missed: 'skip' }, restoredAt);
      const { id, maxAttempts } = schedule;
      const input = { state: 'cancelled', maxAttempts, until: null, message } as const;
      await insertFirings(
        tables,
        decisions.map(({ at }) => newFiring(id, at, input, now)),
      );
      await tables.schedules.advance(id, { decidedUpTo: upTo, nextAt: next ?? null });
    }
    due = await tables.schedules.due(restoredAt, atOnce);
  }
}
