/** Each state of an agent's machine in words. */
const phaseWords: Readonly<Record<string, string>> = {
  'settingUp.choosing': 'being set up',
  'settingUp.queued': 'it waits to be placed on a host',
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
  'cleaningUp.inspecting': 'being deleted: its worktree is inspected',
  'cleaningUp.refused': 'kept: its deletion was refused',
  'cleaningUp.closing': 'being deleted: its window is being closed',
  'cleaningUp.tearingDown': 'being deleted: the teardown script runs',
  'cleaningUp.removing': 'being deleted: its worktree is being removed',
  failedToCleanup: 'its clean-up failed',
  gone: 'gone',
};

/** A state of an agent's machine in words; unchanged if only a newer service knows it. */
export function phaseWord(phase: string): string {
  return (isPhase(phase) ? phaseWords[phase] : undefined) ?? phase;
}

/** Whether a text names a state of an agent's machine that this version knows. */
export function isPhase(text: string): boolean {
  return Object.hasOwn(phaseWords, text);
}
