import { z } from 'zod';
import { enumeration, message, required, text } from '#contract/message.ts';

/** When a repository's pull requests are read: next, now, later, once the forge allows it again, or not at all. */
export const RepositoryState = enumeration('forge.v1.RepositoryState', {
  REPOSITORY_STATE_UNSPECIFIED: 'No state; never sent.',
  REPOSITORY_STATE_DUE: 'It is read at the next opportunity.',
  REPOSITORY_STATE_SWEEPING: 'It is being read now.',
  REPOSITORY_STATE_RESTING: 'It was read, and is read again at `nextAt`.',
  REPOSITORY_STATE_BACKING_OFF: 'The forge refused or failed; it is tried again at `nextAt`.',
  REPOSITORY_STATE_DORMANT: 'Nobody needs it, so it is not read.',
});
export type RepositoryState = z.infer<typeof RepositoryState>;

/** A repository whose pull requests are stored, and how far they have been read. Timestamps are RFC 3339 in UTC. */
export const RepositoryReading = message('forge.v1.RepositoryReading', {
  url: [1, z.string(), 'Web address of the repository, as its forge spells it once it was read.'],
  state: [2, RepositoryState, 'When it is read.'],
  sweptAt: [3, z.string(), 'When it was last read to the end: RFC 3339, UTC. Unset before the first time.'],
  nextAt: [4, z.string(), 'When it is read next at the earliest: RFC 3339, UTC.'],
  failure: [5, z.string(), 'Why it could not be read last time. Empty if it could.'],
  warning: [
    6,
    z.string(),
    'What the credential of its connection is not allowed to read. Empty if nothing is missing.',
  ],
});
export type RepositoryReading = z.infer<typeof RepositoryReading>;

/** The field that names a repository. */
export const remoteUrl = [
  required(text(2_048).min(1)),
  'The repository as Git spells a remote: git@host:owner/name or https://host/owner/name.',
] as const;
