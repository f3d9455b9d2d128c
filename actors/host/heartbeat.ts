import type { HostMeasures } from '#actors/host/agent/measures.ts';
import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import type { Roster } from '#actors/host/agent/roster.ts';
import type { ConfirmedDigests } from '#actors/host/reading/harness-catalogue.ts';
import type { FoundTerminals } from '#actors/host/watch/found-terminals.ts';
import type { Bus } from '#bus/bus.ts';
import type { HostCondition } from '#contract/wire/host-condition.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import { ProcessGauge } from '#world/process/process-figures.ts';

/** After this many beats without an accepted one, the registry may count this host as silent. */
const missedBeats = 2;

export interface HeartbeatOptions {
  /** Measures elapsed time. */
  readonly clock: Pick<Timer, 'now'>;
  readonly id: string;
  readonly name: string;
  /** Names of the harnesses whose CLI is now on the host's PATH. */
  readonly found: () => readonly string[];
  /** Names of the coding agents that are not built in. */
  readonly coding?: () => readonly string[];
  /** Receives the launches that people have confirmed for this host. */
  readonly onConfirmed: (confirmed: ConfirmedDigests) => Promise<void>;
  /** Measures the machine. Takes about a second at most, and never fails. */
  readonly condition: () => Promise<HostCondition>;
  readonly bus: Bus;
  readonly registry: Pick<RegistryClient, 'beat'>;
}

/** Additional content of a host's beats. */
interface Findings {
  readonly actors: Roster;
  readonly measures: HostMeasures;
  readonly terminals: FoundTerminals;
}

/** The default pause between beats, in milliseconds. */
const defaultEveryMs = 5_000;

/** The beats of a host: its identity, its machine's condition, and its findings. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #findings: Findings;
  readonly #gauge = new ProcessGauge();
  /** How many beats were sent, the newest that was answered, and the processing of its answer. */
  #beats: { sent: number; answered: number; applying: Promise<void> } = {
    sent: 0,
    answered: 0,
    applying: Promise.resolve(),
  };

  #nextMs = defaultEveryMs;
  /** When the registry last accepted a beat; infinite before the first. */
  #acceptedAt = Number.POSITIVE_INFINITY;

  constructor(options: HeartbeatOptions, findings: Findings) {
    this.#options = options;
    this.#findings = findings;
  }

  /**
   * Sends a beat to the registry and processes its answer. If answers arrive out of order, older ones are ignored.
   * Returns whether it is the first accepted one after a while, in which the registry may have counted this host as
   * silent.
   */
  async beat(): Promise<boolean> {
    const { id, name, found, coding, onConfirmed, condition, registry, bus, clock } = this.#options;
    const { actors, measures, terminals } = this.#findings;
    const machine = await condition();
    const count = [...actors.all()].length;
    const figures = { process: this.#gauge.read(), bus: bus.figures, actors: count, ...measures.read() };
    const report = () => ({
      hostId: id,
      name,
      harnesses: [...found()],
      codingHarnesses: [...(coding?.() ?? [])],
      condition: machine,
      figures,
      foundTerminals: [...terminals.families],
    });
    const before = report();
    this.#beats.sent += 1;
    const { sent } = this.#beats;
    const { confirmed, nextMs = defaultEveryMs } = await registry.beat(before);
    const acceptedAt = clock.now();
    const wasAway = acceptedAt - this.#acceptedAt > missedBeats * this.#nextMs;
    this.#acceptedAt = acceptedAt;
    if (sent > this.#beats.answered) {
      this.#beats = { ...this.#beats, answered: sent, applying: onConfirmed(confirmed) };
      this.#nextMs = nextMs;
    }
    await this.#beats.applying;
    if (JSON.stringify(report()) !== JSON.stringify(before)) await registry.beat(report());
    return wasAway;
  }

  /** The pause until the next beat that the registry requests, in milliseconds. */
  get nextMs(): number {
    return this.#nextMs;
  }

  stop(): void {
    this.#gauge.stop();
  }
}
