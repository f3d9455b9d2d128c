import { handler } from '#actors/registry/kernel/handler.ts';
import { createSignInCode } from '#contract/operations/session.ts';

export const createSignInCodeHandler = handler(createSignInCode, async (_request, _caller, { sessions }) =>
  sessions.issueCode(),
);
