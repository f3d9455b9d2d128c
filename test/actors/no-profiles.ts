import type { HostProfiles } from '#actors/host/secret/host-profiles.ts';
import { KnownSecrets } from '#actors/host/secret/known-secrets.ts';
import { Redactor } from '#actors/host/secret/redactor.ts';

/** The profiles of a host whose agents have none. */
export const noProfiles: Pick<HostProfiles, 'read' | 'forScript' | 'folderOf' | 'given' | 'forget'> = {
  read: async () => ({ environment: {}, secrets: {} }),
  forScript: async () => ({ environment: {}, secrets: {} }),
  given: async () => ({ environment: {}, secrets: {} }),
  forget: () => undefined,
  folderOf: async () => undefined,
};

/** Hides nothing but what looks like a secret. */
export const noSecrets = new Redactor(new KnownSecrets());

/** The ports of a host without worktrees. */
export const noPorts = { variables: async () => ({}), checked: async () => ({}) };
