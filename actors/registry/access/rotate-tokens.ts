import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { rotateTokens } from '#contract/operations/session.ts';
import type { AccessScope } from './access-scope.ts';
import { makeToken } from './agent-tokens.ts';
import { replaceOperator } from './operator-token.ts';

/** Revokes the tokens of an agent, or all tokens. */
export const rotateTokensHandler = handler(rotateTokens, ({ agentId }, _caller, scope: AccessScope) =>
  agentId ? endOfAgent(scope, agentId) : rotateAll(scope),
);

function endOfAgent({ store }: AccessScope, agentId: string): Promise<{ agents: number; sessions: number }> {
  return store.write(async ({ agents, credentials, facts }) => {
    const { id } = await findAgent(agents, agentId);
    await credentials.endOf(id);
    await facts.append([{ kind: 'agent.tokens-ended', subjectId: id, detail: {} }]);
    return { agents: 1, sessions: 0 };
  });
}

/**
 * Write the file first. After a crash between the two writes, the next start accepts the token in the file, and an old
 * token never becomes valid again.
 */
async function rotateAll({ store, replaceOperatorToken }: AccessScope) {
  const token = makeToken();
  const before = replaceOperatorToken(token);
  try {
    const ended = await store.write(async (tables) => {
      await replaceOperator(tables, token);
      await tables.signInCodes.removeAll();
      await tables.facts.append([{ kind: 'agent.tokens-ended', subjectId: '', detail: {} }]);
      return { agents: await tables.credentials.endOfAgents(), sessions: await tables.sessions.removeAll() };
    });
    return { operatorToken: token, ...ended };
  } catch (error) {
    replaceOperatorToken(before);
    throw error;
  }
}
