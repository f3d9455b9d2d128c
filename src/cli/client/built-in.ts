/** The harnesses that muster brings. The service checks a name; here they are listed, without loading what they are. */
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

/** The state machines that can be drawn. */
export const machineNames: readonly string[] = [
  'agent',
  'doorbell',
  'firing',
  'host',
  'review-batch',
  'schedule',
  'sweep',
];
