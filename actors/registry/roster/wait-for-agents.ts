import { z } from 'zod';
import { noAgent } from '#actors/registry/agent/find-agent.ts';
import { cursorCodec, cursorSeq } from '#actors/registry/kernel/cursor.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { LogLine } from '#actors/registry/kernel/log-line.ts';
import { Failure } from '#contract/failure.ts';
import { type AwaitedAgent, maxAwaited, waitForAgents } from '#contract/operations/wait.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredFact } from '#store/fact/fact-entity.ts';
import type { Tables } from '#store/tables.ts';
import { awaitedAgent, outcomeFacts, outcomeOf } from './agent-outcome.ts';
import type { QuestionHints } from './question-hints.ts';
import { questionFacts, ruleTimeLeft, withoutRuled } from './ruled-outcomes.ts';

/** How many facts are read for one answer. There are a few for each turn. */
const maxFacts = 10_000;

/** `seq` is the position in the log at which the wait began, and `agents` is whom a filter found then. */
const cursors = cursorCodec('wait-for-agents', {
  log: z.string(),
  seq: cursorSeq,
  agents: z.array(z.string()).max(maxAwaited).optional(),
});

interface WaitScope extends KernelScope {
  readonly logLine: LogLine;
  /** Whether a rule is answering an agent now. */
  readonly areAnswering: (tables: Tables, agentId: string) => Promise<boolean>;
  /** Has a wait asked again once a rule has had its time. */
  readonly questionHints: Pick<QuestionHints, 'later'>;
}

/**
 * Returns the outcomes of agents, once they end the wait; until then the answer has only a cursor. An outcome counts if
 * it is so now, or has been since the first call of the wait. For people, a question counts once no rule has answered it.
 */
export const waitForAgentsHandler = handler(waitForAgents, (request, caller, scope: WaitScope) => {
  const { store, logLine, clock, areAnswering, questionHints } = scope;
  const { until = [], any = false, afterTurn = 0, cursor = '' } = request;
  if (until.includes('AGENT_OUTCOME_UNSPECIFIED'))
    throw new Failure('INVALID_FIELD', 'until has AGENT_OUTCOME_UNSPECIFIED: name outcomes, or leave until out', {
      field: 'until',
    });
  const at = cursors.read(cursor);
  return store.read(async (tables) => {
    const newest = await tables.facts.lastSeq();
    const since = at === undefined ? newest : logLine.require('facts', at, newest, cursor);
    const agents = at?.agents === undefined ? await awaitedBy(tables, request) : await tables.agents.findAll(at.agents);
    const facts = since === newest ? new Map() : await outcomesSince(tables, since, agents);
    const found: AwaitedAgent[] = [];
    for (const agent of agents) {
      // Whether there are rules is for people to know.
      const all = facts.get(agent.id) ?? [];
      const questions = { facts: all, now: clock.now(), areAnswering };
      const leftMs = caller.kind === 'person' ? await ruleTimeLeft(tables, agent, questions) : 0;
      if (leftMs > 0) questionHints.later(agent.id, leftMs);
      const isRuled = leftMs > 0;
      const known = { isRuled, facts: caller.kind === 'person' ? withoutRuled(all, isRuled) : all };
      const outcome = outcomeOf(agent, known, { until, afterTurn });
      if (outcome !== undefined) found.push(awaitedAgent(caller, agent, outcome));
    }
    const isWhole = await tables.facts.reaches(since);
    const isOver = any ? found.length > 0 : found.length === agents.length;
    const isFiltered = (request.agentIds ?? []).length === 0;
    return {
      agents: isOver ? found : [],
      ...(!isWhole && { factsForgotten: true }),
      cursor: cursors.write({
        log: at?.log ?? logLine.name,
        seq: String(since),
        ...(isFiltered && { agents: agents.map(({ id }) => id) }),
      }),
    };
  });
});

/**
 * The agents that a request names or describes.
 * @throws NOT_FOUND when there is no such agent; INVALID_ARGUMENT when the request names nobody, or too many
 */
async function awaitedBy(
  { agents }: Tables,
  { agentIds = [], launchedBy = '', workflowId = '' }: z.output<typeof waitForAgents.request>,
): Promise<readonly StoredAgent[]> {
  const ways = [agentIds.length > 0, launchedBy !== '', workflowId !== ''].filter(Boolean).length;
  if (ways !== 1)
    throw new Failure('INVALID_FIELD', `Give one of agentIds, launchedBy and workflowId: ${ways} are given`, {
      field: 'agentIds',
    });
  if (agentIds.length > 0) {
    const found = new Map((await agents.findAll(agentIds)).map((agent) => [agent.id, agent]));
    return [...new Set(agentIds)].map((id) => {
      const agent = found.get(id);
      if (agent === undefined) throw noAgent(id);
      return agent;
    });
  }
  const found = await agents.presentOf(launchedBy === '' ? { workflowId } : { spawnedByAgentId: launchedBy });
  const [field, value] = launchedBy === '' ? ['workflowId', workflowId] : ['launchedBy', launchedBy];
  if (found.length > maxAwaited)
    throw new Failure(
      'INVALID_FIELD',
      `${field} ${value} has ${found.length} agents, of at most ${maxAwaited}: name them`,
      {
        field,
      },
    );
  if (found.length > 0) return found;
  throw new Failure('AGENT_NOT_FOUND', `${field} ${value} has no agents that are not archived`, {
    metadata: { agentId: value },
  });
}

/** The facts since a position that report outcomes of agents, oldest first, by agent. */
async function outcomesSince(
  { facts }: Tables,
  since: bigint,
  agents: readonly StoredAgent[],
): Promise<ReadonlyMap<string, readonly StoredFact[]>> {
  const subjectIds = agents.map(({ id }) => id);
  return Map.groupBy(
    await facts.after(since, maxFacts, { subjectIds, kinds: [...new Set([...outcomeFacts, ...questionFacts])] }),
    ({ subjectId }) => subjectId,
  );
}
