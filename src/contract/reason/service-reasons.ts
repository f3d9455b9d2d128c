import type { ReasonMeaning } from './reason-meaning.ts';

/** Why the service, its bus, its database or one of its commands cannot work. */
export const serviceReasons = {
  INTERNAL: { code: 'internal', meaning: 'A bug in muster: its log says more.' },
  UNKNOWN: { code: 'unknown', meaning: 'The failure has no reason, or one that cannot be read.' },
  NOBODY_ANSWERS: {
    code: 'unavailable',
    meaning: 'Nobody answers on the bus: the registry or the host is not running.',
  },
  NO_ANSWER: { code: 'deadline_exceeded', meaning: 'No answer came in time: it may have been done.' },
  RESPONDER_LOST: {
    code: 'deadline_exceeded',
    meaning: 'The process that should answer has died or hangs: it may have been done.',
  },
  BUS_UNAVAILABLE: { code: 'unavailable', meaning: 'The bus cannot be reached: it may have been done.' },
  BUS_NOT_CONFIGURED: { code: 'failed_precondition', meaning: 'The process does not know how to join the bus.' },
  BUS_ADDRESS_INVALID: { code: 'invalid_argument', meaning: "The bus's address or subject cannot be used." },
  BUS_CREDENTIAL_REFUSED: { code: 'unauthenticated', meaning: 'The bus refuses the credentials of the process.' },
  BUS_RIGHT_MISSING: {
    code: 'permission_denied',
    meaning: 'The bus does not permit the process to answer on that subject.',
  },
  SEAL_KEY_MISSING: {
    code: 'failed_precondition',
    meaning: 'The request or its answer is a secret, and it cannot be sealed without a key: nothing was done.',
  },
  REGISTRY_SILENT: { code: 'unavailable', meaning: 'The registry does not answer: try again in a moment.' },
  BUS_TAKEN: { code: 'failed_precondition', meaning: 'Another registry answers on this bus.' },
  BUS_DIVIDED: { code: 'failed_precondition', meaning: 'Registries of one database are on different buses.' },
  OTHER_INSTALLATION: { code: 'unavailable', meaning: 'The registry on this bus belongs to another installation.' },
  DATABASE_REPLACED: { code: 'unavailable', meaning: "The registry's database was restored from a copy." },
  DISK_FULL: { code: 'resource_exhausted', meaning: 'The disk is full: nothing was written.' },
  DISK_FAILED: { code: 'unavailable', meaning: 'The disk failed to read or write the database.' },
  DATABASE_READ_ONLY: { code: 'unavailable', meaning: 'The database or its file system is read-only.' },
  DATABASE_CANNOT_OPEN: { code: 'unavailable', meaning: 'The database or its log cannot be opened.' },
  DATABASE_DAMAGED: { code: 'data_loss', meaning: 'The database is damaged.' },
  DATABASE_MOVED: { code: 'data_loss', meaning: "The database's file was moved, removed or replaced." },
  DATABASE_LOG_MISSING: { code: 'data_loss', meaning: "The database's log is missing." },
  DATABASE_BUSY: { code: 'unavailable', meaning: 'Another program holds the database.' },
  DATABASE_UNAVAILABLE: { code: 'unavailable', meaning: 'PostgreSQL does not answer: nothing was written.' },
  DATABASE_CONTENDED: {
    code: 'aborted',
    meaning: 'Other writers kept changing the same rows: nothing was written.',
  },
  DATABASE_UNSUITABLE: {
    code: 'failed_precondition',
    meaning: 'The PostgreSQL database cannot be used: its version, rights, password or certificates do not fit.',
  },
  DATABASE_NOT_EMPTY: {
    code: 'failed_precondition',
    meaning: 'The target database is not empty: nothing was written.',
  },
  DATABASE_COPY_DIFFERS: {
    code: 'data_loss',
    meaning: 'A copy of the database differs from the original: it was discarded.',
  },
  COMMIT_UNKNOWN: {
    code: 'unknown',
    meaning: 'The connection to PostgreSQL was lost during a commit: it may have been done.',
  },
  BACKUP_UNREADABLE: {
    code: 'data_loss',
    meaning: 'The file is not a backup of muster, is truncated or was changed: nothing was restored.',
  },
  PASSPHRASE_WRONG: {
    code: 'permission_denied',
    meaning: 'The backup is encrypted, and the passphrase is missing or wrong: nothing was restored.',
  },
  RESTORE_UNFINISHED: {
    code: 'failed_precondition',
    meaning: 'A restore into the state folder was interrupted: restore the backup again.',
  },
  INSTALLATION_EXISTS: {
    code: 'failed_precondition',
    meaning: 'The state folder already has an installation: nothing was restored.',
  },
  FILE_EXISTS: { code: 'failed_precondition', meaning: 'The file already exists and was not overwritten.' },
  OUT_OF_MEMORY: { code: 'resource_exhausted', meaning: 'The database has run out of memory.' },
  DATABASE_MISSING: {
    code: 'failed_precondition',
    meaning: 'The database is missing from the state folder, but its secrets are there.',
  },
  SECRET_EXPOSED: {
    code: 'failed_precondition',
    meaning: 'Users other than its owner may open a file with a secret.',
  },
  SECRET_MISSING: { code: 'failed_precondition', meaning: 'The key file beside the database is missing.' },
  SECRET_DIFFERS: {
    code: 'failed_precondition',
    meaning: "A key file of the state folder is not the installation's.",
  },
  KEY_UNREADABLE: { code: 'failed_precondition', meaning: 'A key file does not contain a key.' },
  NEWER_VERSION_REQUIRED: {
    code: 'failed_precondition',
    meaning: 'A newer version of muster wrote the state folder: run that version.',
  },
  UPGRADE_NOT_POSSIBLE: {
    code: 'failed_precondition',
    meaning: 'muster cannot be upgraded so, and nothing was changed; the message says what to do.',
  },
  DOWNGRADE_REFUSED: {
    code: 'failed_precondition',
    meaning: 'The version is older than the installed one: nothing was changed.',
  },
  UPGRADE_RETURNED: {
    code: 'failed_precondition',
    meaning: 'The new version did not get ready, or the upgrade was interrupted: the previous version is back.',
  },
  UPGRADE_UNFINISHED: {
    code: 'failed_precondition',
    meaning: 'An upgrade is in progress, or was interrupted and cannot be undone automatically.',
  },
  ALREADY_RUNNING: { code: 'failed_precondition', meaning: 'muster already runs on this state folder.' },
  PORT_TAKEN: { code: 'failed_precondition', meaning: 'Another program has the port, or muster cannot listen on it.' },
  STOPPED: { code: 'canceled', meaning: 'It ended because its process is stopping.' },
  INVALID_SETTING: { code: 'invalid_argument', meaning: 'A setting in the environment is invalid.' },
  INVALID_USAGE: { code: 'invalid_argument', meaning: 'The command line is invalid.' },
  SERVICE_UNREACHABLE: { code: 'unavailable', meaning: 'muster cannot be reached at its address.' },
  ANSWER_INTERRUPTED: { code: 'unavailable', meaning: 'The answer was interrupted: it may have been done.' },
  ANSWER_UNREADABLE: { code: 'data_loss', meaning: 'The answer cannot be read.' },
  FILE_UNREADABLE: { code: 'permission_denied', meaning: 'A file cannot be read by this user.' },
  LOG_NOT_FOUND: { code: 'not_found', meaning: 'There is no such log.' },
  WAIT_ENDED: { code: 'deadline_exceeded', meaning: 'The awaited result did not arrive in time.' },
  NOT_CONFIRMED: { code: 'failed_precondition', meaning: 'The person did not confirm the action.' },
} as const satisfies Readonly<Record<string, ReasonMeaning>>;
