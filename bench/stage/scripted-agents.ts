import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { moment } from '#test/support/moment.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** What a scripted agent shows: work with a spinner, the question whether it may edit a file, or an empty prompt. */
export type Turn = 'work' | 'ask' | 'rest';

/** A screen that a scripted agent painted; `at` is when it wrote the last byte, in milliseconds since 1970. */
export interface Painted {
  readonly agentId: string;
  readonly turn: Turn;
  readonly at: number;
}

/** Agents that take their turns on command over a socket, and report each painted screen (test/page/player.mjs). */
export class ScriptedAgents {
  readonly #folder = temporaryFolder('led');
  readonly #agents = new Map<string, Socket>();
  readonly #listeners = new Set<(painted: Painted) => void>();
  readonly #server = createServer((socket) => this.#greet(socket));

  /** The arguments of their program. */
  get arguments(): readonly string[] {
    return ['--led-by', this.#path];
  }

  get #path(): string {
    return join(this.#folder.path, 'socket');
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(this.#path, resolve));
  }

  /** Waits until these agents have connected. */
  async connected(agentIds: readonly string[]): Promise<void> {
    await moment('all agents to be connected', () => agentIds.every((id) => this.#agents.has(id)));
  }

  /** Starts a turn of an agent. */
  turn(agentId: string, turn: Turn): void {
    this.#agents.get(agentId)?.write(`${turn}\n`);
  }

  /** Resolves with the next screen that an agent paints in this turn. */
  painted(agentId: string, turn: Turn): Promise<Painted> {
    return new Promise((resolve) => {
      const onPainted = (screen: Painted): void => {
        if (screen.agentId !== agentId || screen.turn !== turn) return;
        this.#listeners.delete(onPainted);
        resolve(screen);
      };
      this.#listeners.add(onPainted);
    });
  }

  close(): void {
    for (const socket of this.#agents.values()) socket.destroy();
    this.#server.close();
    this.#folder.remove();
  }

  #greet(socket: Socket): void {
    let agentId = '';
    socket.on('error', () => undefined);
    createInterface({ input: socket }).on('line', (line) => {
      const message = JSON.parse(line) as { agentId?: string; turn: Turn; at: number };
      if (message.agentId === undefined) {
        for (const listener of [...this.#listeners]) listener({ agentId, turn: message.turn, at: message.at });
        return;
      }
      agentId = message.agentId;
      this.#agents.set(agentId, socket);
    });
  }
}
