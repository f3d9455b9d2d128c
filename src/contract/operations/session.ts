import { z } from 'zod';
import { message } from '../message.ts';
import { operation } from '../operation.ts';

export const createSignInCode = operation({
  package: 'session.v1',
  service: 'SessionService',
  method: 'CreateSignInCode',
  summary: 'Makes a one-time code with which a person’s browser signs in to the page.',
  guidance:
    'The code is good once and for 60 seconds: the browser opens the page at /#code=CODE, which exchanges it for a session ' +
    'that is bound to a key of that browser. muster open does all of this.',
  request: message('session.v1.CreateSignInCodeRequest', {}),
  response: message('session.v1.CreateSignInCodeResponse', {
    oneTimeCode: [1, z.string()],
    expiresAt: [2, z.string()],
  }),
  access: 'write',
  idempotent: false,
  private: true,
  roles: [],
});
