import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { PeerHints } from '#actors/registry/peer/peer-hints.ts';
import type { Peers } from '#actors/registry/peer/peers.ts';
import type { Check } from '#contract/host/check.ts';
import type { OwnVersion } from '#contract/host/host-checks.ts';
import type { RegistryHolder } from '#contract/wire/registry-lease.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { BeatBuffer } from './beat/beat-buffer.ts';
import type { Rivals } from './beat/rivals.ts';
import type { UnresponsiveHosts } from './beat/unresponsive-hosts.ts';
import type { NewHosts } from './new-hosts.ts';
import type { Permits } from './permits.ts';
import type { HostDefaults } from './settings/host-limits.ts';

/** The dependencies of calls that need a permit. */
export interface PermitScope extends KernelScope {
  /** Permits hosts to act for as long as the caller waits. */
  readonly permits: Pick<Permits, 'open'>;
}

/** The dependencies of the host module. */
export interface HostScope extends PermitScope {
  /** This registry's identity to hosts, gateways and other registries. */
  readonly holder: RegistryHolder;
  /** The registries that share the database. */
  readonly peers: Pick<Peers, 'others' | 'isShared'>;
  /** Hints to and from them. */
  readonly hints: PeerHints;
  /** Beats that are not saved yet. */
  readonly beatBuffer: BeatBuffer;
  /** The version that this registry runs and speaks. */
  readonly own: OwnVersion;
  /** The defaults for hosts without settings of their own. */
  readonly hostDefaults: HostDefaults;
  /** Second machines that use the id and key of a host. */
  readonly rivals: Rivals;
  /** Hosts whose beats arrive but that do not answer. */
  readonly unresponsiveHosts: UnresponsiveHosts;
  /** Limits what new hosts may do. */
  readonly newHosts: NewHosts;
  /** Checks what the registry needs on its machine. */
  readonly examine: () => Promise<Check[]>;
  /** Checks that the database can be read and written. @throws Failure when it cannot */
  readonly probeDatabase: () => Promise<unknown>;
  /** Called with an admitted host after each of its beats, before it is answered. */
  readonly onBeat: (host: StoredHost) => Promise<void>;
  /** Compares the worktrees on a host with their review rounds. */
  readonly reviewStatuses: { measureAll(hostId: string): void };
}
