import type { Check } from '#contract/host/check.ts';
import { well } from '#contract/host/check.ts';
import type { Log } from '#contract/process-context.ts';
import type { GatewayReach } from '#contract/wire/host-condition.ts';
import type { Timer } from '#world/concurrency/timer.ts';

/** The pauses between probes while the gateway answers, and while it does not, in milliseconds. */
const [everyWell, everyAmiss] = [30_000, 5_000];
/** How many probes in a row must fail before that is reported. A restart of the gateway is not. */
const failuresReported = 2;

export interface GatewayWatchOptions {
  /** The address at which agents on this host reach muster. */
  readonly url: string;
  /** Returns what is wrong; undefined if muster answers. */
  readonly probe: (url: string) => Promise<string | undefined>;
  readonly clock: Timer;
  readonly log: Log;
}

/** Probes the gateway from this machine, at the address that agents use, and reports whether muster answers. */
export class GatewayWatch {
  readonly #options: GatewayWatchOptions;
  readonly #stop = new AbortController();
  #failures = 0;
  #reported: string | undefined;

  constructor(options: GatewayWatchOptions) {
    this.#options = options;
  }

  /** The last reported result. */
  get reach(): GatewayReach {
    return { url: this.#options.url, ...(this.#reported !== undefined && { fault: this.#reported }) };
  }

  /** Probes regularly until it is stopped. */
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

  /** Probes once. */
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

  /** Probes for `muster doctor`. */
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
