import type { Command } from 'commander';
import { type Client, clientOf } from './client.ts';
import { type Connection, findConnection, stateFolder } from './connection.ts';
import type { CliIo } from './io.ts';
import type { LocalCommands, OpenLocalCommands } from './local.ts';

/** The dependencies of a command: its environment, and the service if it needs it. */
export interface Session {
  readonly io: CliIo;
  /** @throws Failure when the address of the service is unknown, or an agent has no token. */
  connection(): Connection;
  client(): Client;
  /** The commands that run on this computer without the service. */
  local(): Promise<LocalCommands>;
  /** Sets the exit code for when nothing fails. */
  exitWith(code: number): void;
  readonly exitCode: number;
}

/** Adds a command's flags, help and action. `words` are those of the whole command line. */
export type Define = (command: Command, session: Session, words: readonly string[]) => void;

/** Opens a session in an environment. */
export function openSession(io: CliIo, openLocal: OpenLocalCommands): Session {
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
