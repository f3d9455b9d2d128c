import { type DatabaseReason, isDatabaseReason } from './database-reason.ts';
import { Failure } from './failure.ts';

/** What an operating system's error with a file or folder means to a person. */
export interface FileFault {
  /** A database reason if the disk is at fault, because the database is on it too. */
  readonly reason: DatabaseReason | 'FILE_NOT_USABLE' | 'OPEN_FILES_EXHAUSTED';
  readonly what: string;
  /** What to do about it. */
  readonly mend: string;
}

const notYours = 'give it, and the folders on the way to it, to the person who runs muster';

/** The faults by the operating system's error code. */
const fileFaults: Readonly<Record<string, FileFault>> = {
  ENOSPC: {
    reason: 'DISK_FULL',
    what: 'its disk is full',
    mend: 'make room on it (`df -h` shows how much is left, `df -i` how many files)',
  },
  EDQUOT: {
    reason: 'DISK_FULL',
    what: 'your quota of its disk is used up',
    mend: 'make room within the quota, or have it raised',
  },
  EROFS: {
    reason: 'DATABASE_READ_ONLY',
    what: 'its file system can only be read',
    mend: "mount it for writing; if nobody mounted it read-only, the kernel's log says why",
  },
  EIO: {
    reason: 'DISK_FAILED',
    what: 'its disk failed',
    mend: "see the kernel's log, and repair or replace the disk",
  },
  EACCES: { reason: 'FILE_NOT_USABLE', what: 'you may not write there', mend: notYours },
  EPERM: {
    reason: 'FILE_NOT_USABLE',
    what: 'it is not yours, or was made immutable',
    mend: `${notYours}; \`lsattr -d\` shows whether it is immutable`,
  },
  ENOTDIR: {
    reason: 'FILE_NOT_USABLE',
    what: 'it, or a part of its path, is not a folder',
    mend: 'move it away',
  },
  EEXIST: {
    reason: 'FILE_NOT_USABLE',
    what: 'something there is not a folder, such as a broken link',
    mend: 'move it away',
  },
  ENOENT: {
    reason: 'FILE_NOT_USABLE',
    what: 'its file system does not allow folders there',
    mend: 'correct the path',
  },
  ELOOP: {
    reason: 'FILE_NOT_USABLE',
    what: 'the symbolic links in its path form a loop',
    mend: 'repair the links (`namei PATH` shows them)',
  },
  ENAMETOOLONG: { reason: 'FILE_NOT_USABLE', what: 'its path is too long', mend: 'use a shorter one' },
  EMFILE: {
    reason: 'OPEN_FILES_EXHAUSTED',
    what: 'this process may open no more files',
    mend: 'raise its limit (`ulimit -n`)',
  },
  ENFILE: {
    reason: 'OPEN_FILES_EXHAUSTED',
    what: 'this computer has reached its limit of open files',
    mend: 'end some processes, or raise the limit (`sysctl fs.file-max`)',
  },
};

/** What an error of the operating system means; undefined if it is not one, or not a known one. */
export function fileFaultOf(error: unknown): FileFault | undefined {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return undefined;
  return fileFaults[String(error.code)];
}

/**
 * A failure that explains an error with a file.
 * @param subject what cannot be done, such as `The state folder /x cannot be used`
 * @param instead an alternative, such as `or name another one in MUSTER_HOME`
 */
export function fileFailure(error: unknown, subject: string, instead: string): Failure {
  const { message, code = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  const fault = fileFaultOf(error);
  if (fault === undefined) {
    return new Failure('FILE_NOT_USABLE', `${subject} (${message}): fix that, ${instead}`, { cause: error });
  }
  const { path = '' } = error as NodeJS.ErrnoException;
  const at = path === '' || subject.includes(path) ? code : `${code} at ${path}`;
  const text = `${subject}: ${fault.what} (${at}). To fix it, ${fault.mend}, ${instead}`;
  return new Failure(fault.reason, text, { cause: error });
}

/** Whether a file could not be written because its disk is full, read-only or broken: a retry may succeed. */
export function isDiskFault(error: unknown): boolean {
  const fault = fileFaultOf(error);
  return fault !== undefined && isDatabaseReason(fault.reason);
}
