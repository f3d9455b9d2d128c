import { randomBytes } from 'node:crypto';
import { Failure } from '#contract/failure.ts';
import type { Key } from '#contract/key.ts';
import type { Capture } from '#contract/pane/capture.ts';
import { awaitsLine } from '#world/process/awaited-line.ts';
import { containerInit } from '#world/process/container-init.ts';
import { frontProgram } from '#world/terminal/front-program.ts';
import { HintListeners } from '#world/terminal/hint-listeners.ts';
import { HintThrottle } from '#world/terminal/hint-throttle.ts';
import { endPanes } from '#world/terminal/pane-processes.ts';
import { checkStamp } from '#world/terminal/stamp.ts';
import type { Pane, Terminal, TerminalHint, TerminalLog, WindowSpec, WriteOutcome } from '#world/terminal/terminal.ts';
import { terminalReleased } from '#world/terminal/terminal-released.ts';
import { typedText } from '#world/terminal/typed-text.ts';
import { checkSpec, startVariables } from '#world/terminal/window-spec.ts';
import type { PtyModule } from './module.ts';
import { PtyPane } from './pane.ts';
import { isIn, markVariable, type PaneMark } from './pane-mark.ts';

/** The settings of a family's panes. */
export interface FamilySpec {
  readonly pty: PtyModule;
  /** The whole environment of every pane, without the variables that its window adds. */
  readonly environment: Readonly<Record<string, string>>;
  readonly mark: Omit<PaneMark, 'paneId'>;
  readonly log: TerminalLog;
}

/** A family's terminal in this process: its panes end with it. */
export class EmbeddedTerminal implements Terminal {
  /** Always false: it ends only with this process. */
  readonly ended = false;
  readonly #spec: FamilySpec;
  /** By pane id, in the order in which the panes were opened. */
  readonly #panes = new Map<string, PtyPane>();
  readonly #listeners: HintListeners;
  readonly #throttle = new HintThrottle((paneId) => this.#listeners.notify({ kind: 'output', paneId }));
  #released = false;

  constructor(spec: FamilySpec) {
    this.#spec = spec;
    this.#listeners = new HintListeners(spec.log);
  }

  /** Whether this terminal was released; it stays so. */
  get released(): boolean {
    return this.#released;
  }

  async open(spec: WindowSpec): Promise<Pane> {
    await checkSpec(spec);
    const known = [...this.#live().values()].find(({ pane }) => pane.agentId === spec.agentId);
    if (known !== undefined) return known.pane;
    const opened = this.#start(spec);
    this.#panes.set(opened.pane.paneId, opened);
    this.#listeners.notify({ kind: 'panes' });
    return opened.pane;
  }

  async panes(): Promise<Pane[]> {
    return [...this.#live().values()].map(({ pane }) => pane);
  }

  knownPanes(): Pane[] | undefined {
    return this.#released ? undefined : [...this.#panes.values()].map(({ pane }) => pane);
  }

  async capture(paneId: string): Promise<Capture | undefined> {
    return this.#live().get(paneId)?.capture();
  }

  async frontProgram(paneId: string): Promise<string | undefined> {
    const { pid, dead } = this.#live().get(paneId)?.pane ?? { pid: 0, dead: true };
    return dead ? undefined : frontProgram(pid);
  }

  async awaitsLine(paneId: string): Promise<boolean | undefined> {
    const { pid, dead } = this.#live().get(paneId)?.pane ?? { pid: 0, dead: true };
    return dead ? undefined : awaitsLine(await containerInit(pid));
  }

  async paste(paneId: string, text: string, stamp?: string, until?: number): Promise<WriteOutcome> {
    if (stamp !== undefined) checkStamp(stamp);
    return this.#live().get(paneId)?.paste(text, { stamp, until }) ?? 'gone';
  }

  async submit(paneId: string, stamp?: string, until?: number): Promise<WriteOutcome> {
    if (stamp !== undefined) checkStamp(stamp);
    return this.#live().get(paneId)?.press(['Enter'], { stamp, until }) ?? 'gone';
  }

  async press(paneId: string, keys: readonly Key[], until?: number): Promise<WriteOutcome> {
    return this.#live().get(paneId)?.press(keys, { until }) ?? 'gone';
  }

  async type(paneId: string, text: string, until?: number): Promise<WriteOutcome> {
    return this.#live().get(paneId)?.type(typedText(text), { until }) ?? 'gone';
  }

  async stampOf(paneId: string): Promise<string> {
    return this.#live().get(paneId)?.stamp ?? '';
  }

  /** Does nothing, because windows are invisible here. */
  async rename(): Promise<void> {}

  async close(paneId: string): Promise<void> {
    const pane = this.#live().get(paneId);
    if (pane === undefined) return;
    await this.#endProcesses([pane]);
    this.#panes.delete(paneId);
    this.#listeners.notify({ kind: 'panes' });
  }

  onHint(listener: (hint: TerminalHint) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Releases the terminal for good; its panes end, because no other process can keep them. */
  async detach(): Promise<void> {
    this.#released = true;
    this.#listeners.clear();
    this.#throttle.stop();
    await this.#endProcesses([...this.#panes.values()]);
    this.#panes.clear();
  }

  #live(): ReadonlyMap<string, PtyPane> {
    if (this.#released) throw terminalReleased();
    return this.#panes;
  }

  #start(window: WindowSpec): PtyPane {
    const { pty, environment, mark } = this.#spec;
    // Unlike a tmux server's, these ids are never reused: a pane of an earlier process is not mistaken for a new one.
    const paneId = `pane-${randomBytes(8).toString('hex')}`;
    try {
      return new PtyPane({
        pty,
        paneId,
        window,
        environment: { ...environment, ...startVariables(window), ...markVariable({ ...mark, paneId }) },
        changed: () => this.#throttle.touch(paneId),
        ended: () => this.#listeners.notify({ kind: 'panes' }),
      });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Failure('WINDOW_NOT_OPENED', `no window was opened for ${window.agentId}: ${why}`, { cause: error });
    }
  }

  async #endProcesses(panes: readonly PtyPane[]): Promise<void> {
    const rows = panes.map(({ pane }) => pane);
    const living = rows.filter(({ dead }) => !dead).map(({ pid }) => pid);
    const left = await endPanes(living, isIn(new Set(rows.map(({ paneId }) => paneId))));
    if (left.length > 0) this.#spec.log('processes could not be ended', { pids: left.map(({ pid }) => pid) });
  }
}
