import { change } from '#actors/registry/agent/change.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { moveBell, raiseBell } from '#actors/registry/doorbell/doorbells.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { selfOf } from '#actors/registry/kernel/self.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { Failure } from '#contract/failure.ts';
import { takeLimit, takeMail } from '#contract/operations/mail.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredMail } from '#store/mail/mail-entity.ts';
import { mailsOf, mailText } from './mail-resource.ts';

/** How many characters of bodies are handed over together. One mail is, however long. */
const charactersMost = 100_000;

/** Hands over an agent's mail in order, taken in the same write. A repeat with the claim's id hands over the same. */
export const takeMailHandler = handler(takeMail, async (request, caller, scope) => {
  const { limit = takeLimit.usual, view } = request;
  if (limit < 0) throw new Failure('invalid_argument', `limit is ${limit}: give a number from 1 to ${takeLimit.most}`);
  const agentId = selfOf(caller, request.agentId);
  const claimId = request.claimId || scope.ids.id('clm');
  return change(scope, async (writing) => {
    const { agents, mail } = writing.tables;
    const agent = await findAgent(agents, agentId);
    const known = await mail.takenBy(agentId, claimId);
    const taken = known.length > 0 ? known : await take(writing, agent, claimId, limit || takeLimit.usual);
    const remaining = agent.unreadMail - (known.length > 0 ? 0 : taken.length);
    return {
      text: mailText(taken, remaining, () => scope.ids.uuid().replaceAll('-', '')),
      mail: await mailsOf(agents, taken, view === 'VIEW_FULL'),
      claimId,
      remaining,
    };
  });
});

async function take(
  writing: Change,
  { id: agentId, unreadMail }: StoredAgent,
  claimId: string,
  limit: number,
): Promise<readonly StoredMail[]> {
  const { mail, facts, journal, doorbells } = writing.tables;
  const taken = together(await mail.waiting(agentId, Math.min(limit, takeLimit.most)));
  const open = await doorbells.openOf(agentId);
  if (taken.length > 0) {
    await mail.take(taken, claimId, writing.now);
    const detail = { claimId, mailIds: taken.map(({ id }) => id) };
    await facts.append([{ kind: 'mail.taken', subjectId: agentId, detail }]);
    await journal.setWaiting(agentId, { unreadMail: unreadMail - taken.length });
  }
  if (open !== undefined) await moveBell(writing, open, { type: 'MET', cause: 'DOORBELL_CAUSE_MAIL' });
  const remaining = unreadMail - taken.length;
  if (taken.length > 0 && remaining > 0) {
    await raiseBell(writing, agentId, { cause: 'DOORBELL_CAUSE_MAIL', count: remaining });
  }
  return taken.map((one) => ({ ...one, claimId, takenAt: writing.now }));
}

/** Mails, as many of them from the first on as are handed over together. */
function together(mail: readonly StoredMail[]): StoredMail[] {
  let characters = 0;
  return mail.filter(({ body = '' }, place) => {
    characters += body.length;
    return place === 0 || characters <= charactersMost;
  });
}
