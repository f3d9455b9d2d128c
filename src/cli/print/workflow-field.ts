/** What people call fields of a workflow, if the contract's own name is long; by the path of the field. */
export const flagNames: Readonly<Record<string, string>> = {
  provisionEnabled: 'worktree',
  environment: 'env',
  'scripts.setup': 'setup',
  'scripts.teardown': 'teardown',
  'scripts.onIdle': 'on-idle',
  'scripts.onWaiting': 'on-waiting',
};
