import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { Failure } from '#contract/failure.ts';
import { findAgent as operation } from '#contract/operations/agent.ts';
import { nearest } from '#contract/parse/nearest.ts';
import { quoted } from '#contract/quoted.ts';
import type { AgentSearch, Match, MatchedAgent } from '#store/agent/agent-search.ts';
import { wholeAgentRow } from './agent-rows.ts';

/** The ways to match an agent, the most specific first: exact, or by a prefix. */
const whole: readonly Match[] = ['id', 'name', 'mark'];
const beginning: readonly Match[] = ['nameStart', 'idStart'];

/** An id begins with `agt_`, so a shorter prefix would match every agent. */
const minIdStart = 5;
/** Longer text is not compared with every name to find a typing error, because that takes long. */
const maxMistyped = 40;
const maxNamed = 8;

/** Finds an agent by an id, a name, a mark or a prefix, and returns it as `get_agent` does. */
export const findAgentHandler = handler(operation, (request, caller, { store }) =>
  store.read(async (tables) => {
    const id = await idCalled(tables.agentSearch, request.called, request.archivedFirst);
    return { agent: await wholeAgentRow(tables, id, caller) };
  }),
);

/**
 * The id of the agent that a text matches. The first kind of match that finds any agent decides. Exact matches come
 * before prefixes, so that a repeated command does not reach another agent.
 * @throws NOT_FOUND when none matches; INVALID_ARGUMENT when several match
 */
async function idCalled(search: AgentSearch, text: string, archivedFirst = false): Promise<string> {
  const standings = archivedFirst ? (['archived', 'present'] as const) : (['present', 'archived'] as const);
  for (const matches of [whole, beginning]) {
    for (const standing of standings) {
      for (const match of matches) {
        if (match === 'idStart' && text.length < minIdStart) continue;
        const found = await search.matching(standing, match, text);
        if (found.length > 1) throw ambiguous(text, found);
        if (found[0] !== undefined) return found[0].id;
      }
    }
  }
  throw unknown(text, text.length > maxMistyped ? undefined : nearest(text, await search.names()));
}

function unknown(text: string, near: string | undefined): Failure {
  const help = near === undefined ? 'list_agents lists them' : `did you mean ${quoted(near)}?`;
  return new Failure('AGENT_NOT_FOUND', `There is no agent ${quoted(text)}: ${help}`, { metadata: { agentId: text } });
}

function ambiguous(text: string, found: readonly MatchedAgent[]): Failure {
  const named = found.slice(0, maxNamed);
  const more = found.length > named.length ? ` and ${found.length - named.length} more` : '';
  return new Failure(
    'AMBIGUOUS_NAME',
    `${quoted(text)} could be any of ${named.map(describeAgent).join(', ')}${more}: write more of the name, or the id`,
    { metadata: { ids: named.map(({ id }) => id).join(' '), count: String(found.length) } },
  );
}
