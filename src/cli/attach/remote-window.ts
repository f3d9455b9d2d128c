import type { ResponseOf } from '#cli/client/client.ts';
import { follow } from '#cli/client/follow.ts';
import { onOwnScreen, typedUntil } from '#cli/client/own-screen.ts';
import type { Session } from '#cli/client/session.ts';
import type { ListedAgent } from '#cli/find/find-agent.ts';
import { shortName } from '#cli/print/words.ts';
import { answerKey } from '#cli/rpc/answer-keys.ts';
import { Failure } from '#contract/failure.ts';
import type { PaneInput } from '#contract/pane/pane.ts';
import type { Input } from '#contract/pane/typed-input.ts';
import { TypingQueue } from '#contract/pane/typing-queue.ts';
import { printable } from '#contract/printable.ts';
import { KeyReader, markNoPastes, markPastes } from './key-reader.ts';
import { WindowView } from './window-view.ts';

type Frame = ResponseOf<'agent.v1.AgentService/WatchPane'>;

/** The window of an agent on another host. */
export interface RemoteWindowOptions {
  readonly found: ListedAgent;
  /** Its host's name, if known. */
  readonly hostName: string | undefined;
  readonly readOnly: boolean;
}

/**
 * Shows the window of an agent on any host in this terminal, and types into it, through the service. Typing needs a
 * hold of the agent, as on the page: muster then types nothing itself.
 */
export class RemoteWindow {
  readonly #session: Session;
  readonly #options: RemoteWindowOptions;
  readonly #leaving = new AbortController();
  readonly #view = new WindowView();
  readonly #keys = new KeyReader();
  readonly #typing: TypingQueue;
  #frame: Frame | undefined;
  #isHeld: boolean;
  /** Whether this window took the agent over, and has not given it back. */
  #isTaken = false;
  #notice = '';

  constructor(session: Session, options: RemoteWindowOptions) {
    this.#session = session;
    this.#options = options;
    const agentId = options.found.id;
    this.#isHeld = options.found.agent.heldAt !== undefined && options.found.agent.heldAt !== '';
    this.#typing = new TypingQueue(
      (inputs) =>
        session.client().call('agent.v1.AgentService/TypeInPane', { agentId, inputs: inputs.flatMap(asSent) }),
      (error) => this.#stray(error),
    );
  }

  /** Runs until the person leaves. What they took over is given back. @throws Failure when the pane cannot be read */
  async run(): Promise<void> {
    const { io } = this.#session;
    io.signal?.addEventListener('abort', () => this.#leaving.abort(), { once: true });
    const redraw = (): void => {
      io.stdout.write('\u001b[2J');
      this.#draw();
    };
    try {
      await onOwnScreen(io, redraw, () => this.#showAndListen());
    } finally {
      await this.#giveBack();
    }
  }

  async #showAndListen(): Promise<void> {
    const { stdout } = this.#session.io;
    stdout.write(markPastes);
    const listening = this.#listen();
    try {
      await this.#show();
    } finally {
      this.#leaving.abort();
      stdout.write(markNoPastes);
      await listening;
    }
  }

  async #show(): Promise<void> {
    const { io, client } = this.#session;
    const { id: agentId } = this.#options.found;
    const { signal } = this.#leaving;
    const open = (cursor?: string) =>
      client().watch('agent.v1.AgentService/WatchPane', { agentId, ...(cursor && { cursor }) }, signal);
    const onLost = (why: Failure | undefined): void => this.#say(why?.message ?? '');
    for await (const frame of follow({ ...io, signal }, open, { onLost })) {
      if (frame.screen === undefined) continue;
      this.#frame = frame;
      this.#draw();
    }
  }

  async #listen(): Promise<void> {
    for await (const text of typedUntil(this.#session.io.stdin, this.#leaving.signal)) {
      for (const act of this.#keys.read(text)) {
        if ('inputs' in act) this.#type(act.inputs);
        else await this.#obey(act.command);
      }
    }
    this.#leaving.abort();
  }

  #type(inputs: readonly Input[]): void {
    const { readOnly } = this.#options;
    if (readOnly) this.#say('opened to watch: nothing is typed; Ctrl-b d leaves');
    else if (!this.#isHeld) this.#say('nothing is typed until Ctrl-b t takes it over, which interrupts its turn');
    else {
      this.#notice = '';
      this.#typing.type(inputs);
    }
  }

  async #obey(command: string): Promise<void> {
    if (command === 'd') this.#leaving.abort();
    else if (command === 't' && !this.#options.readOnly) await (this.#isHeld ? this.#release() : this.#takeOver());
    else this.#say(this.#help);
  }

  async #takeOver(): Promise<void> {
    this.#say('taking it over …');
    await this.#change('HoldAgent', () => {
      this.#isHeld = true;
      this.#isTaken = true;
    });
  }

  async #release(): Promise<void> {
    await this.#typing.sent();
    await this.#change('UnholdAgent', () => {
      this.#isHeld = false;
      this.#isTaken = false;
    });
  }

  async #change(method: 'HoldAgent' | 'UnholdAgent', changed: () => void): Promise<void> {
    try {
      const { id: agentId } = this.#options.found;
      await this.#session.client().call(`agent.v1.AgentService/${method}`, { agentId });
      changed();
      this.#say('');
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#say(error.message);
    }
  }

  async #giveBack(): Promise<void> {
    if (!this.#isTaken) return;
    const { found } = this.#options;
    await this.#typing.sent();
    await this.#session.client().call('agent.v1.AgentService/UnholdAgent', { agentId: found.id });
    this.#session.io.stderr.write(`${printable(found.name)} is given back\n`);
  }

  /** The input did not arrive: the agent was released elsewhere, or its host cannot be reached. */
  #stray(error: unknown): void {
    if (error instanceof Failure && error.reason === 'AGENT_NOT_HELD') {
      this.#isHeld = false;
      this.#isTaken = false;
    }
    this.#say(`your last keys did not reach it: ${error instanceof Error ? error.message : String(error)}`);
  }

  #say(notice: string): void {
    this.#notice = notice;
    this.#draw();
  }

  get #help(): string {
    if (this.#options.readOnly) return 'Ctrl-b d leaves';
    return this.#isHeld ? 'Ctrl-b t gives it back, Ctrl-b d leaves' : 'Ctrl-b t takes it over, Ctrl-b d leaves';
  }

  #draw(): void {
    const { screen, reading } = this.#frame ?? {};
    if (screen === undefined || this.#leaving.signal.aborted) return;
    const { found, hostName } = this.#options;
    const who = `${found.name}${hostName ? ` on ${hostName}` : ''}: ${shortName(reading?.state ?? 'UNKNOWN')}`;
    const status = ` ${printable(who)}, ${this.#isHeld ? 'taken over' : 'watched'} · ${printable(this.#notice || this.#help)}`;
    const { stdout } = this.#session.io;
    stdout.write(this.#view.draw(stdout, screen, status));
  }
}

function asSent(input: Input): readonly PaneInput[] {
  if (!('key' in input)) return [input];
  const key = answerKey(input.key);
  return key === undefined ? [] : [{ key }];
}
