import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { Check } from '#contract/host/check.ts';
import type { RegistryHolder } from '#contract/wire/registry-lease.ts';
import type { Tables } from '#store/store.ts';
import type { Newcomers } from './newcomers.ts';
import type { Permits } from './permits.ts';
import type { Pulses } from './pulses.ts';
import type { Rivals } from './rivals.ts';

/** What hosts are asked to do something with. */
export interface AskingScope extends KernelScope {
  /** Lets hosts do what they are asked to, while whoever has asked for it waits. */
  readonly permits: Pick<Permits, 'open'>;
}

/** What is known of hosts beside their rows. */
export interface HostScope extends AskingScope {
  /** Who this registry is to hosts, gateways and other registries. */
  readonly holder: RegistryHolder;
  /** What hosts reported since the last write. */
  readonly pulses: Pulses;
  /** Who comes with the id and key of a host that another machine is. */
  readonly rivals: Rivals;
  /** Holds hosts that nobody has taken in to what they may do. */
  readonly newcomers: Newcomers;
  /** Looks at what the registry needs on its machine. */
  readonly examine: () => Promise<Check[]>;
  /** Reads the database and writes to it. @throws Failure when it cannot be written. */
  readonly ready: () => Promise<unknown>;
  /** Is called with the harnesses of a host that comes, in the write that notes it. */
  readonly welcome: (tables: Tables, harnesses: readonly string[]) => Promise<void>;
  /** Has the worktrees of a host measured against their rounds. */
  readonly standings: { measureAll(hostId: string): void };
}
