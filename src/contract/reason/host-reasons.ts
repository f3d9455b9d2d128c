import type { ReasonMeaning } from './reason-meaning.ts';

/** Why a host cannot do or be what is asked. */
export const hostReasons = {
  HOST_NOT_FOUND: {
    code: 'not_found',
    meaning: 'There is no such host.',
    metadata: { host: 'The id or name that was asked for.' },
  },
  HOST_AMBIGUOUS: { code: 'failed_precondition', meaning: 'Several hosts have that name: use an id.' },
  HOST_LOST: {
    code: 'unavailable',
    meaning: 'The host is silent or lost, so muster did not ask it.',
  },
  HOST_SILENT: { code: 'unavailable', meaning: 'muster asked the host, and it does not answer.' },
  HOST_TIMED_OUT: { code: 'deadline_exceeded', meaning: 'muster asked the host, and it did not answer in time.' },
  OUTCOME_UNKNOWN: {
    code: 'deadline_exceeded',
    meaning: 'The host began the work and did not report its result: it may have been done.',
  },
  CALL_NOT_BEGUN: {
    code: 'unavailable',
    meaning: 'Nothing was done, because the time ran out before it started.',
  },
  CALL_TOO_LATE: {
    code: 'deadline_exceeded',
    meaning: 'The request arrived after its caller had stopped waiting.',
  },
  PERMIT_EXPIRED: {
    code: 'unavailable',
    meaning: 'Nothing was done: the caller had stopped waiting when the host received it.',
  },
  NO_HOST_AVAILABLE: { code: 'unavailable', meaning: 'No eligible host is online.' },
  HOST_DRAINED: {
    code: 'failed_precondition',
    meaning: 'A person has drained the host, so no new agent is placed on it.',
  },
  HOST_DISK_LOW: {
    code: 'resource_exhausted',
    meaning: 'The disk of the host has less free space than its floor, so nothing is launched there.',
    metadata: { hostId: 'The host.' },
  },
  HOST_IN_USE: { code: 'failed_precondition', meaning: 'The host cannot be forgotten or removed in its state.' },
  HOST_STOPPING: { code: 'unavailable', meaning: 'The host is stopping.' },
  HOST_OUTDATED: { code: 'failed_precondition', meaning: 'The host runs a version of muster that is too old.' },
  PROTOCOL_UNSUPPORTED: {
    code: 'unavailable',
    meaning: 'A host or gateway and the registry run versions of muster that do not understand each other.',
  },
  HOST_NOT_INTRODUCED: { code: 'unavailable', meaning: 'The host has not identified its computer yet.' },
  HOST_NOT_ENTITLED: { code: 'permission_denied', meaning: 'A host may report only for itself and its agents.' },
  HOST_NOT_ADMITTED: {
    code: 'resource_exhausted',
    meaning: 'The host is new, and too many new hosts exist or it changes too often.',
  },
  HOST_DUPLICATED: { code: 'permission_denied', meaning: "Two computers use one host's key." },
  HOST_KEY_CHANGED: { code: 'permission_denied', meaning: "The host's key differs from the known one." },
  HOST_SESSION_ENDED: { code: 'unavailable', meaning: "The host's session has ended: open a new one." },
  DIRECTORY_MISSING: { code: 'failed_precondition', meaning: 'A required directory is gone.' },
  DIRECTORY_CHANGED: {
    code: 'failed_precondition',
    meaning: "A directory's path leads to another directory than at first use.",
  },
  FILE_NOT_PRIVATE: {
    code: 'failed_precondition',
    meaning: 'Users other than its owner may open or change a file or folder that must be private.',
  },
  FILE_NOT_USABLE: { code: 'failed_precondition', meaning: 'A file or folder cannot be used as it is.' },
  OPEN_FILES_EXHAUSTED: { code: 'resource_exhausted', meaning: 'The process has reached its limit of open files.' },
  TOO_MANY_FILES: { code: 'failed_precondition', meaning: 'More files match than muster copies.' },
  INVALID_PATH: { code: 'invalid_argument', meaning: 'A path cannot be used.' },
  INVALID_VALUE: { code: 'invalid_argument', meaning: 'One part of muster passed an invalid value to another.' },
  TERMINAL_REQUIRED: { code: 'failed_precondition', meaning: 'The command needs a terminal, and there is none.' },
  TERMINAL_UNAVAILABLE: {
    code: 'failed_precondition',
    meaning: 'Neither tmux nor embedded panes are available for agents.',
  },
  TERMINAL_RELEASED: { code: 'failed_precondition', meaning: 'The terminal was released: ask for it again.' },
  OTHER_TERMINAL_IN_USE: { code: 'failed_precondition', meaning: 'Agents still run in the other kind of terminal.' },
  ATTACH_NOT_POSSIBLE: { code: 'failed_precondition', meaning: 'The window cannot be attached to from here.' },
  TMUX_UNAVAILABLE: { code: 'unavailable', meaning: 'tmux does not answer, or refuses.' },
  PROGRAM_NOT_STARTED: { code: 'unavailable', meaning: 'A program cannot be started.' },
} as const satisfies Readonly<Record<string, ReasonMeaning>>;
