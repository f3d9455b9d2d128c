import type { ReasonMeaning } from './reason-meaning.ts';

/** Why a machine cannot join as a host, or cannot stay one. */
export const joiningReasons = {
  INVITATION_NOT_FOUND: { code: 'not_found', meaning: 'There is no such invitation.' },
  INVITATION_UNKNOWN: { code: 'unauthenticated', meaning: 'The token of the invitation was never issued.' },
  INVITATION_USED: { code: 'failed_precondition', meaning: 'A machine has joined with the invitation: it works once.' },
  INVITATION_EXPIRED: { code: 'failed_precondition', meaning: 'The invitation is older than 15 minutes.' },
  INVITATION_WITHDRAWN: { code: 'failed_precondition', meaning: 'A person withdrew the invitation.' },
  HOST_NAME_TAKEN: {
    code: 'already_exists',
    meaning: 'A host, or an open invitation, has that name.',
  },
  JOIN_PROTOCOL_UNSUPPORTED: {
    code: 'failed_precondition',
    meaning: 'The machine and the registry run versions of muster that cannot join each other.',
  },
  JOIN_LINE_INVALID: { code: 'invalid_argument', meaning: 'The line is not one that `muster host invite` prints.' },
  JOIN_NOT_POSSIBLE: { code: 'failed_precondition', meaning: 'The machine cannot join in its state.' },
  JOIN_UNFINISHED: {
    code: 'failed_precondition',
    meaning: 'Joining with the state folder was interrupted: it belongs to no installation yet.',
  },
  JOIN_UNREACHABLE: {
    code: 'unavailable',
    meaning: 'The machine cannot reach the gateway or the bus that the line names.',
  },
  JOIN_SERVER_MISTAKEN: {
    code: 'permission_denied',
    meaning: 'The server at the address of the line has another certificate than the line says, or is not muster.',
  },
  SERVICE_MANAGER_MISSING: {
    code: 'failed_precondition',
    meaning: 'No systemd or launchd runs for this user, so muster cannot install itself as a service.',
  },
  SERVICE_NOT_INSTALLED: {
    code: 'failed_precondition',
    meaning: 'The service manager refuses the service, has another one of its name, or has none.',
  },
  HOST_NOT_JOINED: {
    code: 'failed_precondition',
    meaning: 'The host did not join by an invitation, so muster did not issue its credential.',
  },
  HOST_REMOVED: { code: 'permission_denied', meaning: 'A person removed the host: its keys are refused permanently.' },
  RENEWAL_NOT_PROVEN: {
    code: 'unauthenticated',
    meaning: 'The request for new certificates is not signed by the key of the host.',
  },
} as const satisfies Readonly<Record<string, ReasonMeaning>>;
