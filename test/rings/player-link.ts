import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PlayedScreen } from './screens.ts';

const program = fileURLToPath(new URL('./screen-player.mjs', import.meta.url));

/** Something that was typed into a pane, and what the pane showed by then. */
export interface Typed {
  readonly what: 'pasted' | 'pressed' | 'submitted';
  readonly text: string;
  /** The screen that was shown, and whether a pasted text stood in it. */
  readonly on: string;
  readonly isDraft: boolean;
  /** When it came, in milliseconds since 1970, and for how long the screen had been shown. */
  readonly at: number;
  readonly sinceMs: number;
}

/** A line to the program in an agent's pane. */
export interface PlayerLink {
  show(screen: PlayedScreen): void;
  /** Ends the program, as a CLI ends by itself. */
  end(): void;
  /** Receives everything that is typed from now on. */
  onTyped(listener: (typed: Typed) => void): void;
  close(): void;
}

/** A fake CLI. */
interface Player {
  /** The folder on the PATH in which it is put, and the name of the CLI. */
  readonly bin: string;
  readonly harness: string;
  /** Where it keeps its first screens and its sockets. */
  readonly folder: string;
  /** What it shows at rest, and while it works on a prompt, until it gets other screens. */
  readonly first: { readonly rest: PlayedScreen; readonly turn: PlayedScreen };
}

/** Puts a program in a CLI's place, which shows screens that it is given. */
export function installPlayer({ bin, harness, folder, first }: Player): void {
  for (const place of [bin, folder]) mkdirSync(place, { recursive: true });
  writeFileSync(join(folder, 'first-screens.json'), JSON.stringify(first));
  const path = join(bin, harness);
  writeFileSync(path, `#!/bin/sh\nexec ${process.execPath} ${program} ${folder}\n`);
  chmodSync(path, 0o755);
}

/**
 * Reaches the program in an agent's pane, which keeps its socket in this folder.
 * @throws Error when it does not listen
 */
export async function reachPlayer(folder: string, agentId: string): Promise<PlayerLink> {
  const socket = await connected(join(folder, agentId.slice(-12)));
  const tell = (what: object): void => void socket.write(`${JSON.stringify(what)}\n`);
  return {
    show: tell,
    end: () => tell({ ends: true }),
    onTyped: (listener) => hear(socket, listener),
    close: () => void socket.destroy(),
  };
}

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => resolve(socket));
    socket.once('error', reject);
  });
}

function hear(socket: Socket, listener: (typed: Typed) => void): void {
  let said = '';
  socket.on('data', (chunk) => {
    said += chunk;
    for (let at = said.indexOf('\n'); at >= 0; at = said.indexOf('\n')) {
      listener(JSON.parse(said.slice(0, at)) as Typed);
      said = said.slice(at + 1);
    }
  });
}
