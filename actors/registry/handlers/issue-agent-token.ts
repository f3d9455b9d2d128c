import { agentTokenFor } from '#actors/registry/agent-credential.ts';
import { called, findAgent } from '#actors/registry/find-agent.ts';
import { handler } from '#actors/registry/handler.ts';
import { Failure } from '#contract/failure.ts';
import { issueAgentToken } from '#contract/operations/agent.ts';

/** Hands out an agent's own token again. */
export const issueAgentTokenHandler = handler(issueAgentToken, ({ agentId }, _caller, { store, tokens }) =>
  store.write(async ({ agents, credentials }) => {
    const agent = await findAgent(agents, agentId);
    if (agent.standing === 'archived') {
      throw new Failure(
        'failed_precondition',
        `Agent ${called(agent)} is archived, so its token has ended: restore it first`,
      );
    }
    return { token: await agentTokenFor(credentials, tokens, agentId) };
  }),
);
