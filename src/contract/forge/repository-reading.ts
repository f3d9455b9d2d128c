import { z } from 'zod';
import { enumeration, message, required, text } from '#contract/message.ts';

/** Whether and when a repository's pull requests are read. */
export const RepositoryState = enumeration('forge.v1.RepositoryState', {
  REPOSITORY_STATE_UNSPECIFIED: 'No state; never sent.',
  REPOSITORY_STATE_DUE: 'It is read at the next opportunity.',
  REPOSITORY_STATE_SWEEPING: 'It is being read now.',
  REPOSITORY_STATE_RESTING: 'It was read, and will be read again at `nextAt`.',
  REPOSITORY_STATE_BACKING_OFF: 'The forge refused or failed. The next attempt is at `nextAt`.',
  REPOSITORY_STATE_DORMANT: 'No agent needs it, so it is not read.',
});
export type RepositoryState = z.infer<typeof RepositoryState>;

/** A repository whose pull requests are stored, and the state of reading them. Timestamps are RFC 3339 in UTC. */
export const RepositoryReading = message('forge.v1.RepositoryReading', {
  url: [1, z.string(), 'The web address of the repository: as its forge spells it, once it has been read.'],
  state: [2, RepositoryState, 'Whether and when it is read.'],
  sweptAt: [3, z.string(), 'When it was last read completely: RFC 3339, UTC. Unset before the first time.'],
  nextAt: [4, z.string(), 'The earliest time of the next read: RFC 3339, UTC.'],
  failure: [5, z.string(), 'Why the last read failed. Empty if it succeeded.'],
  warning: [6, z.string(), 'What the credential of its connection may not read. Empty if it may read everything.'],
});
export type RepositoryReading = z.infer<typeof RepositoryReading>;

/** The field that names a repository. */
export const remoteUrl = [
  required(text(2_048).min(1)),
  'The repository as a Git remote: git@host:owner/name or https://host/owner/name.',
] as const;
