import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { type MemberKey, makeMemberKey } from '#bus/identity/bus-keys.ts';
import { Failure } from '#contract/failure.ts';
import type { JoinLine } from '#contract/joining/join-line.ts';
import { readSecretFile, removePrivateFile, writePrivateFile } from '#world/file/private-file.ts';

/** The keys of the processes of a machine that joins. */
export interface JoinKeys {
  readonly host: MemberKey;
  readonly gateway: MemberKey;
}

const Key = z.object({ publicKey: z.string(), seed: z.string() });
const PendingJoin = z.object({ url: z.string(), token: z.string(), host: Key, gateway: Key });
type PendingJoin = z.infer<typeof PendingJoin>;

/**
 * The file with the keys of a join in progress, and a hash of its token. It is written before the token is exchanged: a
 * process that ends between the two would lose the keys that the token was used for, and the line works once.
 */
const fileIn = (home: string) => join(home, 'joining.json');

/** Whether a state folder has a join in progress, or one that was interrupted. */
export function hasPendingJoin(home: string): boolean {
  return read(home) !== undefined;
}

/** The keys of the interrupted join by this line; undefined if there was none. */
export function pendingKeys(home: string, line: JoinLine): JoinKeys | undefined {
  const pending = read(home);
  return pending?.token === hashOf(line) ? pending : undefined;
}

/** Keeps the keys of a join by this line, until `dropPending`. */
export function keepPending(home: string, line: JoinLine, { host, gateway }: JoinKeys): void {
  const pending: PendingJoin = { url: line.url, token: hashOf(line), host, gateway };
  writePrivateFile(fileIn(home), `${JSON.stringify(pending, undefined, 2)}\n`);
}

/** Removes the record of a pending join. */
export function dropPending(home: string): void {
  removePrivateFile(fileIn(home));
}

/** Creates the keys of a machine that joins. */
export function makeJoinKeys(): JoinKeys {
  return { host: makeMemberKey(), gateway: makeMemberKey() };
}

/** @throws JOIN_UNFINISHED when a join into the state folder was interrupted */
export function requireFinishedJoin(home: string): void {
  const pending = read(home);
  if (pending === undefined) return;
  throw new Failure(
    'JOIN_UNFINISHED',
    `Joining ${pending.url} with the state folder ${home} was interrupted: run the same line again within its 15 minutes, or ` +
      `a new one. To start an installation of its own instead, remove ${fileIn(home)}`,
  );
}

function read(home: string): PendingJoin | undefined {
  try {
    return PendingJoin.parse(JSON.parse(readSecretFile(fileIn(home)) ?? ''));
  } catch (error) {
    if (error instanceof Failure) throw error;
    return undefined; // Absent, or not written by muster.
  }
}

function hashOf({ token }: JoinLine): string {
  return createHash('sha256').update(token).digest('hex');
}
