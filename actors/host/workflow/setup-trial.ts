import { Tail } from '#actors/host/effects/tail.ts';
import { outputKept, type RunState } from '#contract/run-log.ts';
import type { HostTrial } from '#contract/wire/trial-calls.ts';

/** Maximum size of the output in one answer, in bytes. */
const maxAnswered = 256 * 1024;

/** One trial run of a setup script: its output and its state. */
export class SetupTrial {
  readonly #tail = new Tail(outputKept);
  readonly #stop = new AbortController();
  readonly #startedAt: number;
  #directory = '';
  #stoppedBy = '';
  #end: { readonly at: number; readonly state: RunState; readonly reason: string } | undefined;
  #change = Promise.withResolvers<void>();

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  /** Aborted when the trial is stopped. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get isOver(): boolean {
    return this.#end !== undefined;
  }

  /** Resolves at the next output, or when the trial ends. */
  get change(): Promise<void> {
    return this.#change.promise;
  }

  /** Stops the trial; `reason` is empty if a person requested it. */
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

  /** Records the end of the trial. A `reason` means that it failed, unless it was stopped. */
  end(at: number, reason: string): void {
    const ended = reason === '' ? 'RUN_STATE_SUCCEEDED' : 'RUN_STATE_FAILED';
    const state = this.signal.aborted ? 'RUN_STATE_CALLED_OFF' : ended;
    this.#end = { at, state, reason: this.#stoppedBy || reason };
    this.#announce();
  }

  hasMore(offset: number): boolean {
    return this.#tail.added > offset;
  }

  /** The trial with its output after a byte offset. It shows as running until all output was read. */
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
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }
}
