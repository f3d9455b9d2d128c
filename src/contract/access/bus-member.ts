/** The kinds of process that join the bus. */
export const busUsers = ['gateway', 'registry', 'host', 'start'] as const;
export type BusUser = (typeof busUsers)[number];

/** A process on the bus: what kind it is, and which host. Its certificate shows it. */
export interface BusMember {
  readonly kind: BusUser;
  /** The host's id. Unset for other kinds. */
  readonly hostId?: string | undefined;
}
