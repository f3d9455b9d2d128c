import { harnessNames } from './built-in.ts';

/** What people call fields of a workflow, where the contract's own name is long; by the path of the field. */
export const flagNames: Readonly<Record<string, string>> = {
  provisionEnabled: 'worktree',
  environment: 'env',
  'scripts.setup': 'setup',
  'scripts.teardown': 'teardown',
  'scripts.onIdle': 'on-idle',
  'scripts.onWaiting': 'on-waiting',
};

/** What each field of a workflow is for; by the path of the field. */
export const meanings: Readonly<Record<string, string>> = {
  name: 'what it is called',
  cwd: 'the directory that agents run in, or whose repository their worktrees are made from',
  flags: 'what their CLI is started with',
  harness: `which CLI they run: ${harnessNames.join(', ')}, or one of your own (muster hosts lists those found)`,
  context: 'what each agent reads before its prompt',
  provisionEnabled: 'a worktree and a branch for each agent; unset: where the directory is in a git repository',
  role: 'what agents are launched to do',
  baseBranch: 'the branch that worktrees start from; unset: the repository’s default branch',
  host: 'the host that agents are placed on; unset: muster chooses',
  scripts: 'all four scripts at once',
  'scripts.setup': 'a shell script that runs in each new worktree before the CLI starts',
  'scripts.teardown': 'a shell script that runs in a worktree before it is removed',
  'scripts.onIdle': 'a shell script that runs in an agent’s directory whenever it comes to rest',
  'scripts.onWaiting': 'a shell script that runs in an agent’s directory whenever it begins to wait for you',
  copyFiles: 'files that are copied into each new worktree, such as .env: a glob within the repository',
  notify: 'notifications about agents, all at once',
  'notify.webhook': 'an address to notify when one of its agents begins to wait, fails or finishes',
  'notify.command': 'a shell command that is run then, where the registry runs',
  'notify.on': 'of what: waiting, failed, finished; unset: all three',
  mailOnPullRequest: 'what is to be mended on its pull request that an agent is mailed; unset: nothing',
  agentsMayLaunch: 'what its agents may launch, prompt and retry beyond what they are themselves, all at once',
  'agentsMayLaunch.harnesses': 'a harness that they may launch beside their own; shell lets them run any command',
  'agentsMayLaunch.hosts': 'a host that they may launch on beside their own, by id or name',
  'agentsMayLaunch.flags': 'flags that they may launch with beside their own: all the flags of one launch',
  'agentsMayLaunch.directories':
    'a directory, with all below it, that they may launch into beside their own and the workflow’s',
  'agentsMayLaunch.workflowIds': 'the id of a workflow that they may launch into beside their own',
  preApprovedTools:
    'a tool that their CLI calls without asking you, such as create_agent or prompt_agent; unset: it asks',
  environment:
    'a variable that its agents and scripts are given: NAME passes on their host’s own, NAME=value is stored in the database',
  clear: 'a field to empty',
};
