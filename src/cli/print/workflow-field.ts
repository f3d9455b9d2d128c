/** Shorter names for the flags of a workflow's fields, by the path of the field. */
export const flagNames: Readonly<Record<string, string>> = {
  provisionEnabled: 'worktree',
  environment: 'env',
  'grants.network': 'network',
  'grants.image': 'image',
  'grants.hosts': 'allow-host',
  'grants.loopbackPorts': 'allow-port',
  'grants.readable': 'readable',
  'grants.writable': 'writable',
  profileId: 'profile',
  'archivePolicy.buildFolders': 'build-folder',
  'archivePolicy.buildFoldersAfterDays': 'clean-folders-after',
  'archivePolicy.worktreesAfterDays': 'clean-worktrees-after',
  'scripts.setup': 'setup',
  'scripts.teardown': 'teardown',
  'scripts.onIdle': 'on-idle',
  'scripts.onWaiting': 'on-waiting',
};
