import { Failure } from '#contract/failure.ts';
import { type Check, well } from '#contract/host/check.ts';
import type { OwnCertificates } from '#contract/joining/own-certificates.ts';
import type { Log } from '#contract/process-context.ts';
import type { Certificates } from '#contract/wire/host-joining.ts';
import type { Timer } from '#world/concurrency/timer.ts';

/** The fraction of their lifetime after which certificates are renewed. */
const renewedAfter = 2 / 3;
/** How often that is checked, in milliseconds: a timer does not count the time that a computer sleeps. */
const checkEvery = 60_000;
/** The pause after a renewal that failed, in milliseconds. */
const retryAfter = 5_000;

/** The registry, which certifies the keys of this host again. */
interface Certifier {
  renew(): Promise<Certificates>;
}

/** The dependencies of the renewal. */
interface RenewalScope {
  readonly certificates: OwnCertificates;
  readonly clock: Timer;
  readonly log: Log;
  /** Called once if the host no longer belongs to the installation. */
  readonly onEnded: (why: Failure) => void;
}

/**
 * Renews the certificates of a host that has joined, and of the gateway beside it, at two thirds of their lifetime:
 * over the bus, or, if that is unreachable, through the gateway where it joined, by proof of its key. So a computer
 * that slept past the expiry of its certificates recovers without a person.
 */
export class CertificateRenewal {
  readonly #renewing: RenewalScope;
  readonly #stopping = new AbortController();
  #wake = new AbortController();
  #isRefused = false;
  #hasEnded = false;
  #fault: string | undefined;
  /** How far this machine's clock is ahead of the registry's, by the last renewal, in milliseconds. */
  #ahead = 0;

  constructor(renewing: RenewalScope) {
    this.#renewing = renewing;
  }

  /**
   * Renews certificates that have expired, before the bus is joined. Waits for the gateway. @throws HOST_REMOVED;
   * RENEWAL_NOT_PROVEN
   */
  async prepare(): Promise<void> {
    const { certificates, clock, log } = this.#renewing;
    while (this.#now() >= certificates.validity.until) {
      try {
        await this.renewByProof();
      } catch (error) {
        if (!isTemporary(error)) throw error;
        log.warn({ why: error.message }, 'the certificates have ended, and cannot be renewed yet');
        await clock.sleep(retryAfter, this.#stopping.signal);
      }
    }
  }

  /** Renews them through the gateway. @throws as `OwnCertificates.renewByProof` */
  async renewByProof(): Promise<void> {
    const { certificates } = this.#renewing;
    try {
      await certificates.renewByProof();
      this.#compareClocks();
    } catch (error) {
      if (error instanceof Failure && error.isFor('HOST_REMOVED')) this.#end(error);
      throw error;
    }
  }

  /** Starts to renew them in time. */
  start(registry: Certifier): void {
    const { log } = this.#renewing;
    this.#run(registry).catch((error: unknown) => {
      if (!this.#stopping.signal.aborted) log.error({ err: error }, 'certificates are no longer renewed');
    });
  }

  /** Called when the bus refuses this host. */
  refused(): void {
    this.#isRefused = true;
    this.#wake.abort();
  }

  /** Until when the certificates are valid, and why they could not be renewed. */
  checks(): readonly Check[] {
    const { validity } = this.#renewing.certificates;
    const name = 'certificate for the bus';
    const found = `valid until ${new Date(validity.until).toISOString()}`;
    if (this.#fault === undefined) return [well(name, found)];
    const mend = `it could not be renewed: ${this.#fault}`;
    return [{ name, outcome: 'warn', found, mend }];
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #run(registry: Certifier): Promise<void> {
    const { clock, log } = this.#renewing;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const left = this.#dueAt() - this.#now();
      this.#wake = new AbortController();
      const pause = this.#fault === undefined ? Math.min(left, checkEvery) : retryAfter;
      const resting = AbortSignal.any([signal, this.#wake.signal]);
      if (pause > 0 && !this.#isRefused) await clock.sleep(pause, resting).catch(() => undefined);
      if (signal.aborted || (this.#dueAt() > this.#now() && !this.#isRefused)) continue;
      const isRefused = this.#isRefused;
      this.#isRefused = false;
      const fault = await this.#renew(isRefused ? undefined : registry);
      if (fault !== undefined && fault !== this.#fault)
        log.warn({ why: fault }, 'the certificates cannot be renewed yet');
      if (fault === undefined)
        log.info({ until: this.#renewing.certificates.validity.until }, 'the certificates are renewed');
      this.#fault = fault;
      if (fault !== undefined && isRefused) this.#isRefused = true;
      if (fault !== undefined) await clock.sleep(retryAfter, signal);
    }
  }

  /** Renews them; returns why that failed. */
  async #renew(registry: Certifier | undefined): Promise<string | undefined> {
    const { certificates, onEnded } = this.#renewing;
    try {
      const renewed = await registry?.renew().catch((error: unknown) => {
        if (isTemporary(error)) return undefined;
        throw error;
      });
      if (renewed === undefined) await this.renewByProof();
      else certificates.keep(renewed);
      this.#compareClocks();
      return undefined;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (!error.isFor('HOST_REMOVED')) return error.message;
      this.#end(error);
      this.#stopping.abort();
      onEnded(error);
      return error.message;
    }
  }

  #end(why: Failure): void {
    if (!this.#hasEnded) this.#renewing.certificates.end(why);
    this.#hasEnded = true;
  }

  /** New certificates begin at the registry's present. With a clock far ahead they would be due at once, endlessly. */
  #compareClocks(): void {
    this.#ahead = this.#renewing.clock.now() - this.#renewing.certificates.validity.from;
  }

  /** The time by the registry's clock, in milliseconds since 1970. */
  #now(): number {
    const { clock, certificates } = this.#renewing;
    // The clock was set back since: without this the certificates would end before they are due.
    if (clock.now() - this.#ahead < certificates.validity.from) this.#ahead = 0;
    return clock.now() - this.#ahead;
  }

  #dueAt(): number {
    const { from, until } = this.#renewing.certificates.validity;
    return from + (until - from) * renewedAfter;
  }
}

/** Whether a renewal may succeed later, because it was not refused. */
function isTemporary(error: unknown): error is Failure {
  return error instanceof Failure && ['unavailable', 'deadline_exceeded', 'resource_exhausted'].includes(error.code);
}
