import { z } from 'zod';
import type { PeerHints } from '#actors/registry/peer/peer-hints.ts';
import type { HostLines } from '#bus/host-line/host-lines.ts';
import type { Clock } from '#contract/clock.ts';

/**
 * How often a host whose beats arrive is pinged, and how long its answer may take, in milliseconds. One that did not
 * answer is pinged at each beat.
 */
const [pingedEvery, pongWithin] = [30_000, 5_000];

/** The topic of hints about hosts that begin or cease to answer. */
const topic = 'deaf';
const Hint = z.object({ hostId: z.string(), isDeaf: z.boolean() });

/**
 * Hosts whose beats arrive but that answer no request: a firewall or a proxy drops it, or the host hangs. Kept in
 * memory; the registry that receives their beats detects it, and hints inform the others.
 */
export class UnresponsiveHosts {
  readonly #clock: Clock;
  readonly #hints: PeerHints;
  readonly #lines: Pick<HostLines, 'ping'>;
  /** When each host was last pinged. */
  readonly #pingedAt = new Map<string, number>();
  /** Since when each of them has not answered. */
  readonly #deaf = new Map<string, number>();

  constructor(clock: Clock, hints: PeerHints, lines: Pick<HostLines, 'ping'>) {
    this.#clock = clock;
    this.#hints = hints;
    this.#lines = lines;
    hints.listen(topic, Hint, ({ hostId, isDeaf }) => this.#note(hostId, isDeaf));
  }

  /** Called with each beat of a host. Pings it if the last ping was long enough ago. */
  async check(hostId: string): Promise<void> {
    const now = this.#clock.now();
    const pingedAt = this.#pingedAt.get(hostId) ?? Number.NEGATIVE_INFINITY;
    if (!this.#deaf.has(hostId) && now - pingedAt < pingedEvery && now >= pingedAt) return;
    this.#pingedAt.set(hostId, now);
    const answers = await this.#lines.ping(hostId, pongWithin);
    // Unknown for a host of an older version, or without a session with this registry.
    if (answers === undefined || answers !== this.#deaf.has(hostId)) return;
    this.#note(hostId, !answers);
    this.#hints.send(topic, { hostId, isDeaf: !answers });
  }

  /** Since when a host has not answered, in milliseconds since 1970; undefined if it answers. */
  since(hostId: string): number | undefined {
    return this.#deaf.get(hostId);
  }

  #note(hostId: string, isDeaf: boolean): void {
    if (isDeaf) this.#deaf.set(hostId, this.#deaf.get(hostId) ?? this.#clock.now());
    else this.#deaf.delete(hostId);
  }
}
