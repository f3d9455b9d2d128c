import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';
import { findProcess, type Process } from '#world/process/process-tree.ts';
import { showsProcessState } from '#world/process-state.ts';
import { paneSize } from '#world/terminal/pane-size.ts';
import { terminalReleased } from '#world/terminal/terminal-released.ts';
import { ControlClient } from './control-client.ts';
import { quote } from './control-line.ts';
import type { Block } from './control-parser.ts';
import { clearLeftovers, leftoverLines, ownerVariable } from './leftovers.ts';
import {
  endServer,
  endStrays,
  isRunning,
  markOf,
  restoreSession,
  type ServerSpec,
  session,
  startServer,
} from './server.ts';
import { environmentLine, environmentLines } from './server-environment.ts';
import { checkSocketFolder } from './socket-folder.ts';

/** The events of a link, for its terminal. */
export interface LinkEvents {
  output(paneId: string, escaped: Buffer): void;
  notice(name: string, rest: string): void;
  /** Called when attached, for the first time or again: output may have been missed. */
  attached(): void;
  /** Called when the server is gone with all its panes. */
  lost(): void;
  /** Called when a problem was handled. */
  trouble(message: string, detail: Record<string, unknown>): void;
}

/**
 * The state of a link. idle → attaching → attached → attaching … or → lost → attaching; released from any state, for
 * good.
 */
type State =
  | { readonly is: 'idle' | 'lost' | 'released' }
  | { readonly is: 'attaching'; readonly done: Promise<void> }
  | { readonly is: 'attached'; readonly client: ControlClient };

const firstDelay = 50;
const longestDelay = 5000;

/**
 * The lines that set up a new client: its size, and a subscription to deaths, which produce no output. The subscription
 * makes tmux check its panes once a second, so it is left out if muster itself can see whether programs are alive.
 */
const greeting = [
  `refresh-client -C ${paneSize.columns}x${paneSize.rows}`,
  ...(showsProcessState ? [] : [`refresh-client -B ${quote('muster-dead:%*:#{pane_dead}')}`]),
];

/**
 * The connection to one family's server. It is attached again if it breaks, and ends if the server died. Only `ensure`
 * starts a server.
 */
export class ServerLink {
  readonly #spec: ServerSpec;
  readonly #events: LinkEvents;
  #state: State = { is: 'idle' };
  #server: Process | undefined;
  readonly #released = new AbortController();
  #chores: Promise<unknown> = Promise.resolve();

  constructor(spec: ServerSpec, events: LinkEvents) {
    this.#spec = spec;
    this.#events = events;
  }

  /** The server's process, while it runs. */
  get server(): Process | undefined {
    return this.#server;
  }

  /** Whether this link was released; it stays so. */
  get released(): boolean {
    return this.#state.is === 'released';
  }

  get attached(): boolean {
    return this.#state.is === 'attached';
  }

  /** Whether the server is known to be gone with all its panes. */
  get lost(): boolean {
    return this.#state.is === 'lost';
  }

  /** Attaches to the server, starting one if there is none. @throws UNAVAILABLE */
  async ensure(): Promise<void> {
    if (await this.find()) return;
    if (this.#state.is === 'lost') this.#become(this.#start());
    await this.#client();
  }

  /** Attaches to the server if one runs; false if none does. @throws UNAVAILABLE */
  async find(): Promise<boolean> {
    if (this.#state.is === 'idle' || this.#state.is === 'lost') this.#become(this.#adopt());
    return (await this.#client()) !== undefined;
  }

  /**
   * Runs lines on the server; undefined if it is gone. If the connection breaks meanwhile, they may or may not have
   * run: with `mayRunTwice`, they are retried.
   * @throws UNAVAILABLE when the server does not answer
   */
  async run(lines: readonly string[], mayRunTwice: boolean): Promise<Block[] | undefined> {
    const client = await this.#client();
    if (client === undefined) return undefined;
    try {
      return await client.transact(lines);
    } catch (error) {
      if (!mayRunTwice) throw error;
    }
    await client.closed;
    return (await this.#client())?.transact(lines);
  }

  /** Detaches for good; the server keeps running. */
  async release(): Promise<void> {
    const state = this.#state;
    this.#state = { is: 'released' };
    this.#released.abort();
    if (state.is === 'attached') await state.client.close();
    if (state.is === 'attaching') await state.done.catch(() => undefined);
    await this.#chores;
  }

  /** Detaches for good and ends the server with everything in it. */
  async end(): Promise<void> {
    const server = this.#server;
    await this.release();
    await endServer(this.#spec, server);
  }

  async #client(): Promise<ControlClient | undefined> {
    if (this.#state.is === 'attaching') await within(this.#state.done, this.#spec.patience);
    if (this.#state.is === 'released') throw terminalReleased();
    return this.#state.is === 'attached' ? this.#state.client : undefined;
  }

  /** Is `attaching` until the work is done; if nothing is attached then, the server is lost. */
  #become(work: Promise<void>): void {
    const done = work.finally(() => {
      if (this.#state.is === 'attaching' && this.#state.done === done) this.#state = { is: 'lost' };
    });
    done.catch(() => undefined);
    this.#state = { is: 'attaching', done };
  }

  async #start(): Promise<void> {
    await startServer(this.#spec);
    await this.#attach();
  }

  /** Attaches to a server that runs already; if none does, ends what an earlier one left behind. */
  async #adopt(): Promise<void> {
    await this.#chores;
    if (!(await isRunning(this.#spec.socket))) return endStrays(this.#spec.socket);
    try {
      await this.#attach();
    } catch (error) {
      // A person may have closed the session while the server keeps running; a server that is ending gets no new one.
      if (await restoreSession(this.#spec)) await this.#attach();
      else if (await isRunning(this.#spec.socket)) throw error;
    }
  }

  async #attach(): Promise<void> {
    checkSocketFolder(dirname(this.#spec.socket));
    const self = await findProcess(process.pid);
    const client = new ControlClient({
      ...this.#spec,
      environment: { ...this.#spec.environment, [ownerVariable]: `${process.pid}:${self?.started}` },
      session,
      output: this.#events.output,
      notice: this.#events.notice,
    });
    try {
      await this.#greet(client);
    } catch (error) {
      await client.close();
      throw error;
    }
    if (this.#state.is !== 'attaching') {
      await client.close();
      return;
    }
    this.#state = { is: 'attached', client };
    void client.closed.then(() => this.#onClosed(client));
    this.#events.attached();
  }

  async #greet(client: ControlClient): Promise<void> {
    await client.attached();
    const mark = markOf(this.#spec).map(quote).join(' ');
    const lines = mark === '' ? greeting : [...greeting, mark];
    const asked = [environmentLine, `display-message -p ${quote('#{pid}')}`];
    const all = await client.transact([...leftoverLines, ...lines, ...asked]);
    const blocks = all.slice(leftoverLines.length);
    const refused = blocks.find((block) => !block.ok);
    if (refused !== undefined)
      throw new Failure('TMUX_UNAVAILABLE', `tmux refused to be watched: ${refused.lines.join(' ')}`);
    const server = await findProcess(Number(blocks.at(-1)?.lines[0]));
    if (server === undefined)
      throw new Failure('TMUX_UNAVAILABLE', 'the tmux server ended while it was attached; try again');
    if (this.#server !== undefined && this.#server.pid !== server.pid) this.#events.lost();
    this.#server = server;
    const stale = environmentLines(blocks.at(-2), this.#spec.environment);
    if (stale.length > 0) await client.transact(stale);
    await clearLeftovers(client, all);
  }

  #onClosed(client: ControlClient): void {
    if (this.#state.is !== 'attached' || this.#state.client !== client) return;
    this.#events.trouble('the tmux control client ended; attaching again', { socket: this.#spec.socket });
    this.#become(this.#reattach());
  }

  async #reattach(): Promise<void> {
    for (let delay = firstDelay; this.#state.is !== 'released'; delay = Math.min(delay * 2, longestDelay)) {
      if (!(await this.isServerAlive())) return this.#lose();
      try {
        if (await isRunning(this.#spec.socket)) return await this.#attach();
      } catch (error) {
        this.#events.trouble('tmux could not be attached; trying again', { error, delay });
        await restoreSession(this.#spec);
      }
      await pause(delay, undefined, { signal: this.#released.signal }).catch(() => undefined);
    }
  }

  /** Whether the server of the last connection still runs: the same process, not a later one with its id. */
  async isServerAlive(): Promise<boolean> {
    return this.#server !== undefined && (await findProcess(this.#server.pid))?.started === this.#server.started;
  }

  #lose(): void {
    if (this.#state.is === 'released') return;
    this.#state = { is: 'lost' };
    this.#server = undefined;
    this.#chores = endStrays(this.#spec.socket).catch((error) =>
      this.#events.trouble('strays could not be ended', { error }),
    );
    this.#events.lost();
  }
}

async function within(done: Promise<void>, patience: number): Promise<void> {
  const given = new AbortController();
  const late = pause(patience, undefined, { signal: given.signal }).then(() => {
    throw new Failure('TMUX_UNAVAILABLE', `tmux was not reached within ${patience} ms; try again`);
  });
  late.catch(() => undefined);
  await Promise.race([done, late]).finally(() => given.abort());
}
