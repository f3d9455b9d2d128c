import { z } from 'zod';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { cursorCodec, cursorSeq } from '#actors/registry/kernel/cursor.ts';
import { fitRows } from '#actors/registry/kernel/fit-rows.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { pageLimit } from '#actors/registry/kernel/page-limit.ts';
import { ownAgentId } from '#actors/registry/kernel/self.ts';
import { Failure } from '#contract/failure.ts';
import { listMail } from '#contract/operations/mail.ts';
import { mailsOf } from './mail-resource.ts';

const cursors = cursorCodec('mail', { of: z.string(), seq: cursorSeq });

/** Lists the mail that an agent received or sent, or all mail for a person, newest first. */
export const listMailHandler = handler(listMail, async (request, caller, { store }) => {
  const { box = 'MAIL_BOX_INBOX', taken, view, pagination } = request;
  const agentId = caller.kind === 'person' && !request.agentId ? '' : ownAgentId(caller, request.agentId);
  const limit = pageLimit(pagination?.pageSize);
  const isSent = box === 'MAIL_BOX_SENT';
  const of = [agentId, isSent ? 'sent' : 'got', taken ?? ''].join(' ');
  const at = cursors.read(pagination?.cursor);
  if (at !== undefined && at.of !== of) {
    throw new Failure(
      'INVALID_CURSOR',
      'The cursor belongs to a listing with another agentId, box or taken: start again',
      { field: 'pagination.cursor' },
    );
  }
  return store.read(async ({ agents, mail }) => {
    if (agentId) await findAgent(agents, agentId);
    const found = await mail.page({
      box: agentId === '' ? undefined : isSent ? { sender: agentId } : { toAgentId: agentId },
      taken,
      before: at && BigInt(at.seq),
      limit: limit + 1,
      bodies: view === 'VIEW_FULL',
    });
    const rows = fitRows(await mailsOf(agents, found.slice(0, limit), view === 'VIEW_FULL'));
    const last = found[rows.length - 1];
    const more = last !== undefined && found.length > rows.length;
    return { mail: rows, ...(more ? { nextPageToken: cursors.write({ of, seq: String(last.seq) }) } : {}) };
  });
});
