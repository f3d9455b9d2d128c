import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';
import type { Key } from '#contract/key.ts';
import type { Capture } from '#contract/pane/capture.ts';
import { awaitsLine } from '#world/process/awaited-line.ts';
import { containerInit } from '#world/process/container-init.ts';
import { signalProcess } from '#world/process/process-tree.ts';
import { frontProgram } from '#world/terminal/front-program.ts';
import { HintListeners } from '#world/terminal/hint-listeners.ts';
import type { Pane, Terminal, TerminalHint, TerminalLog, WindowSpec, WriteOutcome } from '#world/terminal/terminal.ts';
import { typedText } from '#world/terminal/typed-text.ts';
import { checkSpec } from '#world/terminal/window-spec.ts';
import { isPaneId, quote } from './control-line.ts';
import type { Block } from './control-parser.ts';
import { LastCount } from './last-count.ts';
import { launchLines } from './launch.ts';
import { bufferPrefix } from './leftovers.ts';
import { PaneOutput } from './pane-output.ts';
import { endPaneProcesses } from './pane-processes.ts';
import { agentPanes, lacksExitStatus, listPanes, type PaneRow, paneOf, readPanes, stampOption } from './pane-table.ts';
import { captureLines, readCapture } from './screen.ts';
import type { ServerSpec } from './server.ts';
import { ServerLink } from './server-link.ts';
import { keyLine, pasteLines, readWritten, textLine } from './typing.ts';
import { windowName } from './window-name.ts';

const paneNotices = new Set(['window-add', 'window-close', 'unlinked-window-add', 'unlinked-window-close']);

/** A family's terminal on its own tmux server. */
export class FamilyTerminal implements Terminal {
  readonly #link: ServerLink;
  readonly #spec: ServerSpec;
  readonly #log: TerminalLog;
  readonly #buffer = `${bufferPrefix}${randomBytes(6).toString('hex')}`;
  readonly #output = new PaneOutput((paneId, frames) => this.#listeners.notify({ kind: 'output', paneId, frames }));
  readonly #listeners: HintListeners;
  readonly #count = new LastCount();
  readonly #signalled = new Set<string>();

  constructor(spec: ServerSpec, log: TerminalLog) {
    this.#spec = spec;
    this.#log = log;
    this.#listeners = new HintListeners(log);
    this.#link = new ServerLink(spec, {
      output: (paneId, escaped) => this.#output.take(paneId, escaped),
      notice: (name, rest) => this.#notice(name, rest),
      attached: () => void this.#attached(),
      lost: () => this.#lost(),
      trouble: log,
    });
  }

  /** Makes sure that the server runs and is attached. @throws UNAVAILABLE */
  ensure(): Promise<void> {
    return this.#link.ensure();
  }

  /** Whether the server runs; if so, attaches to it. @throws UNAVAILABLE */
  find(): Promise<boolean> {
    return this.#link.find();
  }

  get ended(): boolean {
    return this.#link.lost;
  }

  /** Whether it is attached to its server now, so that it can answer at once. */
  get attached(): boolean {
    return this.#link.attached;
  }

  /** Whether the server that this terminal was last attached to still runs. */
  isServerAlive(): Promise<boolean> {
    return this.#link.isServerAlive();
  }

  /** Whether this terminal was released; it stays so. */
  get released(): boolean {
    return this.#link.released;
  }

  async open(spec: WindowSpec): Promise<Pane> {
    await checkSpec(spec);
    await this.#link.ensure();
    const blocks = await this.#link.run(launchLines(spec), true);
    const rows = readPanes(blocks?.at(-1)?.lines ?? []);
    this.#counted(rows);
    const row = rows.find((one) => one.agentId === spec.agentId);
    if (row !== undefined) return paneOf(row);
    const complaint = blocks?.find((block) => !block.ok)?.lines.join(' ') ?? 'the tmux server is gone';
    throw new Failure('WINDOW_NOT_OPENED', `no window was opened for ${spec.agentId}: ${complaint}`);
  }

  async panes(): Promise<Pane[]> {
    let rows = await this.#rows();
    for (let tries = 0; tries < 5 && rows.some((row) => this.#needsSignal(row)); tries += 1) {
      this.#signalServer();
      await pause(tries * 10);
      rows = await this.#rows();
    }
    for (const row of rows) if (lacksExitStatus(row)) this.#signalled.add(row.paneId);
    return agentPanes(rows);
  }

  knownPanes(): Pane[] | undefined {
    const { rows } = this.#count;
    return rows === undefined || !this.attached ? undefined : agentPanes(rows);
  }

  /** Checks, from outside, for what tmux does not report: a program that has ended, or a server that was stopped. */
  checkProcess(): void {
    if (this.#count.check()) this.#listeners.notify({ kind: 'panes' });
  }

  async capture(paneId: string): Promise<Capture | undefined> {
    if (!isPaneId(paneId)) return undefined;
    const blocks = await this.#link.run(captureLines(paneId, this.#buffer), true);
    return blocks === undefined ? undefined : readCapture(paneId, blocks, this.#output.statusOf(paneId));
  }

  async frontProgram(paneId: string): Promise<string | undefined> {
    const row = await this.#row(paneId);
    return row === undefined || row.dead ? undefined : frontProgram(row.pid);
  }

  async awaitsLine(paneId: string): Promise<boolean | undefined> {
    const row = await this.#row(paneId);
    return row === undefined || row.dead ? undefined : awaitsLine(await containerInit(row.pid));
  }

  async paste(paneId: string, text: string, stamp?: string, until?: number): Promise<WriteOutcome> {
    return this.#type(paneId, pasteLines({ paneId, stamp, until }, text, this.#buffer));
  }

  async submit(paneId: string, stamp?: string, until?: number): Promise<WriteOutcome> {
    return this.#type(paneId, [keyLine({ paneId, stamp, until }, ['Enter'])]);
  }

  async press(paneId: string, keys: readonly Key[], until?: number): Promise<WriteOutcome> {
    return this.#type(paneId, [keyLine({ paneId, until }, keys)]);
  }

  async type(paneId: string, text: string, until?: number): Promise<WriteOutcome> {
    const plain = typedText(text);
    return plain === '' ? 'written' : this.#type(paneId, [textLine({ paneId, until }, plain)]);
  }

  async stampOf(paneId: string): Promise<string> {
    if (!isPaneId(paneId)) return '';
    const blocks = await this.#link.run([`show-options -p -q -v -t ${paneId} ${stampOption}`], true);
    const [block] = blocks ?? [];
    return block?.ok === true ? (block.lines[0] ?? '') : '';
  }

  async rename(paneId: string, name: string): Promise<void> {
    const row = await this.#row(paneId);
    if (row === undefined) return;
    await this.#link.run([`rename-window -t ${row.windowId} -- ${quote(windowName(name, row.agentId))}`], true);
  }

  /** The window that shows the pane; undefined if there is no such pane. */
  async windowOf(paneId: string): Promise<string | undefined> {
    return (await this.#row(paneId))?.windowId;
  }

  async close(paneId: string): Promise<void> {
    const row = await this.#row(paneId);
    if (row === undefined) return;
    await this.#endProcesses([row]);
    const rows = await this.#rows();
    const shared = rows.some((one) => one.windowId === row.windowId && one.paneId !== paneId && one.agentId !== '');
    await this.#link.run([shared ? `kill-pane -t ${paneId}` : `kill-window -t ${paneId}`], true);
    this.#count.forget();
  }

  onHint(listener: (hint: TerminalHint) => void): () => void {
    return this.#listeners.add(listener);
  }

  async detach(): Promise<void> {
    this.#output.stop();
    this.#count.close();
    await this.#link.release();
  }

  /** Ends the server with everything in it. */
  async end(): Promise<void> {
    const rows = await this.#rows().catch((): PaneRow[] => []);
    await this.#endProcesses(rows);
    this.#output.stop();
    this.#count.close();
    await this.#link.end();
  }

  async #endProcesses(rows: readonly PaneRow[]): Promise<void> {
    const server = this.#link.server;
    const left = server === undefined ? [] : await endPaneProcesses(this.#spec.socket, server.pid, rows);
    if (left.length > 0) this.#log('processes could not be ended', { pids: left.map((one) => one.pid) });
  }

  async #type(paneId: string, lines: readonly string[]): Promise<WriteOutcome> {
    if (!isPaneId(paneId)) return 'gone';
    const blocks: Block[] | undefined = await this.#link.run(lines, false);
    return blocks === undefined ? 'gone' : readWritten(blocks);
  }

  async #rows(): Promise<PaneRow[]> {
    const blocks = await this.#link.run([listPanes], true);
    const [block] = blocks ?? [];
    if (block?.ok === false)
      throw new Failure('TMUX_UNAVAILABLE', `tmux does not list its panes: ${block.lines.join(' ')}`);
    const rows = readPanes(block?.lines ?? []);
    const there = new Set(rows.map((row) => row.paneId));
    this.#output.keep(there);
    for (const paneId of this.#signalled) if (!there.has(paneId)) this.#signalled.delete(paneId);
    this.#counted(rows);
    return rows;
  }

  #counted(rows: readonly PaneRow[]): void {
    const { server } = this.#link;
    if (server !== undefined && this.attached) this.#count.take(server.pid, rows);
  }

  async #row(paneId: string): Promise<PaneRow | undefined> {
    return (await this.#rows()).find((row) => row.paneId === paneId);
  }

  #needsSignal(row: PaneRow): boolean {
    return lacksExitStatus(row) && !this.#signalled.has(row.paneId);
  }

  /** tmux can miss the signal of a child's end, and then learns the exit status only with the next such signal. */
  #signalServer(): void {
    const server = this.#link.server;
    if (server !== undefined) signalProcess(server, 'SIGCHLD');
  }

  #notice(name: string, rest: string): void {
    if (paneNotices.has(name) || name === 'subscription-changed') this.#panesChanged();
    else if (name === 'pause') this.#paused(rest);
    else if (name === 'pane-mode-changed') this.#output.touch(rest);
  }

  #panesChanged(): void {
    this.#count.forget();
    this.#listeners.notify({ kind: 'panes' });
  }

  /** Resumes a pane that wrote faster than it was read: that output is lost, and the pane's last status with it. */
  #paused(paneId: string): void {
    this.#output.missed(paneId);
    const resume = this.#link.run([`refresh-client -A ${quote(`${paneId}:continue`)}`], true);
    resume.catch((error) => this.#log('a paused pane could not be resumed', { paneId, error }));
    this.#output.touch(paneId);
  }

  async #attached(): Promise<void> {
    this.#output.missed();
    this.#panesChanged();
    const rows = await this.#rows().catch((): PaneRow[] => []);
    for (const row of rows) if (row.agentId !== '') this.#output.touch(row.paneId);
  }

  #lost(): void {
    this.#output.keep(new Set());
    this.#output.stop();
    this.#count.close();
    this.#signalled.clear();
    this.#listeners.notify({ kind: 'lost' });
  }
}
