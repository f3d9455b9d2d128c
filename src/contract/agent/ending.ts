import { z } from 'zod';
import { enumeration, message } from '#contract/message.ts';

/** How a CLI ended. */
export const AgentEndingKind = enumeration('agent.v1.AgentEndingKind', {
  AGENT_ENDING_KIND_UNSPECIFIED: 'Not known: an older host found it.',
  AGENT_ENDING_KIND_EXITED: 'Its process exited.',
  AGENT_ENDING_KIND_KILLED: 'A signal ended its process, as when memory is short.',
  AGENT_ENDING_KIND_SHELL: 'It exited to a shell, which has its window now.',
  AGENT_ENDING_KIND_WINDOW_CLOSED: 'Its window was closed.',
  AGENT_ENDING_KIND_TERMINAL_LOST: 'The tmux server ended with everything in it.',
  AGENT_ENDING_KIND_REBOOTED: 'The computer was restarted.',
  AGENT_ENDING_KIND_LIMIT: 'It was ended because it used more than its workflow allows.',
});
export type AgentEndingKind = z.infer<typeof AgentEndingKind>;

/** The end of an agent’s CLI. */
export const AgentEnding = message('agent.v1.AgentEnding', {
  kind: [1, AgentEndingKind, 'How it ended.'],
  exitStatus: [2, z.int32(), 'The exit status of its process. Unset if it left none, and if it is 0.'],
  signal: [3, z.string(), 'The signal that ended its process, such as `SIGKILL`. Unset without one.'],
  exceeded: [4, z.string(), 'The limit that it exceeded, such as `512 MiB of memory`. Unset without one.'],
});
export type AgentEnding = z.infer<typeof AgentEnding>;
