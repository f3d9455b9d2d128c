import { z } from 'zod';
import { cursorCodec } from '#actors/registry/kernel/cursor.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { pageLimit } from '#actors/registry/kernel/page-limit.ts';
import { Failure } from '#contract/failure.ts';
import { listAgents } from '#contract/operations/list-agents.ts';
import { agentRowsOf } from './agent-rows.ts';

const cursors = cursorCodec('agents', { archived: z.boolean(), updatedAt: z.int(), id: z.string() });

/** Lists agents, most recently updated first. */
export const listAgentsHandler = handler(listAgents, async ({ pagination, archived = false, view }, caller, scope) => {
  const limit = pageLimit(pagination?.pageSize);
  const after = cursors.read(pagination?.cursor);
  if (after !== undefined && after.archived !== archived) {
    throw new Failure(
      'INVALID_CURSOR',
      `The cursor belongs to a listing with archived ${after.archived}, and archived is ${archived}: start again`,
      { field: 'pagination.cursor' },
    );
  }
  return scope.store.read(async (tables) => {
    const standing = archived ? 'archived' : 'present';
    const found = await tables.agents.page({ standing, after, limit: limit + 1 });
    const rows = await agentRowsOf(tables, found.slice(0, limit), caller, view);
    const last = found[rows.length - 1];
    const more = last !== undefined && found.length > rows.length;
    const next = more ? { nextPageToken: cursors.write({ archived, updatedAt: last.updatedAt, id: last.id }) } : {};
    return { agents: rows, ...next };
  });
});
