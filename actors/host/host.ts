import { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { HostMeasures } from '#actors/host/agent/measures.ts';
import { isDatabaseReplaced } from '#actors/host/agent/registry-journal.ts';
import { retryUntilAccepted } from '#actors/host/agent/retry.ts';
import { isAtWork, Roster } from '#actors/host/agent/roster.ts';
import { cliOf, lastRowsOf } from '#actors/host/reading/observation.ts';
import { DiffWatch } from '#actors/host/review/diff-watch.ts';
import { runningTerminal } from '#actors/host/typing/terminal-mutex.ts';
import { CheckoutWatch } from '#actors/host/watch/checkout-watch.ts';
import { FamilyWatches } from '#actors/host/watch/family-watches.ts';
import { FoundTerminals } from '#actors/host/watch/found-terminals.ts';
import { LivenessSweep } from '#actors/host/watch/liveness-sweep.ts';
import type { PaneWatch } from '#actors/host/watch/pane-watch.ts';
import type { CheckedReading } from '#actors/host/watch/self-report-check.ts';
import { RestartIntensity } from '#actors/restart-intensity.ts';
import { onHostHint } from '#bus/hints.ts';
import type { Failure } from '#contract/failure.ts';
import type { Check } from '#contract/host/check.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { Heartbeat } from './heartbeat.ts';
import type { HostOptions } from './host-options.ts';
import { repeatedly } from './repeated.ts';

/** How often the host does its periodic work, in milliseconds. */
const every = { livenessSweep: 2_000, checkouts: 5_000, diffs: 1_000, changes: 30_000, limits: 2_000 } as const;

/** One machine's part of muster: an actor for each agent placed on it, and a watch on their panes. */
export class Host {
  readonly #options: HostOptions;
  readonly #actors = new Roster();
  readonly #watches: FamilyWatches;
  readonly #intensity: RestartIntensity;
  readonly #livenessSweep: LivenessSweep;
  readonly #checkouts: CheckoutWatch;
  readonly #diffs: DiffWatch;
  readonly #stop = new AbortController();
  readonly #measures = new HostMeasures();
  readonly #heartbeat: Heartbeat;
  readonly #found: FoundTerminals;
  #reading: Promise<void> = Promise.resolve();
  #cursor = '';
  /** Whether the host's agents were read from a log that the registry no longer has. */
  #isOutdated = false;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#intensity = new RestartIntensity(options.clock, 3, 5 * 60_000);
    this.#checkouts = new CheckoutWatch(options.fileClock ?? options.clock);
    this.#diffs = new DiffWatch(options.clock, options.log);
    this.#found = new FoundTerminals(options.terminals, options.registry, options.log);
    const [actors, measures] = [this.#actors, this.#measures];
    this.#heartbeat = new Heartbeat(options, { actors, measures, terminals: this.#found });
    const { signal } = this.#stop;
    const exceeded = (agentId: string) => options.limits?.exceeded(agentId);
    this.#watches = new FamilyWatches({ ...options, actors, signal, exceeded, sweep: () => this.#livenessSweep });
    this.#livenessSweep = new LivenessSweep({
      ...options,
      actors: this.#actors,
      signal,
      knownWatch: (family) => this.#watches.known(family),
      watchOf: (family) => this.#watches.of(family),
    });
  }

  /** Connects, starts an actor for every agent placed here, and watches their panes. Resolves once all actors run. */
  async start(): Promise<void> {
    const { bus, id, log, clock } = this.#options;
    const refused = (err: Failure) => log.error({ err }, 'the registry refuses this host: retrying');
    await retryUntilAccepted(clock, this.#stop.signal, () => this.beat(), refused);
    await retryUntilAccepted(clock, this.#stop.signal, () => this.#readChanges(), refused);
    this.#findTerminals();
    this.#livenessSweep.all();
    const bell = onHostHint(bus, id, () => this.#readSoon());
    // After a reconnect, a beat may still wait for an answer that never arrives. Send another one.
    const back = bus.onReconnect(() => this.beatNow());
    this.#stop.signal.addEventListener('abort', () => {
      bell.close();
      back.close();
    });
    this.#repeat(
      () => this.#heartbeat.nextMs,
      () => this.beat(),
    );
    this.#repeat(every.changes, () => this.#readChanges());
    this.#repeat(every.changes, async () => {
      for (const actor of this.#actors.all()) this.#options.doorbellSender.check(actor);
    });
    this.#repeat(every.livenessSweep, async () => this.#livenessSweep.all());
    this.#repeat(every.checkouts, () => this.#readCheckouts());
    const { limits } = this.#options;
    const isActive = (agentId: string) => this.#isActive(agentId);
    this.#repeat(every.limits, async () => limits?.look(isActive));
    this.#repeat(every.limits, async () => limits?.measure(isActive));
    this.#repeat(every.diffs, () => this.#diffs.measureNext(this.#actors.all()));
  }

  /** Stops everything; panes keep running. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#watches.stop();
    await Promise.all([...this.#actors.all()].map((actor) => actor.stop()));
    await this.#options.terminals.detach();
    this.#heartbeat.stop();
  }

  /** The cursor up to which the registry's log is read. */
  get cursor(): string {
    return this.#cursor;
  }

  /** Drops all agents and reads them again, because the registry's log was replaced. Panes keep running. */
  reload(): void {
    this.#isOutdated = true;
    // At once, so that no actor decides anything before the next read.
    for (const actor of this.#actors.all()) void actor.stop();
    void this.#readSoon();
  }

  async #readSoon(): Promise<void> {
    const warn = (err: unknown) => this.#options.log.warn({ err }, 'changes of agents could not be read');
    await this.#readChanges().catch(warn);
  }

  /** Checks for terminals that belong to no agent in the database. */
  readonly checkTerminals = (): Promise<Check> => this.#found.check();

  /** Sends a beat now, because harnesses have changed or the connection is back. */
  beatNow(): void {
    this.beat().catch((err: unknown) => this.#options.log.warn({ err }, 'a beat failed: the next one repeats it'));
  }

  /** The agent's actor; undefined if the agent is not placed here, or is archived. */
  actor(agentId: string): AgentActor | undefined {
    return this.#actors.get(agentId);
  }

  /** How long an agent's pane has shown this screen, in milliseconds; 0 if it shows another one. */
  unchangedMs(agentId: string, digest: string): number {
    const { watch, paneId } = this.#watched(agentId);
    return watch?.unchangedMs(paneId, digest) ?? 0;
  }

  /** How long the same question has been on an agent's screen, in milliseconds; 0 if there is another one, or none. */
  questionMs(agentId: string, screen: string): number {
    const { watch, paneId } = this.#watched(agentId);
    return watch?.questionMs(paneId, screen) ?? 0;
  }

  /** The result of the last observation of an agent's pane; undefined before the first. */
  checkedReading(agentId: string): CheckedReading | undefined {
    const { watch, paneId } = this.#watched(agentId);
    return watch?.checkedReading(paneId);
  }

  #watched(agentId: string): { readonly watch: PaneWatch | undefined; readonly paneId: string } {
    const actor = this.#actors.get(agentId);
    const { paneId } = actor?.context ?? {};
    const watch = actor && paneId !== undefined ? this.#watches.known(actor.record.family) : undefined;
    return { watch, paneId: paneId ?? '' };
  }

  /** Reports the host's state to the registry and receives what is confirmed. */
  async beat(): Promise<void> {
    if (!(await this.#heartbeat.beat())) return;
    // Repeats at once the requests that a registry refuses a silent host, instead of in the next round.
    void this.#readSoon().finally(() => {
      for (const actor of this.#actors.all()) this.#options.doorbellSender.check(actor);
    });
  }

  /**
   * Reads the records that changed since the last read, and gives each agent that needs one an actor. Reads run one
   * after another.
   */
  #readChanges(): Promise<void> {
    const reading = this.#reading.then(() => this.#readAllChanges());
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #readAllChanges(): Promise<void> {
    const { id, registry } = this.#options;
    for (;;) {
      if (this.#isOutdated) await this.#dropActors();
      const changes = await registry.changes(id, this.#cursor).catch((error: unknown) => {
        if (!isDatabaseReplaced(error) || this.#cursor === '') throw error;
        this.#isOutdated = true;
        return undefined;
      });
      if (changes === undefined || this.#isOutdated) continue;
      const { agents, cursor, more, departures } = changes;
      this.#options.departures?.note(departures, (agentId, epoch) => this.#release(agentId, epoch));
      for (const record of agents) this.#take(record);
      this.#cursor = cursor;
      // Later changes send a hint. Agents that change all the time must not keep this loop running.
      if (!more) return;
    }
  }

  /** Drops all actors, as a restart would, so that nothing decided on the old log is committed to the new one. */
  async #dropActors(): Promise<void> {
    const { log } = this.#options;
    this.#isOutdated = false;
    this.#cursor = '';
    log.warn(
      { agents: [...this.#actors.all()].length },
      'the database was restored from a copy: all agents are read again',
    );
    this.#watches.stop();
    const actors = [...this.#actors.all()];
    for (const actor of actors) this.#actors.delete(actor);
    await Promise.all(actors.map((actor) => actor.stop()));
    this.#findTerminals();
  }

  #findTerminals(): void {
    this.#found.check().catch((err: unknown) => this.#options.log.warn({ err }, 'terminals could not be listed'));
  }

  #take(record: AgentRecord): void {
    const { registry: journal, performers, clock, log, tracer, observe } = this.#options;
    const known = this.#actors.get(record.id);
    known?.refresh(record);
    if (isAtWork(record)) this.#options.onRecord?.(record);
    // The terminal of an agent that was abandoned while this host was lost keeps running: report it.
    if (readAgentContext(record.snapshot).abandoned) this.#findTerminals();
    if (known) return;
    if (!isAtWork(record)) {
      this.#forget(record);
      return;
    }
    const actor = new AgentActor({
      record,
      journal,
      performers,
      clock,
      log,
      observe,
      measures: this.#measures,
      tracer,
      intensity: this.#intensity,
      onRecord: (held) => this.#onRecord(held),
      paneTail: () => this.#paneTail(record.id),
    });
    this.#actors.add(actor);
    this.#watch(actor);
    this.#options.doorbellSender.check(actor);
  }

  #onRecord(record: AgentRecord): void {
    const actor = this.#actors.get(record.id);
    if (!actor) return;
    if (record.hostId !== this.#options.id) return void this.#end(actor);
    if (isAtWork(record)) {
      this.#watch(actor);
      this.#options.doorbellSender.check(actor);
      return;
    }
    this.#actors.delete(actor);
    this.#forget(record);
    if (this.#actors.of(record.family).size === 0) this.#watches.end(record.family);
  }

  /** Ends the actor of an agent that has moved to another host with this epoch. */
  async #release(agentId: string, epoch: number): Promise<void> {
    const actor = this.#actors.get(agentId);
    if (actor && actor.record.epoch < epoch) await this.#end(actor);
  }

  #end(actor: AgentActor): Promise<void> {
    const { id, family } = actor.record;
    this.#actors.delete(actor);
    this.#options.onActorRemoved?.(id);
    if (this.#actors.of(family).size === 0) this.#watches.end(family);
    return actor.stop();
  }

  #forget(record: AgentRecord): void {
    this.#options.onActorRemoved?.(record.id);
    if (phaseOf(record.snapshot.value) === 'gone') this.#options.onGone?.(record);
  }

  /**
   * Watches the agent's pane once it has one, and observes it again, because its machine may have ignored earlier
   * readings. Runs in the background, so that a terminal which does not answer delays only its own family.
   */
  #watch({ record, context }: AgentActor): void {
    const { paneId } = context;
    if (paneId === undefined) return;
    const { family } = record;
    const { log } = this.#options;
    if (this.#watches.known(family) === undefined) {
      // The liveness sweep finds the terminal, and observes each pane that was not observed yet.
      this.#livenessSweep.of(family);
      return;
    }
    this.#watches
      .of(family)
      .then((watch) => watch?.glance(paneId))
      .catch((err: unknown) => log.warn({ err, agentId: record.id }, 'a pane could not be observed yet'));
  }

  async #readCheckouts(): Promise<void> {
    const { log } = this.#options;
    for (const actor of this.#actors.all()) {
      await this.#checkouts
        .check(actor)
        .catch((err: unknown) => log.warn({ err, agentId: actor.record.id }, 'a checkout could not be read'));
    }
  }

  /** Whether a program of an agent may run: it has a window, is being launched, or is no agent but a trial. */
  #isActive(agentId: string): boolean {
    const { paneId, state } = this.#actors.get(agentId)?.context ?? { state: 'AGENT_STATE_SETTING_UP' };
    return paneId !== undefined || state === 'AGENT_STATE_SETTING_UP';
  }

  async #paneTail(agentId: string): Promise<string> {
    const actor = this.#actors.get(agentId);
    const paneId = actor?.context.paneId;
    if (!actor || paneId === undefined) return '';
    const { terminals, observePane } = this.#options;
    const terminal = await runningTerminal(terminals, actor.record.family);
    const observation = terminal && (await observePane(terminal, paneId, cliOf(actor.record, actor.context)));
    return observation ? lastRowsOf(observation.recorded, 50) : '';
  }

  #repeat(ms: number | (() => number), work: () => Promise<void>): void {
    repeatedly({ ...this.#options, signal: this.#stop.signal }, ms, work);
  }
}
