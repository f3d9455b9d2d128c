import { advance, finish, type Journal } from '#actors/loop.ts';
import type { RestartIntensity } from '#actors/restart-intensity.ts';
import { screenMark } from '#contract/fact/reason-parts.ts';
import { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import { type Tracer, traced } from '#contract/tracer.ts';
import type { AgentCommit, AgentRecord, PendingEffect } from '#contract/wire/agent-record.ts';
import { type AgentContext, type AgentEvent, readAgentContext } from '#machines/agent/agent-context.ts';
import { cancelledBy } from '#world/concurrency/cancellation.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import type { HostMeasures } from './measures.ts';
import type { Observe } from './moment.ts';
import type { Performer, Performers } from './performer.ts';
import { refusedMs, retry } from './retry.ts';
import { StepFailure } from './step-failure.ts';

export interface AgentActorOptions {
  readonly record: AgentRecord;
  readonly journal: Journal;
  readonly performers: Performers;
  readonly intensity: RestartIntensity;
  readonly clock: Timer;
  readonly log: Log;
  readonly tracer?: Tracer | undefined;
  readonly observe: Observe;
  readonly measures: HostMeasures;
  /** Called with each new record that the actor holds. */
  readonly onRecord: (record: AgentRecord) => void;
  /** The last lines of the agent's pane, for the reason of a step that timed out. */
  readonly paneTail: () => Promise<string>;
}

/** Effects of one lane are performed one after another. */
type Lane = 'main' | 'background';

interface RunningEffect {
  readonly key: string;
  readonly abort: AbortController;
  readonly end: Promise<void>;
}

interface Message {
  readonly event: AgentEvent | undefined;
  readonly done: readonly string[];
  /** The span that caused it, as W3C's traceparent. */
  readonly trace?: string | undefined;
}

/**
 * One agent's actor on its host. Events are decided and committed one after another; effects that were committed are
 * performed one after another, and their results come back as events. All of its state can be read again from the
 * registry.
 */
export class AgentActor {
  #record: AgentRecord;
  readonly #options: AgentActorOptions;
  readonly #stop = new AbortController();
  readonly #mailbox: Message[] = [];
  #deciding: Promise<void> | undefined;
  /** Whether muster is typing into its pane. Meanwhile, only readings of a question count. */
  isTyping = false;
  /** Keys of effects whose result is reported but not saved yet: they must not be performed again. */
  readonly #performed = new Set<string>();
  /** The effect in progress in each lane. */
  readonly #performing = new Map<Lane, RunningEffect>();

  constructor(options: AgentActorOptions) {
    this.#record = options.record;
    this.#options = options;
    this.#pump();
  }

  get record(): AgentRecord {
    return this.#record;
  }

  get context(): AgentContext {
    return readAgentContext(this.#record.snapshot);
  }

  /** Queues an event; it is decided after the earlier ones. */
  send(event: AgentEvent): void {
    this.#post({ event, done: [] });
  }

  /** Resolves once everything that was sent is decided. */
  async quiet(): Promise<void> {
    while (this.#deciding) await this.#deciding;
  }

  /** Adopts a newer record that another process committed. */
  refresh(record: AgentRecord): void {
    if (record.version <= this.#record.version) return;
    this.#setRecord(record);
  }

  /** Reads the record from the registry, because this host may not have seen the newest commit yet. */
  async reread(): Promise<void> {
    this.refresh(await this.#options.journal.load(this.#record.id));
  }

  /** Stops: cancels effects and decides no further events. Resolves once nothing is in progress. */
  async stop(): Promise<void> {
    this.#stop.abort();
    const performing = [...this.#performing.values()];
    for (const { abort } of performing) abort.abort();
    await Promise.allSettled([this.#deciding, ...performing.map(({ end }) => end)]);
  }

  #post(message: Message): void {
    this.#mailbox.push(message);
    this.#deciding ??= this.#decideAll().finally(() => {
      this.#deciding = undefined;
      if (this.#mailbox.length > 0 && !this.#stop.signal.aborted) this.#post(this.#mailbox.shift() as Message);
    });
  }

  async #decideAll(): Promise<void> {
    for (let message = this.#mailbox.shift(); message; message = this.#mailbox.shift()) {
      if (this.#stop.signal.aborted) return;
      await this.#traced(`decide ${message.event?.type ?? 'done'}`, message.trace, () => this.#decide(message));
    }
  }

  /** Decides one event. It retries until the registry answers, and acts on nothing before that. */
  async #decide({ event, done }: Message): Promise<void> {
    const { log, clock } = this.#options;
    const journal = this.#watched(event?.type ?? 'done');
    try {
      const record = await retry(clock, this.#stop.signal, async () =>
        event ? (await advance(journal, this.#record, event, done)).record : await finish(journal, this.#record, done),
      );
      this.#setRecord(record);
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      log.error({ err: error, agentId: this.#record.id, event: event?.type }, 'could not decide an event');
      for (const key of done) this.#performed.delete(key);
      void this.#retryLater();
    }
  }

  /**
   * Retries after a refused event, with a pause: an effect whose result was refused is performed again and adopts what
   * exists, and the pane is captured again.
   */
  async #retryLater(): Promise<void> {
    const { clock, onRecord } = this.#options;
    const isStopped = await clock.sleep(refusedMs, this.#stop.signal).then(
      () => false,
      () => true,
    );
    if (isStopped) return;
    onRecord(this.#record);
    this.#pump();
  }

  #watched(about: string): Journal {
    const { journal, observe, measures } = this.#options;
    const agentId = this.#record.id;
    return {
      load: (id) => journal.load(id),
      commit: async (change: AgentCommit) => {
        observe({ name: 'before-commit', agentId, about });
        const record = await measures.commit(() => journal.commit(change));
        observe({ name: 'after-commit', agentId, about });
        return record;
      },
    };
  }

  #setRecord(record: AgentRecord): void {
    this.#record = record;
    for (const key of this.#performed)
      if (!record.effects.some((effect) => effect.key === key)) this.#performed.delete(key);
    this.#options.onRecord(record);
    this.#pump();
  }

  /** Performs the first pending effect of each lane, unless one that is still requested is in progress there. */
  #pump(): void {
    this.#pumpLane('main');
    this.#pumpLane('background');
  }

  #pumpLane(lane: Lane): void {
    const running = this.#performing.get(lane);
    if (running) {
      if (!this.#record.effects.some(({ key }) => key === running.key)) running.abort.abort();
      return;
    }
    const effect = this.#record.effects.find(({ kind }) => this.#laneOf(kind) === lane);
    if (!effect || this.#performed.has(effect.key) || this.#stop.signal.aborted) return;
    const abort = new AbortController();
    const end = this.#perform(effect, abort.signal).finally(() => {
      this.#performing.delete(lane);
      this.#pump();
    });
    this.#performing.set(lane, { key: effect.key, abort, end });
  }

  /** Runs work as a span of the trace that caused it, if there is one. */
  #traced<T>(name: string, parent: string | undefined, work: () => Promise<T>): Promise<T> {
    const attributes = { 'muster.agent': this.#record.id };
    if (parent === undefined) return work();
    return traced(this.#options.tracer, { name, kind: 'internal', parent, attributes }, work);
  }

  #laneOf(kind: string): Lane {
    return this.#options.performers[kind]?.inBackground ? 'background' : 'main';
  }

  async #perform(effect: PendingEffect, signal: AbortSignal): Promise<void> {
    const { observe, performers, log, measures } = this.#options;
    const agentId = this.#record.id;
    const performer = performers[effect.kind];
    if (!performer) {
      // This host is older than the registry: the effect waits for a host that supports it.
      log.error({ agentId, effect: effect.kind }, 'this host does not know the effect: update muster on it');
      this.#performed.add(effect.key);
      return;
    }
    observe({ name: 'before-effect', agentId, about: effect.kind });
    const event = await this.#traced(`effect ${effect.kind}`, effect.trace, () =>
      measures.effect(effect.kind, () => this.#outcome(performer, effect, signal)),
    );
    if (signal.aborted || this.#stop.signal.aborted) return;
    observe({ name: 'after-effect', agentId, about: effect.kind });
    this.#performed.add(effect.key);
    this.#post({ event, done: [effect.key], trace: effect.trace });
  }

  /** The event that reports an effect's result. An unexpected error is retried within the restart intensity. */
  async #outcome(performer: Performer, effect: PendingEffect, signal: AbortSignal): Promise<AgentEvent | undefined> {
    const { clock, log } = this.#options;
    const { step } = performer;
    const agentId = this.#record.id;
    for (;;) {
      try {
        return await retry(clock, signal, () =>
          cancelledBy(signal, () =>
            performer.perform({ record: this.#record, effect, latest: () => this.#record, signal }),
          ),
        );
      } catch (error) {
        if (signal.aborted) return undefined;
        const reason = error instanceof Error ? error.message : String(error);
        if (error instanceof Failure && error.code !== 'internal') {
          log.warn({ agentId, effect: effect.kind, reason }, 'a step failed');
          const account = error instanceof StepFailure ? { account: error.account } : {};
          return step && { type: 'STEP_FAILED', step, reason, ...account };
        }
        log.error({ err: error, agentId, effect: effect.kind }, 'an effect failed and is retried');
        if (!(await this.#mayTryAgain(effect))) {
          const tail = await this.#options.paneTail().catch(() => '');
          return step && { type: 'STEP_FAILED', step, reason: gaveUp(reason, tail) };
        }
      }
    }
  }

  async #mayTryAgain(effect: PendingEffect): Promise<boolean> {
    const { intensity, observe } = this.#options;
    const moment = { agentId: this.#record.id, about: effect.kind };
    observe({ name: 'actor-failed', ...moment });
    if (intensity.allows(this.#record.id)) return true;
    observe({ name: 'actor-gave-up', ...moment });
    return false;
  }
}

function gaveUp(reason: string, tail: string): string {
  return `given up after repeated failures: ${reason}${tail && `${screenMark}\n${tail}`}`;
}
