import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Failure } from '#contract/failure.ts';
import { type Block, ControlParser } from './control-parser.ts';
import { findExecutable } from './executable.ts';
import { tiedToOwner } from './owner-guard.ts';

interface Exchange {
  readonly token: string;
  readonly blocks: Block[];
  readonly deadline: NodeJS.Timeout;
  resolve(blocks: Block[]): void;
  reject(failure: Failure): void;
}

/** How to attach a control client, and its callbacks. */
export interface ControlClientSpec {
  readonly tmux: string;
  readonly socket: string;
  readonly session: string;
  readonly environment: Readonly<Record<string, string>>;
  /** How long an answer may take, in milliseconds. After that, the client is abandoned. */
  readonly patience: number;
  output(paneId: string, escaped: Buffer): void;
  notice(name: string, rest: string): void;
}

/**
 * One `tmux -C` over plain pipes. tmux answers with a block for each command, and how many blocks a line makes is known
 * only afterwards; so every exchange ends with its own token, and answers cannot be mixed up.
 */
export class ControlClient {
  /** Resolves once tmux has attached the client. Commands that were sent earlier would not count as this client's. */
  readonly #attached = Promise.withResolvers<void>();
  readonly closed: Promise<void>;
  readonly #child: ChildProcess;
  readonly #exchanges: Exchange[] = [];
  readonly #prefix = `muster-${randomBytes(6).toString('hex')}`;
  readonly #patience: number;
  #complaint = '';
  #count = 0;
  #open = true;

  constructor(spec: ControlClientSpec) {
    this.#patience = spec.patience;
    const attach = [
      '-u',
      '-N',
      '-S',
      spec.socket,
      '-C',
      'attach-session',
      '-t',
      `=${spec.session}`,
      '-f',
      'pause-after=3',
    ];
    const [program = '', ...args] = tiedToOwner([spec.tmux, ...attach], findExecutable('setpriv'));
    this.#child = spawn(program, args, { env: { ...spec.environment }, stdio: ['pipe', 'pipe', 'pipe'] });
    const parser = new ControlParser({
      block: (block) => this.#answer(block),
      output: spec.output,
      notice: (name, rest) => {
        if (name === 'session-changed') this.#attached.resolve();
        spec.notice(name, rest);
      },
    });
    this.#attached.promise.catch(() => undefined);
    this.#child.stdout?.on('data', (chunk: Buffer) => parser.feed(chunk));
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#complaint = `${this.#complaint}${chunk.toString()}`.slice(-500);
    });
    this.#child.stdin?.on('error', () => this.#child.kill());
    this.closed = new Promise((resolve) => {
      const end = () => {
        // The server has the other ends of these pipes, so they may stay open after the client has ended.
        for (const stream of this.#child.stdio) stream?.destroy();
        this.#shut();
        resolve();
      };
      this.#child.once('error', (error) => {
        this.#complaint = error.message;
        end();
      });
      this.#child.once('exit', end);
    });
  }

  /** Resolves once the client is attached. @throws UNAVAILABLE when that fails or takes too long */
  async attached(): Promise<void> {
    const deadline = setTimeout(() => this.#giveUp(), this.#patience);
    await this.#attached.promise.finally(() => clearTimeout(deadline));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /**
   * Sends lines in one write and returns the blocks of all their commands, in order. The block of a command that tmux
   * refuses is not ok; only a lost connection rejects (`unavailable`).
   */
  transact(lines: readonly string[]): Promise<Block[]> {
    if (!this.#open) return Promise.reject(this.#lost());
    this.#count += 1;
    const token = `${this.#prefix}-${this.#count}`;
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => this.#giveUp(), this.#patience);
      this.#exchanges.push({ token, blocks: [], deadline, resolve, reject });
      this.#child.stdin?.write(`${[...lines, `display-message -p ${token}`].join('\n')}\n`);
    });
  }

  /** Ends the client and waits for its end; the server and its panes keep running. */
  async close(): Promise<void> {
    this.#child.stdin?.end();
    const impatience = setTimeout(() => this.#child.kill('SIGKILL'), 1000);
    await this.closed;
    clearTimeout(impatience);
  }

  #answer(block: Block): void {
    const exchange = this.#exchanges[0];
    if (exchange === undefined) return;
    if (block.lines.length !== 1 || block.lines[0] !== exchange.token) {
      exchange.blocks.push(block);
      return;
    }
    this.#exchanges.shift();
    clearTimeout(exchange.deadline);
    exchange.resolve(exchange.blocks);
  }

  #giveUp(): void {
    this.#complaint = `no answer within ${this.#patience} ms`;
    this.#child.kill('SIGKILL');
    this.#shut();
  }

  #shut(): void {
    this.#open = false;
    this.#attached.reject(this.#lost());
    for (const exchange of this.#exchanges.splice(0)) {
      clearTimeout(exchange.deadline);
      exchange.reject(this.#lost());
    }
  }

  #lost(): Failure {
    const why = this.#complaint.trim();
    return new Failure(
      'TMUX_UNAVAILABLE',
      `the connection to tmux is closed${why === '' ? '' : ` (${why})`}; try again`,
    );
  }
}
