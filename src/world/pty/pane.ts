import { basename } from 'node:path';
import type { Key } from '#contract/key.ts';
import type { Capture } from '#contract/pane/capture.ts';
import { signalName } from '#world/process/signal-name.ts';
import { paneSize } from '#world/terminal/pane-size.ts';
import { pastedText } from '#world/terminal/pasted-text.ts';
import type { Pane, WindowSpec, WriteOutcome } from '#world/terminal/terminal.ts';
import { InputQueue } from './input-queue.ts';
import { keySequence } from './keys.ts';
import { paneCommand } from './launch.ts';
import type { Pty, PtyModule } from './module.ts';
import { Screen } from './screen.ts';

/** The settings of a pane. */
export interface PaneSpec {
  readonly pty: PtyModule;
  readonly paneId: string;
  readonly window: WindowSpec;
  /** The whole environment of its program. */
  readonly environment: Readonly<Record<string, string>>;
  /** Called when the screen has changed. */
  readonly changed: () => void;
  /** Called once, when the program has ended and the screen shows the last of its output. */
  readonly ended: () => void;
}

/**
 * The stamp that a pane gets with a write, and until when the write may happen, in milliseconds since 1970.
 */
interface Write {
  readonly stamp?: string | undefined;
  readonly until?: number | undefined;
}

/** The terminal type that programs see. The screen is xterm's. */
const terminalName = 'xterm-256color';

/** With more characters of output than this waiting for the screen, the program is paused. */
const pauseAbove = 1024 * 1024;
/** With fewer than this, it continues. */
const resumeBelow = 256 * 1024;

/** A pane: a program, its pseudo-terminal and its screen. */
export class PtyPane {
  readonly #spec: PaneSpec;
  readonly #pty: Pty;
  readonly #input: InputQueue;
  readonly #screen: Screen;
  #stamp = '';
  #unseen = 0;
  #end: Pick<Pane, 'exitStatus' | 'exitSignal'> | undefined;
  #isOpen = true;
  /** When the program printed last, by the steady clock. */
  #printedAt = performance.now();

  /** @throws Error when the system has no pseudo-terminal or process left */
  constructor(spec: PaneSpec) {
    this.#spec = spec;
    const { window, environment } = spec;
    const [file = '', ...args] = paneCommand(window, environment['PATH'] ?? '');
    this.#pty = spec.pty.spawn(file, args, {
      name: terminalName,
      cols: paneSize.columns,
      rows: paneSize.rows,
      cwd: '/',
      env: environment,
    });
    this.#input = new InputQueue(this.#pty.fd);
    this.#screen = new Screen((reply) => this.#input.push(reply));
    this.#pty.onData((output) => this.#show(output));
    this.#pty.onExit(({ exitCode, signal }) => void this.#ended(exitCode, signal ?? 0));
    for (const event of ['error', 'close'] as const) this.#pty.on(event, () => this.#shut());
  }

  get pane(): Pane {
    const { paneId, window } = this.#spec;
    const { exitStatus, exitSignal } = this.#end ?? {};
    return {
      agentId: window.agentId,
      paneId,
      pid: this.#pty.pid,
      dead: this.#end !== undefined,
      exitStatus,
      exitSignal,
    };
  }

  get stamp(): string {
    return this.#stamp;
  }

  async capture(): Promise<Capture> {
    await this.#screen.settled();
    const { status, ...shown } = this.#screen.shown;
    return {
      ...shown,
      ...status,
      width: paneSize.columns,
      height: paneSize.rows,
      command: this.#command(),
      silentMs: performance.now() - this.#printedAt,
      inMode: false,
      dead: this.#end !== undefined,
    };
  }

  /** Pastes a text, as a bracketed paste if the program has requested that, as `Terminal.paste` does. */
  paste(text: string, write: Write): Promise<WriteOutcome> {
    const clean = pastedText(text);
    return this.#type(write, ({ bracketedPaste }) =>
      bracketedPaste && clean !== '' ? `\u001b[200~${clean}\u001b[201~` : clean,
    );
  }

  press(keys: readonly Key[], write: Write): Promise<WriteOutcome> {
    return this.#type(write, ({ applicationCursor }) =>
      keys.map((key) => keySequence(key, applicationCursor)).join(''),
    );
  }

  /** Types a text as it is. */
  type(text: string, write: Write): Promise<WriteOutcome> {
    return this.#type(write, () => text);
  }

  /** Types and stamps in one step, once all output of the program is processed, so that its current modes are known. */
  async #type({ stamp, until }: Write, text: (modes: Screen['modes']) => string): Promise<WriteOutcome> {
    await this.#screen.settled();
    if (this.#end !== undefined) return 'dead';
    if (until !== undefined && Date.now() >= until) return 'late';
    this.#input.push(text(this.#screen.modes));
    if (stamp !== undefined) this.#stamp = stamp;
    return 'written';
  }

  async #show(output: string): Promise<void> {
    this.#printedAt = performance.now();
    this.#unseen += output.length;
    if (this.#unseen > pauseAbove) this.#pty.pause();
    await this.#screen.write(output);
    this.#unseen -= output.length;
    if (this.#unseen < resumeBelow && this.#isOpen) this.#pty.resume();
    this.#spec.changed();
  }

  async #ended(exitCode: number, signal: number): Promise<void> {
    this.#shut();
    await this.#screen.settled();
    this.#end =
      signal === 0
        ? { exitStatus: exitCode, exitSignal: undefined }
        : { exitStatus: undefined, exitSignal: signalName(signal) ?? `signal ${signal}` };
    this.#spec.ended();
  }

  #shut(): void {
    this.#isOpen = false;
    this.#input.close();
  }

  /**
   * The name of the process that leads the foreground, in tmux's form: without folder, arguments and a login shell's
   * dash.
   */
  #command(): string {
    const [program = ''] = this.#spec.window.argv;
    if (!this.#isOpen) return basename(program);
    const [word = ''] = this.#pty.process.split(' ');
    return basename(word.replace(/^-+/, ''));
  }
}
