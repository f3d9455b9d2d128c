import type { Sessions } from '#actors/registry/access/sessions.ts';
import type { PassingFacts } from '#actors/registry/fact/passing-facts.ts';
import type { ForgeDesk } from '#actors/registry/forge/forges.ts';
import type { HostReports } from '#actors/registry/host/host-reports.ts';
import type { Newcomers } from '#actors/registry/host/newcomers.ts';
import type { Permits } from '#actors/registry/host/permits.ts';
import type { Pulses } from '#actors/registry/host/pulses.ts';
import type { Rivals } from '#actors/registry/host/rivals.ts';
import type { LaunchQuota } from '#actors/registry/launch/quota.ts';
import type { Courier } from '#actors/registry/notify/courier.ts';
import type { Bus } from '#bus/bus.ts';
import type { HostLines } from '#bus/host-lines.ts';
import type { AgentRole } from '#contract/agent.ts';
import type { Check } from '#contract/check.ts';
import type { Clock, Ids } from '#contract/clock.ts';
import type { Histogram } from '#contract/histogram.ts';
import type { Log } from '#contract/process-context.ts';
import type { RegistryHolder } from '#contract/wire/registry-lease.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import type { Store } from '#store/store.ts';
import type { LogLine } from './log-line.ts';
import type { Waiters } from './waiters.ts';

/** Which facts are kept: those of so many days, and the newest so many however old. */
export interface FactsKept {
  readonly days: number;
  readonly count: number;
}

/** What one agent may send. */
export interface MailLimits {
  /** Mails a minute. */
  readonly perMinute: number;
  /** How many mails may have set off one another before a mail. */
  readonly hops: number;
}

/** What the registry's handlers work with. */
export interface RegistryScope {
  readonly store: Store;
  readonly bus: Bus;
  /** What hosts are asked by, and known by. */
  readonly lines: HostLines;
  /** Who this registry is to hosts, gateways and other registries. */
  readonly holder: RegistryHolder;
  readonly clock: Clock;
  /** Lets hosts do what they are asked to, while whoever has asked for it waits. */
  readonly permits: Pick<Permits, 'open'>;
  readonly ids: Ids;
  /** Tells the places of this log from those of others. */
  readonly logLine: LogLine;
  readonly log: Log;
  /** Puts another operator's token in place of the one that there is, which it gives. */
  readonly replaceOperatorToken: (token: string) => string;
  /** Those that every host of this version knows. What else a host knows, it tells. */
  readonly harnesses: Harnesses;
  /** How many agents may exist that are not archived. */
  readonly ceiling: number;
  readonly launchQuota: LaunchQuota;
  readonly factsKept: FactsKept;
  readonly mailLimits: MailLimits;
  /** Signs browsers in. */
  readonly sessions: Sessions;
  /** Agents that wait for their doorbell. */
  readonly waiters: Waiters;
  /** What is told only to those who watch. */
  readonly passing: PassingFacts;
  /** The half of the review briefing that a role is sent; empty where it has none. */
  readonly halfOf: (role: AgentRole) => Promise<string>;
  /** Measures where worktrees stand against their rounds. */
  readonly standings: {
    measure(agentId: string): void;
    /** Measures an agent whose base has moved; answers whether it has a round. */
    remeasure(agentId: string): Promise<boolean>;
    measureAll(hostId: string): void;
  };
  /** Sends notices to people. */
  readonly courier: Courier;
  /** Looks at what the registry needs on its machine. */
  readonly examine: () => Promise<Check[]>;
  /** Reads the database and writes to it. @throws Failure where it cannot be written. */
  readonly ready: () => Promise<unknown>;
  /** What hosts told since it was written down. */
  readonly pulses: Pulses;
  /** Who comes with the id and key of a host that another machine is. */
  readonly rivals: Rivals;
  /** Holds hosts that nobody has taken in to what they may do. */
  readonly newcomers: Newcomers;
  /** What hosts counted. */
  readonly reports: HostReports;
  /** How late firings were taken up, in seconds. */
  readonly lateness: Histogram;
  /** The forges that people have connected. */
  readonly forges: ForgeDesk;
  /** The folder that the first workflow is made for. */
  readonly startedIn: string;
}
