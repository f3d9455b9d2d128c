import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import { fileFailure, isDiskFault } from '#contract/file-fault.ts';
import { readPrivateFile, removePrivateFile, writePrivateFile } from '#world/file/private-file.ts';
import { otherHome, type StateFolder } from './state-folder.ts';

/** How long a taker waits for an owner that is just ending, in milliseconds. */
const patienceMs = 1_000;

const sqliteBusy = 5;

const Owner = z.object({ pid: z.number(), since: z.string(), command: z.string(), host: z.string() });

/** The right to be the only process of a kind on a state folder. */
export interface OwnerLock {
  /** Returns the right up. May be called twice; a process that dies gives it up without a call. */
  release(): void;
}

/**
 * Makes this process the only `name` on a state folder. The right is a lock that the kernel takes back when its holder
 * dies, however it dies: it is never left behind, and no process id is ever guessed at.
 * @throws FAILED_PRECONDITION within two seconds if another process has it, naming that process.
 */
export function takeOwnerLock({ home, run }: Pick<StateFolder, 'home' | 'run'>, name: string): OwnerLock {
  const lockFile = join(run, `${name}.lock`);
  const factsFile = join(run, `${name}.owner.json`);
  makeLockFile(lockFile);
  const database = new DatabaseSync(lockFile, { timeout: patienceMs });
  try {
    database.exec('BEGIN EXCLUSIVE');
    chmodSync(lockFile, 0o600);
    reportOwner(factsFile);
  } catch (error) {
    database.close();
    throw isBusy(error) ? inUse(home, name, factsFile) : (diskFailureOf(lockFile) ?? error);
  }
  return {
    release: () => {
      if (database.isOpen) database.close();
    },
  };
}

/** What the disk of the lock says where it takes nothing more: SQLite says only that it failed. */
function diskFailureOf(lockFile: string): Failure | undefined {
  const trial = `${lockFile}.trial`;
  try {
    writePrivateFile(trial, 'x'.repeat(4096));
    removePrivateFile(trial);
    return undefined;
  } catch (error) {
    return fileFailure(error, `The lock ${lockFile} cannot be taken`, otherHome);
  }
}

/** Makes the file that is locked if there is none: SQLite does not say why it could not. */
function makeLockFile(lockFile: string): void {
  // To close one that is there would end a lock of this process.
  if (existsSync(lockFile)) return;
  try {
    closeSync(openSync(lockFile, 'a', 0o600));
  } catch (error) {
    throw fileFailure(error, `The lock ${lockFile} cannot be created`, otherHome);
  }
}

/** Says who has the right; on a disk that cannot take that, nobody is named rather than who had it before. */
function reportOwner(factsFile: string): void {
  try {
    writePrivateFile(factsFile, `${JSON.stringify(ownFacts())}\n`);
  } catch (error) {
    if (!isDiskFault(error)) throw error;
    removePrivateFile(factsFile);
  }
}

function ownFacts(): z.infer<typeof Owner> {
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

function readOwner(factsFile: string): z.infer<typeof Owner> | undefined {
  try {
    return Owner.parse(JSON.parse(readPrivateFile(factsFile) ?? ''));
  } catch {
    return undefined;
  }
}
