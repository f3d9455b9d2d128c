import { z } from 'zod';
import type { FactScope } from '#actors/registry/fact/fact-scope.ts';
import { requestedKinds } from '#actors/registry/fact/requested-kinds.ts';
import { cursorCodec, cursorSeq } from '#actors/registry/kernel/cursor.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { Caller } from '#contract/access/caller.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { watchAgents } from '#contract/operations/agent.ts';
import { pageSize, type View } from '#contract/page.ts';
import type { Position } from '#store/kernel/keyset.ts';
import type { Tables } from '#store/tables.ts';
import { agentRowsOf } from './agent-rows.ts';
import { factPlace, factsSince } from './watched-facts.ts';

/**
 * `log` is the log generation that issued the cursor, `seq` the position in the log up to which changes are included,
 * `after` the position within the opening pages, and `facts` the position of the facts, if the watch wants any.
 */
const cursors = cursorCodec('watch-agents', {
  log: z.string(),
  seq: cursorSeq,
  after: z.strictObject({ updatedAt: z.int(), id: z.string() }).optional(),
  facts: factPlace.optional(),
});
type Place = Omit<NonNullable<ReturnType<typeof cursors.read>>, 'kind' | 'log'>;

interface Answer {
  readonly agents: AgentRow[];
  readonly goneAgentIds: string[];
  readonly place: Place;
  /** Whether there are more changes already. */
  readonly more?: true;
}

/**
 * Returns every row, page by page, and after that the rows that changed, with the facts that the watch wants. The
 * position in the log is read before the first page, so a row that changes meanwhile is included again.
 */
export const watchAgentsHandler = handler(
  watchAgents,
  (request, caller, { store, ephemeralEvents, logLine }: FactScope) => {
    const { cursor, view } = request;
    const kinds = requestedKinds(request.factKinds);
    const at = cursors.read(cursor);
    return store.read(async (tables) => {
      const newest = await tables.facts.lastSeq();
      const placed = (place: { readonly seq: string }): bigint =>
        logLine.require('facts', { log: at?.log ?? logLine.name, seq: place.seq }, newest, cursor ?? '');
      const seq = at === undefined ? newest : placed(at);
      if (at?.facts !== undefined) placed(at.facts);
      const isOpening = at === undefined || at.after !== undefined;
      const watch = { tables, caller, view, newest };
      const { place, ...rows } = await (isOpening ? openingPage(watch, seq, at?.after) : changesSince(watch, seq));
      const since = at?.facts ?? { seq: String(seq), passing: ephemeralEvents.place };
      const { place: facts, ...beside } = await factsSince(tables, ephemeralEvents, kinds, since);
      return { ...rows, ...beside, cursor: cursors.write({ log: logLine.name, ...place, ...(facts && { facts }) }) };
    });
  },
);

/** One read of a watch. */
interface Watch {
  readonly tables: Tables;
  readonly caller: Caller;
  readonly view: View | undefined;
  /** The end of the log. */
  readonly newest: bigint;
}

async function openingPage(watch: Watch, seq: bigint, after: Position | undefined): Promise<Answer> {
  const { tables, caller, view } = watch;
  const { agents } = tables;
  const found = await agents.page({ standing: 'present', after, limit: pageSize.max });
  // After an answer without rows, the watcher waits for a hint, so that answer must include what has changed meanwhile.
  if (found.length === 0) return changesSince(watch, seq);
  const rows = await agentRowsOf(tables, found, caller, view);
  const last = found[rows.length - 1];
  const whole = found.length < pageSize.max && rows.length === found.length;
  const next = whole || last === undefined ? {} : { after: { updatedAt: last.updatedAt, id: last.id } };
  return { agents: rows, goneAgentIds: [], place: { seq: String(seq), ...next }, more: true };
}

/**
 * The rows that changed after a position. If none are left, the cursor is the end of the log, so that all watches which
 * are up to date have the same cursor and can share their next answer.
 */
async function changesSince({ tables, caller, view, newest }: Watch, seq: bigint): Promise<Answer> {
  const changed = await tables.agents.movedAfter(seq, pageSize.max);
  const there = changed.filter(({ standing }) => standing !== 'gone');
  const rows = await agentRowsOf(tables, there, caller, view);
  // The next answer has the rows that do not fit: the cursor stops before the first of them.
  const unfitting = there[rows.length];
  const fitting = unfitting === undefined ? changed : changed.slice(0, changed.indexOf(unfitting));
  const goneAgentIds = fitting.filter(({ standing }) => standing === 'gone').map(({ id }) => id);
  const isWhole = changed.length < pageSize.max && fitting.length === changed.length;
  const upTo = isWhole ? newest : (fitting.at(-1)?.movedSeq ?? seq);
  return { agents: rows, goneAgentIds, place: { seq: String(upTo) }, ...(!isWhole && { more: true }) };
}
