import { change } from '#actors/registry/agent/change.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { advanceDoorbell, raiseBell } from '#actors/registry/doorbell/doorbells.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { ownAgentId } from '#actors/registry/kernel/self.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { Failure } from '#contract/failure.ts';
import { takeLimit, takeMail } from '#contract/operations/mail.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredMail } from '#store/mail/mail-entity.ts';
import { mailOf, mailText } from './mail-resource.ts';

/** How many characters of bodies one call returns. A longer mail is returned alone. */
const maxCharacters = 100_000;

/** Returns an agent's mail in order and marks it as taken. A repeat with the same `claimId` returns the same mail. */
export const takeMailHandler = handler(takeMail, async (request, caller, scope) => {
  const { limit = takeLimit.default, view } = request;
  if (limit < 0)
    throw new Failure('INVALID_FIELD', `limit is ${limit}: give a number from 1 to ${takeLimit.max}`, {
      field: 'limit',
    });
  const agentId = ownAgentId(caller, request.agentId);
  const claimId = request.claimId || scope.ids.id('clm');
  return change(scope, async (writing) => {
    const { agents, mail } = writing.tables;
    const agent = await findAgent(agents, agentId);
    const known = request.claimId ? await mail.takenBy(agentId, claimId) : [];
    const taken = known.length > 0 ? known : await take(writing, agent, claimId, limit || takeLimit.default);
    const remaining = agent.unreadMail - (known.length > 0 ? 0 : taken.length);
    return {
      text: mailText(taken, remaining, () => scope.ids.uuid().replaceAll('-', '')),
      mail: taken.map((one) => mailOf(one, agent.name, view === 'VIEW_FULL')),
      claimId,
      remaining,
    };
  });
});

async function take(
  writing: Change,
  known: StoredAgent,
  claimId: string,
  limit: number,
): Promise<readonly StoredMail[]> {
  const { mail, facts, journal, doorbells } = writing.tables;
  const { id: agentId, unreadMail, bellRaisedAt } = known;
  const taken = firstThatFit(await mail.waiting(agentId, Math.min(limit, takeLimit.max)));
  const open = bellRaisedAt === null ? undefined : await doorbells.openOf(agentId);
  if (taken.length > 0) {
    await mail.take(taken, claimId, writing.now);
    const detail = { claimId, mailIds: taken.map(({ id }) => id) };
    await facts.append([{ kind: 'mail.taken', subjectId: agentId, detail }]);
  }
  const remaining = unreadMail - taken.length;
  const called = { unreadMail: remaining, known };
  const met = open && (await advanceDoorbell(writing, open, { type: 'MET', cause: 'DOORBELL_CAUSE_MAIL' }, called));
  if (met === undefined && taken.length > 0) await journal.setWaiting(agentId, { unreadMail: remaining }, known);
  if (taken.length > 0 && remaining > 0) {
    await raiseBell(writing, agentId, { cause: 'DOORBELL_CAUSE_MAIL', count: remaining });
  }
  return taken.map((one) => ({ ...one, claimId, takenAt: writing.now }));
}

/** The first mails, as many as one call returns. */
function firstThatFit(mail: readonly StoredMail[]): StoredMail[] {
  let characters = 0;
  return mail.filter(({ body = '' }, place) => {
    characters += body.length;
    return place === 0 || characters <= maxCharacters;
  });
}
