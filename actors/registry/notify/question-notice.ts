import { z } from 'zod';
import { ruleMs, whyOfFact } from '#contract/fact/notice-of-fact.ts';
import type { StoredNotice } from '#store/notify/notice-entity.ts';
import type { Tables } from '#store/tables.ts';
import type { AreAnswering } from './notify-scope.ts';

/** How long rules may answer one question after the other before a person is notified, in milliseconds. */
const maxRulesMs = 60_000;

const QuestionBody = z.looseObject({
  event: z.literal('waiting'),
  at: z.string(),
  seq: z.string(),
  agent: z.looseObject({}),
});
type QuestionBody = z.infer<typeof QuestionBody>;

/** What a notice says of a question; undefined if it is about something else. */
export function questionOf({ body }: StoredNotice): QuestionBody | undefined {
  return QuestionBody.safeParse(JSON.parse(body)).data;
}

/** What to do with a notice that is due: send it, as it is then; drop it, as a rule answered the question; or wait. */
export type DueNotice = StoredNotice | 'answered' | 'later';

interface Asked {
  readonly question: QuestionBody;
  readonly areAnswering: AreAnswering;
  readonly now: number;
}

/** Decides about the notice of a question that is due. */
export async function dueQuestion(
  tables: Tables,
  notice: StoredNotice,
  { question: body, areAnswering, now }: Asked,
): Promise<DueNotice> {
  const { agents, facts } = tables;
  const isEarly = now < Date.parse(body.at) + maxRulesMs;
  if (isEarly && (await areAnswering(tables, notice.agent))) return 'later';
  const [approved] = await facts.before(undefined, 1, { subjectId: notice.agent, kinds: ['agent.approved'] });
  if (approved === undefined || approved.seq < BigInt(body.seq)) return notice;
  const [asked] = await facts.before(undefined, 1, { subjectId: notice.agent, kinds: ['agent.waits'] });
  // A later question has a notice of its own.
  if (asked !== undefined && asked.seq > BigInt(body.seq)) return 'answered';
  const agent = await agents.find(notice.agent);
  const isUnsure = agent?.state === 'AGENT_STATE_UNCERTAIN' && agent.alive;
  if (agent === undefined || (agent.state !== 'AGENT_STATE_WAITING' && !isUnsure)) return 'answered';
  // Its screen may yet show what came of the answer.
  if (isUnsure && isEarly) return 'later';
  // It asks something else since: a rule may answer that too.
  if (isEarly && now < approved.at + ruleMs) return 'later';
  const { name, state, stateReason, waitingFor } = agent;
  const why = whyOfFact({ waitingFor, reason: stateReason });
  const text = `${name} waits for you${why && `: ${why}`}`;
  const shown = { ...body, text, agent: { ...body.agent, state, stateReason, waitingFor } };
  return { ...notice, body: JSON.stringify(shown) };
}
