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
  'moving.choosing': 'it moves to another host',
  'moving.closing': 'it moves: its window is being closed',
  'moving.packing': 'it moves: its work is being packed',
  'moving.unpacking': 'it moves: its work is being carried',
  'moving.preparing': 'it moves: the setup script runs on the other host',
  'moving.opening': 'it moves: its window is being opened on the other host',
  'moving.settling': 'it moves: its conversation is being resumed on the other host',
  'moving.undoing.closing': 'it returns: its window on the other host is being closed',
  'moving.undoing.pausing': 'it returns: its window on the other host could not be closed yet',
  'moving.resting': 'it has moved',
  'moving.returning.choosing': 'it returns from a move',
  'moving.returning.opening': 'it returns from a move: its window is being opened',
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
