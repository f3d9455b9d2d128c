import type { Clock } from '#contract/clock.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { readHostContext } from '#machines/host/host.ts';
import type { StoredHost } from '#store/host/host-entity.ts';

/** Limits changes of a new host's description: at most `maxChanges` within `within` milliseconds. */
const [maxChanges, within] = [12, 60_000];
/** How many harnesses of a new host are listed until it is admitted. */
const maxHarnesses = 50;

/**
 * Whether a host joined an installation that had other hosts, and is not admitted. Anyone with a host's credential for
 * the bus can join as one.
 */
export function isNewHost({ snapshot }: Pick<StoredHost, 'snapshot'>): boolean {
  return readHostContext(snapshot).newcomer === true;
}

/** Whether no person has ever admitted a host. */
export function isUnadmitted({ snapshot }: Pick<StoredHost, 'snapshot'>): boolean {
  return readHostContext(snapshot).everTakenIn === false;
}

/** Why no further new host is accepted; undefined if one may join. */
export function whyNoRoom(hosts: readonly StoredHost[], max: number): string | undefined {
  const count = hosts.filter(isUnadmitted).length;
  if (count < max) return undefined;
  return `${count} unadmitted hosts exist, of at most ${max}`;
}

/** What to do when no further new host is accepted. */
export const howToMakeRoom =
  'admit those of `muster hosts` that are yours (`muster host uncordon`), forget the new ones that are lost (`muster hosts ' +
  '--forget-new`), or raise MUSTER_NEW_HOSTS. If they are not yours, make new keys of the bus first (`muster bus-keys`)';

/** The beat of a new host, with at most `maxHarnesses` of its harnesses. */
export function limitHarnesses<Described extends { harnesses: string[]; codingHarnesses?: string[] | undefined }>(
  described: Described,
): Described {
  const { harnesses, codingHarnesses = [] } = described;
  return {
    ...described,
    harnesses: harnesses.slice(0, maxHarnesses),
    codingHarnesses: codingHarnesses.slice(0, maxHarnesses),
  };
}

/** Limits how many new hosts may join, and how often each may change. */
export class NewHosts {
  readonly max: number;
  readonly #clock: Clock;
  /** When each host last changed its description, in milliseconds since 1970. */
  readonly #changes = new Map<string, readonly number[]>();

  /** At most `max` unadmitted hosts may exist. */
  constructor(max: number, clock: Clock) {
    this.max = max;
    this.#clock = clock;
  }

  /** Called before a new host joins. @throws RESOURCE_EXHAUSTED when `max` unadmitted hosts exist */
  requireRoom(hosts: readonly StoredHost[]): void {
    const why = whyNoRoom(hosts, this.max);
    if (why === undefined) return;
    throw new Failure('HOST_NOT_ADMITTED', `This host is new and is refused: ${why}. A person can ${howToMakeRoom}`);
  }

  /** Called when a new host's description has changed. @throws RESOURCE_EXHAUSTED when that happens too often */
  noteChange({ id, name }: StoredHost): void {
    const now = this.#clock.now();
    const recent = (this.#changes.get(id) ?? []).filter((at) => now - at < within);
    if (recent.length < maxChanges) {
      this.#changes.set(id, [...recent, now]);
      return;
    }
    throw new Failure(
      'HOST_NOT_ADMITTED',
      `Host ${quoted(name)} (${id}) is new and has described itself differently ${maxChanges} times within ${within / 1_000} s: ` +
        'keep to one description, or have a person admit it (`muster host uncordon`)',
    );
  }

  /** Forgets hosts whose rows are gone. */
  drop(hostIds: readonly string[]): void {
    for (const id of hostIds) this.#changes.delete(id);
  }
}
