import type { Log } from '#contract/process-context.ts';
import type { Timer } from '#world/concurrency/timer.ts';

interface RepeatOptions {
  readonly clock: Timer;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Does periodic work until the signal is aborted, with a pause before each time. A failure does not stop it. */
export function repeatedly(
  { clock, log, signal }: RepeatOptions,
  ms: number | (() => number),
  work: () => Promise<void>,
): void {
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await clock.sleep(typeof ms === 'number' ? ms : ms(), signal);
      await work().catch((err: unknown) => log.warn({ err }, 'a periodic task of the host failed'));
    }
  };
  run().catch((err: unknown) => {
    if (!signal.aborted) log.error({ err }, 'a periodic task of the host ended');
  });
}
