import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import { fileFailure, fileFaultOf, isDiskFault } from '#contract/file-fault.ts';
import { readPrivateFile, removePrivateFile, writePrivateFile } from '#world/file/private-file.ts';
import { otherHome, type StateFolder } from './state-folder.ts';

/** How long to wait for an owner that is just ending, in milliseconds. */
const patienceMs = 1_000;

const sqliteBusy = 5;

const Owner = z.object({ pid: z.number(), since: z.string(), command: z.string(), host: z.string() });
type Owner = z.infer<typeof Owner>;

/** The locks of this process: to collect one as garbage would close it, and so release it. */
const held = new Set<DatabaseSync>();

/** The lock of the only process of a kind on a state folder. */
export interface OwnerLock {
  /** Releases the lock. May be called twice. Otherwise the kernel releases it when the process dies. */
  release(): void;
}

/**
 * Makes this process the only `name` on a state folder. The kernel releases the lock when its holder dies, so no stale
 * lock is ever left, and process ids need not be checked.
 * @throws FAILED_PRECONDITION within two seconds, naming the owner, when another process has the lock;
 *   OPEN_FILES_EXHAUSTED, FILE_NOT_USABLE and others when its files cannot be used
 */
export function takeOwnerLock({ home, run }: Pick<StateFolder, 'home' | 'run'>, name: string): OwnerLock {
  const lockFile = join(run, `${name}.lock`);
  const factsFile = join(run, `${name}.owner.json`);
  makeLockFile(lockFile);
  const database = openLock(lockFile);
  try {
    database.exec('BEGIN EXCLUSIVE');
    chmodSync(lockFile, 0o600);
    reportOwner(factsFile);
  } catch (error) {
    const why = isBusy(error) ? inUse(home, name, factsFile) : lockFailure(error, lockFile);
    database.close();
    throw why;
  }
  held.add(database);
  return {
    release: () => {
      if (held.delete(database)) database.close();
    },
  };
}

/** Whether another process is the `name` of a state folder; `pid` is unknown if it has not identified itself yet. */
export function findOwner(
  { run }: Pick<StateFolder, 'run'>,
  name: string,
): { readonly pid: number | undefined } | undefined {
  const lockFile = join(run, `${name}.lock`);
  if (!existsSync(lockFile)) return undefined;
  const database = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return undefined;
  } catch (error) {
    if (!isBusy(error)) throw error;
    return { pid: readOwner(join(run, `${name}.owner.json`))?.pid };
  } finally {
    database.close();
  }
}

function openLock(lockFile: string): DatabaseSync {
  try {
    return new DatabaseSync(lockFile, { timeout: patienceMs });
  } catch (error) {
    throw lockFailure(error, lockFile);
  }
}

/** Why a lock cannot be taken. SQLite does not report the cause, so a file beside it is written, which meets it too. */
function lockFailure(error: unknown, lockFile: string): Failure {
  const trial = `${lockFile}.trial`;
  let cause = error;
  try {
    writePrivateFile(trial, 'x'.repeat(4096));
    removePrivateFile(trial);
  } catch (fault) {
    cause = fileFaultOf(error) === undefined ? fault : error;
  }
  return fileFailure(cause, `The lock ${lockFile} cannot be taken`, otherHome);
}

/** Creates the lock file if it is missing, because SQLite does not report why it cannot. */
function makeLockFile(lockFile: string): void {
  // Opening and closing an existing file would release a lock of this process.
  if (existsSync(lockFile)) return;
  try {
    closeSync(openSync(lockFile, 'a', 0o600));
  } catch (error) {
    throw fileFailure(error, `The lock ${lockFile} cannot be created`, otherHome);
  }
}

/** Records the owner. If the disk cannot be written, removes the earlier owner's record. */
function reportOwner(factsFile: string): void {
  try {
    writePrivateFile(factsFile, `${JSON.stringify(ownFacts())}\n`);
  } catch (error) {
    if (!isDiskFault(error)) throw error;
    removePrivateFile(factsFile);
  }
}

function ownFacts(): Owner {
  const since = new Date(performance.timeOrigin).toISOString();
  return { pid: process.pid, since, command: process.argv.join(' '), host: hostname() };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}

function inUse(home: string, name: string, factsFile: string): Failure {
  const owner = readOwner(factsFile);
  const who = owner
    ? `process ${owner.pid} on ${owner.host}, since ${owner.since} (${owner.command})`
    : 'a process that has not yet identified itself';
  const end = owner ? `End it (Ctrl-C where it runs, or \`kill ${owner.pid}\`)` : 'End it';
  return new Failure(
    'ALREADY_RUNNING',
    `muster ${name} already runs on ${home}: ${who}. ${end}, or set MUSTER_HOME to another folder.`,
  );
}

function readOwner(factsFile: string): Owner | undefined {
  try {
    return Owner.parse(JSON.parse(readPrivateFile(factsFile) ?? ''));
  } catch {
    return undefined;
  }
}
