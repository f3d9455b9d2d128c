import type { Clock } from '#contract/clock.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { readHostContext } from '#machines/host/host.ts';
import type { StoredHost } from '#store/host/host-entity.ts';

/** How often a newcomer may say something else of itself: so many times within this many milliseconds. */
const [maxChanges, within] = [12, 60_000];
/** How many harnesses a newcomer may say that it has: the others are left out until it is admitted. */
const maxHarnesses = 50;

/**
 * Whether a host came beside others and no person has taken it in: whoever has the hosts' password of the bus can be
 * one.
 */
export function isNewcomer({ snapshot }: Pick<StoredHost, 'snapshot'>): boolean {
  return readHostContext(snapshot).newcomer === true;
}

/** Whether no person has ever taken a host in. */
export function isUnadmitted({ snapshot }: Pick<StoredHost, 'snapshot'>): boolean {
  return readHostContext(snapshot).everTakenIn === false;
}

/** Why no further unadmitted host is accepted; undefined if one more may come. */
export function whyFull(hosts: readonly StoredHost[], max: number): string | undefined {
  const count = hosts.filter(isUnadmitted).length;
  if (count < max) return undefined;
  return `${count} hosts that nobody has admitted exist, of at most ${max}`;
}

/** What a person does when no further unadmitted host is accepted. */
export const howToMakeRoom =
  'admit those of `muster hosts` that are yours (`muster hosts --undrain`), forget the new ones that are lost (`muster hosts ' +
  '--forget-new`), or raise MUSTER_NEW_HOSTS. If they are not yours, change the hosts’ bus password first';

/** What a newcomer says of its harnesses, as far as it counts. */
export function shortened<Said extends { harnesses: string[]; codingHarnesses?: string[] | undefined }>(
  said: Said,
): Said {
  const { harnesses, codingHarnesses = [] } = said;
  return {
    ...said,
    harnesses: harnesses.slice(0, maxHarnesses),
    codingHarnesses: codingHarnesses.slice(0, maxHarnesses),
  };
}

/** Holds hosts that nobody has taken in to what they may do. */
export class Newcomers {
  readonly max: number;
  readonly #clock: Clock;
  /** When each last said something else of itself. */
  readonly #changes = new Map<string, readonly number[]>();

  /** At most `max` of them are heard. */
  constructor(max: number, clock: Clock) {
    this.max = max;
    this.#clock = clock;
  }

  /** Is notified of one more. @throws RESOURCE_EXHAUSTED when there are as many as may be */
  requireRoom(hosts: readonly StoredHost[]): void {
    const why = whyFull(hosts, this.max);
    if (why === undefined) return;
    throw new Failure(
      'HOST_NOT_ADMITTED',
      `This host is new and is refused: ${why}. Have a person do this: ${howToMakeRoom}`,
    );
  }

  /** Called when one says something else of itself. @throws RESOURCE_EXHAUSTED when it does so too often */
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
        'keep to one description, or have a person admit it (`muster hosts --undrain`)',
    );
  }

  /** Forgets hosts whose rows are gone. */
  drop(hostIds: readonly string[]): void {
    for (const id of hostIds) this.#changes.delete(id);
  }
}
