import { z } from 'zod';
import { enumeration, message } from './message.ts';

/** When a repository's pull requests are read: at the next moment, now, later, once the forge wants it again, or not at all. */
export const RepositoryState = enumeration('forge.v1.RepositoryState', [
  'REPOSITORY_STATE_UNSPECIFIED',
  'REPOSITORY_STATE_DUE',
  'REPOSITORY_STATE_SWEEPING',
  'REPOSITORY_STATE_RESTING',
  'REPOSITORY_STATE_BACKING_OFF',
  'REPOSITORY_STATE_DORMANT',
]);
export type RepositoryState = z.infer<typeof RepositoryState>;

/** A repository whose pull requests are stored, and how far they have been read. Timestamps are RFC 3339 in UTC. */
export const RepositoryReading = message('forge.v1.RepositoryReading', {
  /** Its web address, as its forge has it once it was read. */
  url: [1, z.string()],
  state: [2, RepositoryState],
  /** When it was last read to the end. Unset before it ever was. */
  sweptAt: [3, z.string()],
  /** When it is read next, at the earliest. */
  nextAt: [4, z.string()],
  /** Why it could not be read the last time. */
  failure: [5, z.string()],
  /** What the connection's credential may not see. */
  warning: [6, z.string()],
});
export type RepositoryReading = z.infer<typeof RepositoryReading>;
