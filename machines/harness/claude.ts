import { claude as screens } from '#machines/pane/harness/claude.ts';
import type { Harness } from './definition.ts';

/** Claude Code. */
export const claude: Harness = {
  name: 'claude',
  command: 'claude',
  start: ['--session-id', '{sessionId}'],
  resume: ['--resume', '{sessionId}'],
  env: {},
  takesPromptsAtWork: true,
  screens,
};
