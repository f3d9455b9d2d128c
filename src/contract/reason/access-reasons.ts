import type { ReasonMeaning } from './reason-meaning.ts';

/** Why a caller may not do what it requests. */
export const accessReasons = {
  CREDENTIAL_MISSING: { code: 'unauthenticated', meaning: 'The call names no caller.' },
  CREDENTIAL_UNKNOWN: { code: 'unauthenticated', meaning: 'The token is unknown.' },
  CREDENTIAL_ENDED: {
    code: 'unauthenticated',
    meaning: 'The token is no longer valid, for example because its agent is archived or deleted.',
  },
  SIGN_IN_CODE_INVALID: {
    code: 'unauthenticated',
    meaning: 'The sign-in code was used, has expired or was never issued.',
  },
  SESSION_NOT_PROVEN: {
    code: 'unauthenticated',
    meaning: "The request carries no proof of the browser's session, or a wrong one.",
  },
  NOT_OFFERED: {
    code: 'permission_denied',
    meaning: "The operation is not offered to the caller's role.",
    metadata: { method: 'The operation.', role: "The caller's role." },
  },
  PEOPLE_ONLY: { code: 'permission_denied', meaning: 'Only people may use this operation or field.' },
  NOT_YOURS: { code: 'permission_denied', meaning: 'It belongs to another agent, which the caller may not control.' },
  BEYOND_OWN_RIGHTS: {
    code: 'permission_denied',
    meaning: 'An agent may not grant more rights than it has itself.',
  },
  WORKFLOW_GONE: {
    code: 'permission_denied',
    meaning: "The caller's workflow, which grants its rights, is gone.",
  },
  MAIL_NOT_ALLOWED: { code: 'permission_denied', meaning: 'The caller may not mail that agent.' },
  HOST_NAME_NOT_ALLOWED: {
    code: 'permission_denied',
    meaning: "The request's `Host` is not a name of the gateway.",
  },
  ORIGIN_NOT_ALLOWED: { code: 'permission_denied', meaning: 'A page of that origin may not call the gateway.' },
} as const satisfies Readonly<Record<string, ReasonMeaning>>;
