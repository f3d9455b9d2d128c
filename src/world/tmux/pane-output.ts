import { frameOf } from '#world/terminal/frame.ts';
import { HintThrottle } from '#world/terminal/hint-throttle.ts';
import { noStatus, type ProgramStatus, StatusScanner } from '#world/terminal/status-scanner.ts';
import { holdsEscape, unescapeBytes } from './octal.ts';

/** The output of one server's panes: keeps their last status sequences, and reports new output. */
export class PaneOutput {
  readonly #scanners = new Map<string, StatusScanner>();
  readonly #throttle: HintThrottle;

  /** @param ring called with a pane that wrote something, and with the frames of all that it wrote, if known */
  constructor(ring: (paneId: string, frames: readonly number[] | undefined) => void) {
    this.#throttle = new HintThrottle(ring);
  }

  /** Processes output of a pane, as escaped by tmux. */
  take(paneId: string, escaped: Buffer): void {
    const scanner = this.#scanners.get(paneId) ?? new StatusScanner();
    this.#scanners.set(paneId, scanner);
    const isScanned = scanner.isWithin || holdsEscape(escaped);
    const isFramed = this.#throttle.asksForFrames(paneId);
    const output = isScanned || isFramed ? unescapeBytes(escaped) : escaped;
    const isStatus = isScanned && scanner.feed(output);
    this.#throttle.touch(paneId, isFramed && !isStatus ? frameOf(output) : undefined);
  }

  /** Reports a change in a pane that is not output. */
  touch(paneId: string): void {
    this.#throttle.touch(paneId);
  }

  /** The last status that the pane's program reported. */
  statusOf(paneId: string): ProgramStatus {
    return this.#scanners.get(paneId)?.status ?? noStatus;
  }

  /** Records that output of a pane was missed, and its last status with it; of every pane if none is named. */
  missed(paneId?: string): void {
    if (paneId !== undefined) this.#scanners.get(paneId)?.forget();
    else for (const scanner of this.#scanners.values()) scanner.forget();
  }

  /** Forgets panes that no longer exist. */
  keep(panes: ReadonlySet<string>): void {
    for (const paneId of this.#scanners.keys()) if (!panes.has(paneId)) this.#scanners.delete(paneId);
    this.#throttle.keep(panes);
  }

  /** Stops reporting what was written until now. */
  stop(): void {
    this.#throttle.stop();
  }
}
