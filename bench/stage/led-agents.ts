import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { moment } from '#test/support/moment.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** What a scripted agent turns to: it works with a turning spinner, asks whether a file may be edited, or rests. */
export type Turn = 'work' | 'ask' | 'rest';

/** A screen that a scripted agent has painted: `at` is when its last byte was written, in milliseconds since 1970. */
export interface Painted {
  readonly agentId: string;
  readonly turn: Turn;
  readonly at: number;
}

/** Scripted agents that do as they are asked over a socket, and report when they have (test/page/player.mjs). */
export class LedAgents {
  readonly #folder = temporaryFolder('led');
  readonly #agents = new Map<string, Socket>();
  readonly #listeners = new Set<(painted: Painted) => void>();
  readonly #server = createServer((socket) => this.#greet(socket));

  /** What their program is started with. */
  get arguments(): readonly string[] {
    return ['--led-by', this.#path];
  }

  get #path(): string {
    return join(this.#folder.path, 'socket');
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(this.#path, resolve));
  }

  /** Waits until these agents have said that they are there. */
  async met(agentIds: readonly string[]): Promise<void> {
    await moment('all agents to be led', () => agentIds.every((id) => this.#agents.has(id)), 60_000);
  }

  /** Reports an agent what to turn to. */
  turn(agentId: string, to: Turn): void {
    this.#agents.get(agentId)?.write(`${to}\n`);
  }

  /** The next screen of that turn that an agent paints. */
  painted(agentId: string, turn: Turn): Promise<Painted> {
    return new Promise((resolve) => {
      const hear = (one: Painted): void => {
        if (one.agentId !== agentId || one.turn !== turn) return;
        this.#listeners.delete(hear);
        resolve(one);
      };
      this.#listeners.add(hear);
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
      const said = JSON.parse(line) as { agentId?: string; turn: Turn; at: number };
      if (said.agentId === undefined) {
        for (const listener of [...this.#listeners]) listener({ agentId, turn: said.turn, at: said.at });
        return;
      }
      agentId = said.agentId;
      this.#agents.set(agentId, socket);
    });
  }
}
