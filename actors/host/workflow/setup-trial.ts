import { Tail } from '#actors/host/effects/tail.ts';
import { outputKept, type RunState } from '#contract/run-log.ts';
import type { HostTrial } from '#contract/wire/trial-calls.ts';

/** The most bytes of output that one answer holds. */
const maxAnswered = 256 * 1024;

/** One run of a setup script that is tried: what it wrote, and how it stands. */
export class SetupTrial {
  readonly #tail = new Tail(outputKept);
  readonly #stop = new AbortController();
  readonly #startedAt: number;
  #directory = '';
  #stoppedBy = '';
  #end: { readonly at: number; readonly state: RunState; readonly reason: string } | undefined;
  #news = Promise.withResolvers<void>();

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  /** Aborted when it is to end early. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get isOver(): boolean {
    return this.#end !== undefined;
  }

  /** Resolves when something was written, or it ended. */
  get news(): Promise<void> {
    return this.#news.promise;
  }

  /** Ends it early; `reason` is why, if nobody asked for that. */
  stop(reason = ''): void {
    if (!this.signal.aborted) this.#stoppedBy = reason;
    this.#stop.abort();
  }

  begin(directory: string): void {
    this.#directory = directory;
  }

  write(text: string): void {
    this.#tail.add(text);
    this.#announce();
  }

  /** It is over: with a reason it failed, unless it was stopped. */
  end(at: number, reason: string): void {
    const ended = reason === '' ? 'RUN_STATE_SUCCEEDED' : 'RUN_STATE_FAILED';
    const state = this.signal.aborted ? 'RUN_STATE_CALLED_OFF' : ended;
    this.#end = { at, state, reason: this.#stoppedBy || reason };
    this.#announce();
  }

  hasMore(offset: number): boolean {
    return this.#tail.added > offset;
  }

  /** As it is, with what it wrote after so many bytes. It is not over for whoever has not read all of it. */
  shown(offset: number): HostTrial {
    const { output, cut, end } = this.#tail.since(offset, maxAnswered);
    const ended = this.hasMore(end) ? undefined : this.#end;
    return {
      state: ended?.state ?? 'RUN_STATE_RUNNING',
      startedAt: this.#startedAt,
      ...(ended && { endedAt: ended.at }),
      directory: this.#directory,
      reason: ended?.reason ?? '',
      output,
      outputTruncated: cut,
      cursor: String(end),
    };
  }

  #announce(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}
