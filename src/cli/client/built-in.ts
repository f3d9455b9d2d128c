/** The names of the built-in harnesses, for help and completion, without loading the harnesses themselves. */
export const harnessNames: readonly string[] = [
  'claude',
  'codex',
  'gemini',
  'opencode',
  'copilot',
  'qwen',
  'pi',
  'cline',
  'aider',
  'cursor',
  'amp',
  'kilo',
  'droid',
  'shell',
];

/** The names of the state machines. */
export const machineNames: readonly string[] = [
  'agent',
  'doorbell',
  'firing',
  'host',
  'review-batch',
  'schedule',
  'sweep',
];
