import { z } from 'zod';
import type { PeerHints } from '#actors/registry/peer/peer-hints.ts';
import { Poller } from '#actors/worker/poller.ts';
import type { WorkScope } from '#actors/worker/work-scope.ts';
import { HostCondition } from '#contract/wire/host-condition.ts';
import { beatEvery, maxSilence } from '#machines/host/beats.ts';
import { hostDeadlines } from '#machines/host/host.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { HostBeat } from '#store/host/host-table.ts';
import type { Store } from '#store/store.ts';

/** How often beats are saved, in milliseconds. This is well below the silence that makes a host lost. */
const every = 10_000;

/** What the buffer needs to save beats, and to announce them to other registries before that. */
interface BeatBufferScope extends WorkScope {
  readonly store: Pick<Store, 'write'>;
  readonly hints: PeerHints;
}

/** The topics of hints about beats, and about hosts that are lost. */
const [topic, lostTopic] = ['beat', 'lost-host'];
const LostHint = z.object({ hostId: z.string() });
const Hint = z.object({
  hostId: z.string(),
  seenAt: z.number(),
  condition: HostCondition.extend({ measuredAt: z.number(), clockOffsetMs: z.number().optional() }).nullable(),
  foundTerminals: z.array(z.string()),
});

/**
 * Beats that change only the time, condition, figures and terminals. They are kept in memory and saved together, so
 * that a hundred hosts cost one write every ten seconds and no beat waits for a disk. If the registry dies, the next
 * beats repeat what was not saved.
 */
export class BeatBuffer {
  readonly #store: Pick<Store, 'write'>;
  readonly #hints: PeerHints;
  readonly #poller: Poller;
  readonly #latest = new Map<string, HostBeat>();
  readonly #unwritten = new Set<string>();
  /** The hosts that are sending beats, or were when this registry started. */
  readonly #hosts: Set<string>;

  constructor(scope: BeatBufferScope, online: readonly string[]) {
    this.#hosts = new Set(online);
    this.#store = scope.store;
    this.#hints = scope.hints;
    scope.hints.listen(topic, Hint, ({ hostId, ...beat }) => this.#keep(hostId, beat));
    scope.hints.listen(lostTopic, LostHint, ({ hostId }) => this.#hosts.delete(hostId));
    this.#poller = new Poller({ name: 'beats of hosts', every, pass: () => this.#flush() }, scope).start();
  }

  note(hostId: string, beat: HostBeat): void {
    this.#keep(hostId, beat);
    this.#unwritten.add(hostId);
    const { figures: _, ...seen } = beat;
    this.#hints.send(topic, { hostId, ...seen });
  }

  #keep(hostId: string, beat: HostBeat): void {
    this.#latest.set(hostId, beat);
    this.#hosts.add(hostId);
  }

  /** How often a host beats now, in milliseconds: the more hosts, the less often. */
  get beatEvery(): number {
    return beatEvery(this.#hosts.size);
  }

  /** How long a host may be silent now before it counts as lost, in milliseconds. */
  get maxSilence(): number {
    return maxSilence(this.#hosts.size);
  }

  /** Stops counting a host that is lost, here and in the other registries. */
  lose(hostId: string): void {
    this.#hosts.delete(hostId);
    this.#hints.send(lostTopic, { hostId });
  }

  /** Forgets hosts whose rows are gone. */
  drop(hostIds: readonly string[]): void {
    for (const id of hostIds) {
      this.#latest.delete(id);
      this.#unwritten.delete(id);
      this.#hosts.delete(id);
    }
  }

  /** A host's row with its last beat, saved or not. */
  freshen(host: StoredHost): StoredHost {
    const beat = this.#latest.get(host.id);
    if (beat === undefined || beat.seenAt < host.seenAt) return host;
    const { seenAt, condition, foundTerminals } = beat;
    return { ...host, seenAt, condition, foundTerminals };
  }

  /** Shifts every `seenAt` by this many milliseconds, because the clock was set. */
  shift(by: number): void {
    for (const [hostId, beat] of this.#latest) this.#latest.set(hostId, { ...beat, seenAt: beat.seenAt + by });
  }

  /** Saves the remaining beats and stops. */
  async stop(): Promise<void> {
    await this.#poller.stop();
    await this.#flush();
  }

  /** Saves all beats in one write. If it fails, the next flush includes them. */
  async #flush(): Promise<void> {
    const hostIds = [...this.#unwritten];
    if (hostIds.length === 0) return;
    this.#unwritten.clear();
    try {
      await this.#write(hostIds);
    } catch (error) {
      for (const hostId of hostIds) this.#unwritten.add(hostId);
      throw error;
    }
  }

  async #write(hostIds: readonly string[]): Promise<void> {
    const beats = new Map(
      hostIds.flatMap((id) => {
        const beat = this.#latest.get(id);
        return beat === undefined ? [] : [[id, beat] as const];
      }),
    );
    await this.#store.write(async ({ hosts, deadlines }) => {
      const saved = new Set(await hosts.saveBeats(beats));
      // Silence counts from the beat, not from this write, which may be ten seconds later.
      const dueAt = [...beats].map(([id, { seenAt }]) => [id, seenAt + this.maxSilence] as const);
      await deadlines.setOfAll('host', hostDeadlines.online, new Map(dueAt.filter(([id]) => saved.has(id))));
    });
  }
}
