import { handler } from '#actors/registry/kernel/handler.ts';
import { createSignInCode } from '#contract/operations/session.ts';
import type { AccessScope } from './access-scope.ts';

export const createSignInCodeHandler = handler(createSignInCode, (_request, _caller, { sessions }: AccessScope) =>
  sessions.issueCode(),
);
