import { type DatabaseReason, isDatabaseReason } from './database-reason.ts';
import { Failure } from './failure.ts';

/** What an error of the operating system with a file or folder means for a person. */
export interface FileFault {
  /** One of the database's if it is the disk's, and so the database's too. */
  readonly reason: DatabaseReason | 'FILE_NOT_USABLE' | 'OPEN_FILES_EXHAUSTED';
  readonly what: string;
  /** What to do about it. */
  readonly mend: string;
}

const notYours = 'give it, and the folders on the way to it, to the person who runs muster';

/** By the operating system's name of it: the one table. */
const fileFaults: Readonly<Record<string, FileFault>> = {
  ENOSPC: {
    reason: 'DISK_FULL',
    what: 'its disk is full',
    mend: 'make room on it (`df -h` and, for the number of files, `df -i` say how much is left)',
  },
  EDQUOT: {
    reason: 'DISK_FULL',
    what: 'your quota of its disk is used up',
    mend: 'make room within the quota, or have it raised',
  },
  EROFS: {
    reason: 'DATABASE_READ_ONLY',
    what: 'its file system can only be read',
    mend: "mount it for writing; the kernel's log says why, where it became so by itself",
  },
  EIO: {
    reason: 'DISK_FAILED',
    what: 'its disk failed',
    mend: "see the kernel's log, and mend or replace the disk",
  },
  EACCES: { reason: 'FILE_NOT_USABLE', what: 'you may not write there', mend: notYours },
  EPERM: {
    reason: 'FILE_NOT_USABLE',
    what: 'it is not yours, or was made immutable',
    mend: `${notYours}; \`lsattr -d\` shows whether it is immutable`,
  },
  ENOTDIR: {
    reason: 'FILE_NOT_USABLE',
    what: 'what stands there, or on the way to it, is not a folder',
    mend: 'move that away',
  },
  EEXIST: {
    reason: 'FILE_NOT_USABLE',
    what: 'something stands there that is not a folder, such as a link that leads nowhere',
    mend: 'move that away',
  },
  ENOENT: {
    reason: 'FILE_NOT_USABLE',
    what: 'its file system takes no folders there',
    mend: 'mend the path',
  },
  ELOOP: {
    reason: 'FILE_NOT_USABLE',
    what: 'the symbolic links on the way to it lead in a circle',
    mend: 'mend the links (`namei PATH` shows them)',
  },
  ENAMETOOLONG: { reason: 'FILE_NOT_USABLE', what: 'its path is too long', mend: 'take a shorter one' },
  EMFILE: {
    reason: 'OPEN_FILES_EXHAUSTED',
    what: 'this process may open no more files',
    mend: 'raise its limit (`ulimit -n`)',
  },
  ENFILE: {
    reason: 'OPEN_FILES_EXHAUSTED',
    what: 'this machine has no more open files to give',
    mend: 'end something, or raise the limit (`sysctl fs.file-max`)',
  },
};

/** What an error of the operating system means; undefined if it is none, or none that is known. */
export function fileFaultOf(error: unknown): FileFault | undefined {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return undefined;
  return fileFaults[String(error.code)];
}

/**
 * The refusal of something for an error with a file.
 * @param subject what cannot be done, such as `The state folder /x cannot be used`
 * @param instead what else may be done, such as `or name another one in MUSTER_HOME`
 */
export function fileFailure(error: unknown, subject: string, instead: string): Failure {
  const { message, code = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  const fault = fileFaultOf(error);
  if (fault === undefined) {
    return new Failure('FILE_NOT_USABLE', `${subject} (${message}): mend that, ${instead}`, { cause: error });
  }
  const { path = '' } = error as NodeJS.ErrnoException;
  const at = path === '' || subject.includes(path) ? code : `${code} at ${path}`;
  const text = `${subject}: ${fault.what} (${at}). To mend it, ${fault.mend}, ${instead}`;
  return new Failure(fault.reason, text, { cause: error });
}

/** Whether a file could not be written because its disk is full, read-only or broken, which may pass. */
export function isDiskFault(error: unknown): boolean {
  const fault = fileFaultOf(error);
  return fault !== undefined && isDatabaseReason(fault.reason);
}
