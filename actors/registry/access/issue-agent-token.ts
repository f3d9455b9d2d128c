import { mayHoldTokens } from '#actors/registry/agent/agent-standing.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { Failure } from '#contract/failure.ts';
import { issueAgentToken } from '#contract/operations/agent.ts';
import { issueToken } from './agent-credential.ts';

/** Makes another token for an agent. */
export const issueAgentTokenHandler = handler(issueAgentToken, ({ agentId }, _caller, { store }) =>
  store.write(async ({ agents, credentials }) => {
    const agent = await findAgent(agents, agentId);
    if (!mayHoldTokens(agent)) {
      throw new Failure(
        'AGENT_TOKENS_ENDED',
        `Agent ${describeAgent(agent)} is archived or being deleted, so its tokens are revoked: restore it first`,
      );
    }
    return { token: await issueToken(credentials, agentId, 'issued') };
  }),
);
