import type { Observe } from '#actors/host/agent/moment.ts';
import type { Performers } from '#actors/host/agent/performer.ts';
import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import type { AgentLimits } from '#actors/host/isolation/agent-limits.ts';
import type { Departures } from '#actors/host/move/departures.ts';
import type { ObservePane } from '#actors/host/reading/observation.ts';
import type { DoorbellSender } from '#actors/host/typing/doorbell-sender.ts';
import type { Clock } from '#contract/clock.ts';
import type { Log } from '#contract/process-context.ts';
import type { Tracer } from '#contract/tracer.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import type { Terminals } from '#world/terminal/terminal.ts';
import type { HeartbeatOptions } from './heartbeat.ts';

/** The dependencies and options of a host. */
export interface HostOptions extends HeartbeatOptions {
  readonly observePane: ObservePane;
  readonly registry: RegistryClient;
  readonly terminals: Terminals;
  readonly performers: Performers;
  readonly clock: Timer;
  /** Identifies this boot of the computer; undefined if the system has no id for it. */
  readonly boot?: string | undefined;
  /** The clock of the machine's file timestamps. Default: `clock`. */
  readonly fileClock?: Clock;
  readonly log: Log;
  readonly tracer?: Tracer | undefined;
  readonly observe: Observe;
  readonly doorbellSender: Pick<DoorbellSender, 'check'>;
  /** Ends agents that use more than they may. */
  readonly limits?: Pick<AgentLimits, 'look' | 'measure' | 'exceeded'>;
  /** Cleans up after agents that moved to other hosts. */
  readonly departures?: Pick<Departures, 'note'>;
  /** Called with each new record of an agent that has something to do. */
  readonly onRecord?: (record: AgentRecord) => void;
  /** Called when an agent no longer has an actor here, because it is archived or deleted. */
  readonly onActorRemoved?: (agentId: string) => void;
  /** Called with the last record of an agent that is deleted. */
  readonly onGone?: (record: AgentRecord) => unknown;
}
