import { z } from 'zod';
import { message } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

export const createSignInCode = operation({
  package: 'session.v1',
  service: 'SessionService',
  method: 'CreateSignInCode',
  summary: 'Issues a one-time code with which a person’s browser signs in to the page.',
  guidance:
    'The code works once, within 60 seconds: the browser opens the page at /#code=CODE, which exchanges it for a session ' +
    'bound to a key of that browser. muster open does all of this.',
  request: message('session.v1.CreateSignInCodeRequest', {}),
  response: message('session.v1.CreateSignInCodeResponse', {
    oneTimeCode: [1, z.string(), 'The code. It works once.'],
    expiresAt: [2, z.string(), 'When it expires: RFC 3339, UTC, 60 seconds from now.'],
  }),
  access: 'write',
  idempotent: false,
  private: true,
  secret: true,
  roles: [],
});

export const rotateTokens = operation({
  package: 'session.v1',
  service: 'SessionService',
  method: 'RotateTokens',
  summary:
    'Revokes every token at once: those of all agents, the sessions of browsers, and the operator’s own, which is replaced.',
  guidance:
    'The new operator’s token is in operator.token of the registry’s state folder, and in the answer. Running agents continue, ' +
    'but cannot call muster until they are archived and restored, which gives them a new token. With agentId it revokes only ' +
    'the tokens of that agent.',
  request: message('session.v1.RotateTokensRequest', {
    agentId: [1, z.string(), 'Revoke only this agent’s tokens. Unset: every token.'],
  }),
  response: message('session.v1.RotateTokensResponse', {
    operatorToken: [1, z.string(), 'The operator’s new token. Unset if only an agent’s tokens were revoked.'],
    agents: [2, z.int32(), 'How many agents had a token.'],
    sessions: [3, z.int32(), 'How many browsers were signed in.'],
  }),
  access: 'write',
  idempotent: false,
  destructive: true,
  secret: true,
  roles: [],
});
