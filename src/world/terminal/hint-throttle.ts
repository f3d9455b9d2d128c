/** The minimum interval between two hints of a pane, in milliseconds. */
const between = 50;
/** If there are more pieces of output within that interval, a hint does not list them. */
const maxFrames = 8;

/** The frames of all output of a pane since its last hint; undefined if frames do not cover everything. */
type Frames = readonly number[] | undefined;

interface PendingHint {
  frames: number[] | undefined;
  readonly timer: NodeJS.Timeout;
}

/** Passes a pane's hints on at once, but never two within 50 ms: the second one is delayed. */
export class HintThrottle {
  readonly #ring: (paneId: string, frames: Frames) => void;
  /** When each pane's last hint was given. */
  readonly #rung = new Map<string, number>();
  readonly #pending = new Map<string, PendingHint>();

  constructor(ring: (paneId: string, frames: Frames) => void) {
    this.#ring = ring;
  }

  /** Whether the pane's next hint depends on which frame was written. */
  asksForFrames(paneId: string): boolean {
    const pending = this.#pending.get(paneId);
    return pending === undefined || pending.frames !== undefined;
  }

  /** Reports a change in the pane: one frame of output, or any change if none is given. */
  touch(paneId: string, frame?: number): void {
    const pending = this.#pending.get(paneId);
    if (pending !== undefined) {
      if (frame === undefined || pending.frames?.length === maxFrames) pending.frames = undefined;
      else if (pending.frames?.includes(frame) === false) pending.frames.push(frame);
      return;
    }
    const now = performance.now();
    const rest = (this.#rung.get(paneId) ?? Number.NEGATIVE_INFINITY) + between - now;
    const frames = frame === undefined ? undefined : [frame];
    if (rest <= 0) this.#let(paneId, frames, now);
    else this.#pending.set(paneId, { frames, timer: setTimeout(() => this.#late(paneId), Math.ceil(rest)) });
  }

  /** Forgets panes that are gone. */
  keep(panes: ReadonlySet<string>): void {
    for (const paneId of this.#rung.keys()) if (!panes.has(paneId)) this.#rung.delete(paneId);
  }

  stop(): void {
    for (const { timer } of this.#pending.values()) clearTimeout(timer);
    this.#pending.clear();
  }

  #late(paneId: string): void {
    const frames = this.#pending.get(paneId)?.frames;
    this.#pending.delete(paneId);
    this.#let(paneId, frames, performance.now());
  }

  #let(paneId: string, frames: Frames, now: number): void {
    this.#rung.set(paneId, now);
    this.#ring(paneId, frames);
  }
}
