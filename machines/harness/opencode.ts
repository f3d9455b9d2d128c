import { opencode as screens } from '#machines/pane/harness/opencode.ts';
import type { Harness } from './definition.ts';

/** opencode. */
export const opencode: Harness = {
  name: 'opencode',
  command: 'opencode',
  start: [],
  resume: ['--session', '{sessionId}'],
  resumeLatest: ['--continue'],
  env: {},
  reports: { through: 'plugin' },
  tools: { through: 'environment' },
  screens,
};
