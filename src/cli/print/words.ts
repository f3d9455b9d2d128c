import { commandOperations } from '#cli/client/command-operation.ts';
import { isPhase, phaseWord } from '#contract/agent/phase-word.ts';
import { enumWord } from '#contract/fact/enum-word.ts';

/** An enumeration value as a word, such as `WAITING` or `reviewer`; any other text unchanged. */
export function shortName(value: string): string {
  return enumWord(value) ?? value;
}

/** The command of each operation that has one, by its method and by its MCP tool. */
const commandNames = Object.fromEntries(
  Object.entries(commandOperations)
    .filter(([words]) => !words.includes('--'))
    .flatMap(([words, path]) => {
      const method = path.slice(path.indexOf('/') + 1);
      const tool = method.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase();
      return [method, tool].map((name) => [name, `muster ${words}`]);
    }),
);

/** The command line's names for names of the contract. */
const calledHere: Readonly<Record<string, string>> = {
  ...commandNames,
  get_agent: 'muster show',
  create_agent: 'muster new',
  CreateAgent: 'muster new',
  explain_agent: 'muster why',
  read_pane: 'muster read',
  prompt_agent: 'muster prompt',
  interrupt_agent: 'muster interrupt',
  send_mail: 'muster mail send',
  wait_for_doorbells: 'muster bell wait',
  sweep_repository: 'muster prs --sweep',
  wait_for_agents: 'muster wait',
  get_workflow: 'muster workflow show',
  provisionEnabled: '--worktree',
  parentAgentId: '--parent',
  resultSchema: '--result-schema',
  launchedBy: '--launched-by',
  afterTurn: '--after-turn',
  budgetTurns: '--budget-turns',
  budgetWorkMinutes: '--budget-work',
  'archivePolicy.buildFolders': '--build-folder',
  'archivePolicy.buildFoldersAfterDays': '--clean-folders-after',
  'archivePolicy.worktreesAfterDays': '--clean-worktrees-after',
  workflowId: '--workflow',
  idempotencyKey: '--key',
  hostSelector: '--host-selector',
  baseBranch: '--base-branch',
  copyFiles: '--copy-files',
  credentialEnv: '--env',
  credentialFile: '--file',
  credentialCommand: '--command',
  baseAddress: '--base',
  'grants.network': '--network',
  'grants.image': '--image',
  'grants.hosts': '--allow-host',
  'grants.loopbackPorts': '--allow-port',
  'grants.readable': '--readable',
  'grants.writable': '--writable',
  'grants.memoryMib': '--memory-mib',
  'grants.maxProcesses': '--max-processes',
  'grants.cpuPercent': '--cpu-percent',
  'grants.diskMib': '--disk-mib',
  'scripts.setup': '--setup',
  'scripts.teardown': '--teardown',
  'scripts.onIdle': '--on-idle',
  'scripts.onWaiting': '--on-waiting',
  ReadPane: 'muster read',
  PromptAgent: 'muster prompt',
  InterruptAgent: 'muster interrupt',
  update_notify: 'muster notify',
  'notify.webhook': '--webhook',
  'notify.command': '--command',
  'notify.on': '--on',
  inReplyTo: '--in-reply-to',
  SendMail: 'muster mail send',
  list_mail: 'muster mail ls',
  take_mail: 'muster mail take',
  claim_doorbells: 'muster bell claim',
  newStart: 'line',
  newEnd: 'line',
  oldStart: '--old',
  oldEnd: '--old',
  snapshotSha: '--snapshot',
  quotedLines: '--quote',
  REVIEW_VERDICT_APPROVED: 'approved',
  REVIEW_VERDICT_CHANGES_REQUESTED: 'changes',
  REVIEW_VERDICT_COMMENTED: 'commented',
  baseSha: '--base',
  roundId: '--round',
  sinceRoundId: '--since',
  list_agents: 'muster ls',
  list_workflows: 'muster workflow ls',
  list_pull_requests: 'muster prs',
  mailOnPullRequest: '--mail-on-pull-request',
  update_host: 'muster host patience',
  drain_host: 'muster host uncordon',
  setLabels: 'LABELS',
  removeLabels: 'LABELS',
  patienceSeconds: 'TIME',
  maxAgents: '--agents',
  maxLaunches: '--launches',
  maxSetups: '--setups',
  maxAtWork: '--at-work',
  minDiskFreeMib: '--disk',
  list_schedule_runs: 'muster schedule runs NAME',
  list_coming_firings: 'muster schedule next',
  jitterSeconds: '--jitter-seconds',
  catchUpSeconds: '--catch-up-seconds',
};

/** A text in double quotes is a given value, which stays unchanged. */
const quotedText = /("(?:[^"\\]|\\.)*")/;
const wireName = /(?<![\w/.-])(?:[A-Za-z]\w*_\w+|[A-Za-z]+(?:[A-Z][a-z]+|\.[a-z][A-Za-z]+))(?![\w/-])/g;
const phaseInBrackets = /\(([a-z][A-Za-z]*(?:\.[a-z][A-Za-z]*)*)\)/g;

/** A message of the service with its names of fields, operations, states and phases replaced by the command line's. */
export function inWords(message: string): string {
  return message
    .split(quotedText)
    .map((text, index) => (index % 2 === 1 ? text : wordsOf(text)))
    .join('');
}

function wordsOf(text: string): string {
  return text
    .replace(/set provisionEnabled to (true|false)/g, (_, value: string) => `give ${worktreeFlag(value)}`)
    .replace(/provisionEnabled is (true|false)/g, (_, value: string) => `${worktreeFlag(value)} is given`)
    .replace(/provisionEnabled (true|false)/g, (_, value: string) => worktreeFlag(value))
    .replace('agentId is required of a person', 'name an agent')
    .replace('or delete with force', 'or delete with --force')
    .replace(phaseInBrackets, (whole, phase: string) => (isPhase(phase) ? `(${phaseWord(phase)})` : whole))
    .replace(wireName, (name) => (Object.hasOwn(calledHere, name) ? (calledHere[name] ?? name) : shortName(name)));
}

function worktreeFlag(value: string): string {
  return value === 'true' ? '--worktree' : '--no-worktree';
}
