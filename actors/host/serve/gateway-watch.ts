import type { Check } from '#contract/host/check.ts';
import { well } from '#contract/host/check.ts';
import type { Log } from '#contract/process-context.ts';
import type { GatewayReach } from '#contract/wire/host-condition.ts';
import type { Timer } from '#world/concurrency/timer.ts';

/** How often the address is tried while it answers, and while it does not, in milliseconds. */
const [everyWell, everyAmiss] = [30_000, 5_000];
/** How often in a row it must fail before that is reported: gateways are restarted. */
const failuresReported = 2;

export interface GatewayWatchOptions {
  /** The address at which agents on this host reach muster. */
  readonly url: string;
  /** Tries it; returns what is wrong, or undefined if muster answers. */
  readonly probe: (url: string) => Promise<string | undefined>;
  readonly clock: Timer;
  readonly log: Log;
}

/**
 * Tries the address that agents are given from where they stand, on this machine, and says whether muster answers
 * there.
 */
export class GatewayWatch {
  readonly #options: GatewayWatchOptions;
  readonly #stop = new AbortController();
  #failures = 0;
  #reported: string | undefined;

  constructor(options: GatewayWatchOptions) {
    this.#options = options;
  }

  /** The condition as last reported. */
  get reach(): GatewayReach {
    return { url: this.#options.url, ...(this.#reported !== undefined && { fault: this.#reported }) };
  }

  /** Tries it now and then until it is stopped. */
  start(): void {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    const run = async (): Promise<void> => {
      while (!signal.aborted) {
        await this.probe();
        await clock.sleep(this.#failures === 0 ? everyWell : everyAmiss, signal);
      }
    };
    run().catch((err: unknown) => {
      if (!signal.aborted) log.error({ err }, 'whether agents reach muster is no longer checked');
    });
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Tries it once. */
  async probe(): Promise<void> {
    const { url, probe, log } = this.#options;
    const fault = await probe(url);
    this.#failures = fault === undefined ? 0 : this.#failures + 1;
    const reported = fault !== undefined && this.#failures < failuresReported ? this.#reported : fault;
    if (reported === this.#reported) return;
    this.#reported = reported;
    if (reported === undefined) log.info({ url }, 'agents on this host reach muster again');
    else log.warn({ url }, `agents on this host do not reach muster at ${url}: ${reported}. ${mend}`);
  }

  /** What the doctor says of it, as it is at this moment. */
  async check(): Promise<Check> {
    const { url, probe } = this.#options;
    const name = 'agents’ connection to muster';
    const fault = await probe(url);
    if (fault === undefined) return well(name, `muster answers at ${url}`);
    return { name, outcome: 'fail', found: `${url}: ${fault}`, mend };
  }
}

const mend =
  'set MUSTER_URL on that host to an address at which it reaches the gateway, start `muster host` again, and archive and restore its agents';
