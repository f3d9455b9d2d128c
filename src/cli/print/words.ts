/** What each state of an agent's machine is in words, such as for `settingUp.opening`. */
const phaseWords: Readonly<Record<string, string>> = {
  'settingUp.choosing': 'being set up',
  'settingUp.provisioning': 'its worktree is being made',
  'settingUp.preparing': 'the setup script runs',
  'settingUp.opening': 'its window is being opened',
  'settingUp.briefing.delivering': 'it is being briefed',
  'settingUp.briefing.asked': 'it asks something before its briefing',
  failedToCreate: 'its launch failed',
  'live.deciding': 'running',
  'live.idle': 'running, idle',
  'live.thinking': 'running, thinking',
  'live.waiting': 'running, waiting',
  'live.uncertain': 'running, uncertain',
  dormant: 'its CLI has ended',
  archiving: 'being archived',
  archived: 'archived',
  'cleaningUp.choosing': 'being deleted',
  'cleaningUp.inspecting': 'being deleted: its worktree is looked at',
  'cleaningUp.closing': 'being deleted: its window is being closed',
  'cleaningUp.tearingDown': 'being deleted: the teardown script runs',
  'cleaningUp.removing': 'being deleted: its worktree is being removed',
  failedToCleanup: 'its ending failed',
  gone: 'gone',
};

/** What a state of an agent's machine is in words; as it is where only a newer service knows it. */
export function phaseWord(phase: string): string {
  return (Object.hasOwn(phaseWords, phase) ? phaseWords[phase] : undefined) ?? phase;
}

/** The enumerations whose values are printed in lower case. */
const smallWords = new RegExp(
  `^(?:${[
    'AGENT_ROLE',
    'FORGE_KIND',
    'HOST_STATE',
    'NOTICE_KIND',
    '(?:SCHEDULE_)?RUN_STATE',
    'RUN_SCRIPT',
    'MISSED_POLICY',
    'OVERLAP_POLICY',
    'PULL_REQUEST_STATE',
    'PULL_REQUEST_MATTER',
    'CHECKS',
    'MERGEABILITY',
    'REVIEW_DECISION',
  ].join('|')})_([A-Z_]+)$`,
);

/** An agent's state as lists show it, such as `WAITING`; roles and all other states in small letters, such as `reviewer`. */
export function shortName(value: string): string {
  const state = /^AGENT_STATE_([A-Z_]+)$/.exec(value)?.[1];
  const other = smallWords.exec(value)?.[1];
  return state ?? other?.toLowerCase().replaceAll('_', ' ') ?? value;
}

/** What a name of the contract is called on the command line. */
const calledHere: Readonly<Record<string, string>> = {
  provisionEnabled: '--worktree',
  parentAgentId: '--parent',
  workflowId: '--workflow',
  idempotencyKey: '--key',
  baseBranch: '--base-branch',
  copyFiles: '--copy-files',
  credentialEnv: '--env',
  credentialFile: '--file',
  credentialCommand: '--command',
  baseAddress: '--base',
  'scripts.setup': '--setup',
  'scripts.teardown': '--teardown',
  'scripts.onIdle': '--on-idle',
  'scripts.onWaiting': '--on-waiting',
  ArchiveAgent: 'muster archive',
  RestoreAgent: 'muster restore',
  RetryAgent: 'muster retry',
  DeleteAgent: 'muster delete',
  RenameAgent: 'muster rename',
  AttachAgent: 'muster attach',
  ReadPane: 'muster read',
  PromptAgent: 'muster prompt',
  AnswerAgent: 'muster answer',
  InterruptAgent: 'muster interrupt',
  HoldAgent: 'muster hold',
  UnholdAgent: 'muster unhold',
  unhold_agent: 'muster unhold',
  list_run_logs: 'muster runs',
  update_notify: 'muster notify',
  'notify.webhook': '--webhook',
  'notify.command': '--command',
  'notify.on': '--on',
  get_run_log: 'muster run',
  inReplyTo: '--in-reply-to',
  SendMail: 'muster mail send',
  list_mail: 'muster mail ls',
  take_mail: 'muster mail take',
  claim_doorbells: 'muster bell claim',
  start_review_round: 'muster review start',
  list_review_rounds: 'muster review rounds',
  get_review_diff: 'muster review diff',
  list_review_threads: 'muster review threads',
  release_review: 'muster review release',
  snapshotSha: '--snapshot',
  baseSha: '--base',
  roundId: '--round',
  sinceRoundId: '--since',
  list_agents: 'muster ls',
  list_workflows: 'muster workflow ls',
  list_hosts: 'muster hosts',
  list_pull_requests: 'muster prs',
  mailOnPullRequest: '--mail-on-pull-request',
  drain_host: 'muster hosts --undrain',
  restore_agent: 'muster restore',
  list_schedules: 'muster schedule ls',
  list_schedule_runs: 'muster schedule runs NAME',
  list_coming_firings: 'muster schedule next',
  CancelScheduleRun: 'muster schedule cancel',
  RetryScheduleRun: 'muster schedule retry',
  PauseSchedule: 'muster schedule pause',
  ResumeSchedule: 'muster schedule resume',
  jitterSeconds: '--jitter-seconds',
  catchUpSeconds: '--catch-up-seconds',
};

/** Texts in double quotes are values that somebody gave: they stay as they are. */
const quotedText = /("(?:[^"\\]|\\.)*")/;
const wireName = /(?<![\w/.-])(?:[A-Za-z]\w*_\w+|[A-Za-z]+(?:[A-Z][a-z]+|\.[a-z][A-Za-z]+))(?![\w/-])/g;
const phaseInBrackets = /\(([a-z][A-Za-z]*(?:\.[a-z][A-Za-z]*)*)\)/g;

/** A message of the service as a person reads it: its names of fields, operations, states and phases in their words. */
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
    .replace(phaseInBrackets, (whole, phase: string) =>
      Object.hasOwn(phaseWords, phase) ? `(${phaseWord(phase)})` : whole,
    )
    .replace(wireName, (name) => (Object.hasOwn(calledHere, name) ? (calledHere[name] ?? name) : shortName(name)));
}

function worktreeFlag(value: string): string {
  return value === 'true' ? '--worktree' : '--no-worktree';
}
