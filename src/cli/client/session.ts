import type { Command } from 'commander';
import { type Client, clientOf } from './client.ts';
import { type Connection, findConnection, stateFolder } from './connection.ts';
import type { CliIo } from './io.ts';
import type { Local, OpenLocal } from './local.ts';

/** What a command is given: its world, and the service if it needs it. */
export interface Session {
  readonly io: CliIo;
  /** @throws Failure when no service can be named, or an agent has no token. */
  connection(): Connection;
  client(): Client;
  /** What this machine does without the service. */
  local(): Promise<Local>;
  /** Sets what the process exits with if nothing fails. */
  exitWith(code: number): void;
  readonly exitCode: number;
}

/** Adds a command's flags, help and action; `words` are those of the whole command line. */
export type Define = (command: Command, session: Session, words: readonly string[]) => void;

/** A session on the given world. */
export function openSession(io: CliIo, openLocal: OpenLocal): Session {
  let exitCode = 0;
  return {
    io,
    connection: () => findConnection(io),
    client: () => clientOf(findConnection(io)),
    local: () => openLocal(stateFolder(io)),
    exitWith: (code) => {
      exitCode = code;
    },
    get exitCode() {
      return exitCode;
    },
  };
}
