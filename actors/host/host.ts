import { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { HostMeasures } from '#actors/host/agent/measures.ts';
import type { Observe } from '#actors/host/agent/moment.ts';
import { onceLetIn } from '#actors/host/agent/patience.ts';
import type { Performers } from '#actors/host/agent/performer.ts';
import { isOfAnotherLog, type RegistryClient } from '#actors/host/agent/registry-journal.ts';
import { isAtWork, Roster } from '#actors/host/agent/roster.ts';
import type { Confirmed } from '#actors/host/reading/rule-book.ts';
import { type Look, lastRowsOf } from '#actors/host/reading/sight.ts';
import type { Ringer } from '#actors/host/typing/ringer.ts';
import { runningTerminal } from '#actors/host/typing/terminal-turn.ts';
import { CheckoutWatch } from '#actors/host/watch/checkout-watch.ts';
import { FoundTerminals } from '#actors/host/watch/found-terminals.ts';
import { PaneWatch } from '#actors/host/watch/pane-watch.ts';
import { RollCall } from '#actors/host/watch/roll-call.ts';
import { RestartIntensity } from '#actors/restart-intensity.ts';
import { onBell } from '#bus/bells.ts';
import type { Bus } from '#bus/bus.ts';
import type { Clock } from '#contract/clock.ts';
import type { Failure } from '#contract/failure.ts';
import type { Check } from '#contract/host/check.ts';
import type { Log } from '#contract/process-context.ts';
import type { Tracer } from '#contract/tracer.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { HostCondition } from '#contract/wire/host-condition.ts';
import type { AgentContext } from '#machines/agent/agent-context.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import { ProcessGauge } from '#world/process/process-figures.ts';
import type { Terminals } from '#world/terminal/terminal.ts';

/** How often the host does what nobody tells it to do, in milliseconds. */
const every = { beat: 5_000, count: 2_000, checkouts: 5_000, look: 30_000 } as const;

export interface HostOptions {
  readonly id: string;
  readonly name: string;
  /** Names of the harnesses whose CLI is on the host's PATH, as it is at the moment. */
  readonly found: () => readonly string[];
  /** Names of those that are not built in and that a coding agent is behind. */
  readonly coding?: () => readonly string[];
  /** Hears what people have confirmed that its files launch. */
  readonly hear: (confirmed: Confirmed) => Promise<void>;
  /** How its machine is at the moment. It comes within a second or so, and never fails. */
  readonly condition: () => Promise<HostCondition>;
  readonly look: Look;
  readonly bus: Bus;
  readonly registry: RegistryClient;
  readonly terminals: Terminals;
  readonly performers: Performers;
  /** Tells how much time passes. */
  readonly clock: Timer;
  /** Tells the time as the machine's files have it: `clock` where it is left out. */
  readonly fileClock?: Clock;
  readonly log: Log;
  readonly tracer?: Tracer | undefined;
  readonly observe: Observe;
  readonly ringer: Pick<Ringer, 'hear'>;
  /** Hears that an agent is gone, with all that was known of it. */
  readonly onGone?: (agentId: string) => void;
}

/** One machine's part of muster: an actor for each agent placed on it, and eyes on their panes. */
export class Host {
  readonly #options: HostOptions;
  readonly #actors = new Roster();
  readonly #watches = new Map<string, PaneWatch>();
  readonly #intensity: RestartIntensity;
  readonly #rollCall: RollCall;
  readonly #checkouts: CheckoutWatch;
  readonly #stop = new AbortController();
  readonly #measures = new HostMeasures();
  readonly #gauge = new ProcessGauge();
  readonly #found: FoundTerminals;
  #taking: Promise<void> = Promise.resolve();
  /** How many beats were sent, which of them was answered last, and whether that is heard. */
  #beats: { sent: number; heard: number; hearing: Promise<void> } = { sent: 0, heard: 0, hearing: Promise.resolve() };
  #cursor = '';
  /** Whether what is held comes of a log that the registry no longer has. */
  #isOutdated = false;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#intensity = new RestartIntensity(options.clock, 3, 5 * 60_000);
    this.#checkouts = new CheckoutWatch(options.fileClock ?? options.clock);
    this.#found = new FoundTerminals(options.terminals, options.registry, options.log);
    this.#rollCall = new RollCall({
      ...options,
      actors: this.#actors,
      signal: this.#stop.signal,
      knownWatch: (family) => this.#watches.get(family),
      watchOf: (family) => this.#watchOf(family),
    });
  }

  /** Comes on line, takes up every agent placed here, and watches. Resolves once all of them are taken up. */
  async start(): Promise<void> {
    const { bus, id, log, clock } = this.#options;
    const refused = (err: Failure) => log.error({ err }, 'the registry refuses this host: it is asked again');
    await onceLetIn(clock, this.#stop.signal, () => this.beat(), refused);
    await onceLetIn(clock, this.#stop.signal, () => this.#takeUp(), refused);
    this.#lookForTerminals();
    this.#rollCall.all();
    const bell = onBell(bus, id, () => this.#takeUp().catch((err: unknown) => log.warn({ err }, 'a look failed')));
    // One beat waits in vain for its answer where the connection was cut off: the next one does not wait for that.
    const back = bus.onReconnect(() => this.beatNow());
    this.#stop.signal.addEventListener('abort', () => {
      bell.close();
      back.close();
    });
    this.#repeat(every.beat, () => this.beat());
    this.#repeat(every.look, () => this.#takeUp());
    this.#repeat(every.look, async () => {
      for (const actor of this.#actors.all()) this.#options.ringer.hear(actor);
    });
    this.#repeat(every.count, async () => this.#rollCall.all());
    this.#repeat(every.checkouts, () => this.#readCheckouts());
  }

  /** Lets go of everything: panes live on. */
  async stop(): Promise<void> {
    this.#stop.abort();
    for (const watch of this.#watches.values()) watch.stop();
    await Promise.all([...this.#actors.all()].map((actor) => actor.stop()));
    await this.#options.terminals.detach();
    this.#gauge.stop();
  }

  /** Up to which cursor the registry's log is read. */
  get cursor(): string {
    return this.#cursor;
  }

  /** Lets go of all that is held, and reads it anew: the registry's log is another one than it was. Panes live on. */
  readAnew(): void {
    const { log } = this.#options;
    this.#isOutdated = true;
    // At once, so that none of them goes on deciding until the look has its turn.
    for (const actor of this.#actors.all()) void actor.stop();
    this.#takeUp().catch((err: unknown) => log.warn({ err }, 'a look failed'));
  }

  /** What is found of terminals that no agent of the database has. */
  checkTerminals(): Promise<Check> {
    return this.#found.check();
  }

  /** Tells the registry at once what is there: other harnesses than a moment ago, or the host itself again. */
  beatNow(): void {
    this.beat().catch((err: unknown) => this.#options.log.warn({ err }, 'the registry is told with the next beat'));
  }

  /** The agent's actor; undefined where it is not placed here or rests in the archive. */
  actor(agentId: string): AgentActor | undefined {
    return this.#actors.get(agentId);
  }

  /** For how long an agent's pane has shown a screen, in milliseconds; 0 where it shows another one. */
  unchangedMs(agentId: string, digest: string): number {
    const actor = this.#actors.get(agentId);
    const { paneId } = actor?.context ?? {};
    const watch = actor && this.#watches.get(actor.record.family);
    return watch && paneId !== undefined ? watch.unchangedMs(paneId, digest) : 0;
  }

  /** Tells the registry what is there, and hears what is confirmed. Of beats that overtake each other the newest answer stands. */
  async beat(): Promise<void> {
    const { id, name, found, coding, hear, condition, registry, bus } = this.#options;
    const machine = await condition();
    const actors = [...this.#actors.all()].length;
    const figures = { process: this.#gauge.read(), bus: bus.figures, actors, ...this.#measures.read() };
    const told = () => ({
      hostId: id,
      name,
      harnesses: [...found()],
      codingHarnesses: [...(coding?.() ?? [])],
      condition: machine,
      figures,
      foundTerminals: [...this.#found.families],
    });
    const before = told();
    this.#beats.sent += 1;
    const { sent } = this.#beats;
    const confirmed = await registry.beat(before);
    if (sent > this.#beats.heard) this.#beats = { ...this.#beats, heard: sent, hearing: hear(confirmed) };
    await this.#beats.hearing;
    if (JSON.stringify(told()) !== JSON.stringify(before)) await registry.beat(told());
  }

  /** Reads what moved since the last look, and gives each agent that needs one an actor: one look after the other. */
  #takeUp(): Promise<void> {
    const taking = this.#taking.then(() => this.#takeUpAll());
    this.#taking = taking.catch(() => undefined);
    return taking;
  }

  async #takeUpAll(): Promise<void> {
    const { id, registry } = this.#options;
    for (;;) {
      if (this.#isOutdated) await this.#letGo();
      const told = await registry.changes(id, this.#cursor).catch((error: unknown) => {
        if (!isOfAnotherLog(error) || this.#cursor === '') throw error;
        this.#isOutdated = true;
        return undefined;
      });
      if (told === undefined || this.#isOutdated) continue;
      const { agents, cursor, more } = told;
      for (const record of agents) this.#take(record);
      this.#cursor = cursor;
      // What moves from now on rings the bell: agents that never rest must not keep this from ending.
      if (!more) return;
    }
  }

  /** As a stop and a start would: nothing that was decided on another log is committed to this one. */
  async #letGo(): Promise<void> {
    const { log } = this.#options;
    this.#isOutdated = false;
    this.#cursor = '';
    log.warn(
      { agents: [...this.#actors.all()].length },
      'the database was put back from a copy: all agents are read anew',
    );
    for (const watch of this.#watches.values()) watch.stop();
    this.#watches.clear();
    const actors = [...this.#actors.all()];
    for (const actor of actors) this.#actors.delete(actor);
    await Promise.all(actors.map((actor) => actor.stop()));
    this.#lookForTerminals();
  }

  #lookForTerminals(): void {
    const { log } = this.#options;
    this.#found.look().catch((err: unknown) => log.warn({ err }, 'terminals could not be looked for'));
  }

  #take(record: AgentRecord): void {
    const { registry: journal, performers, clock, log, tracer, observe } = this.#options;
    const known = this.#actors.get(record.id);
    known?.refresh(record);
    // What was abandoned here while nobody could ask runs on: it is told as found.
    if ((record.snapshot.context as AgentContext).abandoned) this.#lookForTerminals();
    if (known || !isAtWork(record)) return;
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
    this.#options.ringer.hear(actor);
  }

  #onRecord(record: AgentRecord): void {
    const actor = this.#actors.get(record.id);
    if (!actor) return;
    if (isAtWork(record)) {
      this.#watch(actor);
      this.#options.ringer.hear(actor);
      return;
    }
    this.#actors.delete(actor);
    if (phaseOf(record.snapshot.value) === 'gone') this.#options.onGone?.(record.id);
    if (this.#actors.of(record.family).size > 0) return;
    this.#watches.get(record.family)?.stop();
    this.#watches.delete(record.family);
  }

  /**
   * Sees to it that the agent's pane is watched once it has one, and looks at it anew: what was seen while its machine was
   * at something else may not have counted. Nothing waits for it: a terminal that does not answer holds up nobody but its
   * own family.
   */
  #watch({ record, context }: AgentActor): void {
    const { paneId } = context;
    if (paneId === undefined) return;
    const { family } = record;
    const { log } = this.#options;
    if (!this.#watches.has(family)) {
      // The count finds the terminal when it is its turn, and looks at each pane that was not seen yet.
      this.#rollCall.of(family);
      return;
    }
    this.#watchOf(family)
      .then((watch) => watch?.glance(paneId))
      .catch((err: unknown) => log.warn({ err, agentId: record.id }, 'a pane is not watched yet'));
  }

  /** The family's watch, on the terminal that it has now; undefined where no terminal runs. */
  async #watchOf(family: string): Promise<PaneWatch | undefined> {
    const { terminals, look, clock, log } = this.#options;
    const terminal = await runningTerminal(terminals, family);
    if (!terminal || this.#stop.signal.aborted) return undefined;
    const known = this.#watches.get(family);
    if (known?.terminal === terminal) return known;
    known?.stop();
    const watch = new PaneWatch({
      family,
      terminal,
      endReason: terminals.endReason,
      actors: this.#actors,
      look,
      clock,
      log,
      suspect: (suspicion) => this.#rollCall.coroner.suspect(suspicion),
      onPanes: () => this.#rollCall.of(family),
    });
    this.#watches.set(family, watch);
    return watch;
  }

  async #readCheckouts(): Promise<void> {
    const { log } = this.#options;
    for (const actor of this.#actors.all()) {
      await this.#checkouts
        .look(actor)
        .catch((err: unknown) => log.warn({ err, agentId: actor.record.id }, 'a checkout could not be read'));
    }
  }

  async #paneTail(agentId: string): Promise<string> {
    const actor = this.#actors.get(agentId);
    const paneId = actor?.context.paneId;
    if (!actor || paneId === undefined) return '';
    const { terminals, look } = this.#options;
    const terminal = await runningTerminal(terminals, actor.record.family);
    const sight = terminal && (await look(terminal, paneId, actor.record.launch.harness));
    return sight ? lastRowsOf(sight.capture, 50) : '';
  }

  #repeat(ms: number, work: () => Promise<void>): void {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    const run = async (): Promise<void> => {
      while (!signal.aborted) {
        await clock.sleep(ms, signal);
        await work().catch((err: unknown) => log.warn({ err }, 'a round of the host failed'));
      }
    };
    run().catch((err: unknown) => {
      if (!signal.aborted) log.error({ err }, 'a round of the host ended');
    });
  }
}
