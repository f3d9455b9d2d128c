import { cursor as screens } from '#machines/pane/harness/cursor.ts';
import type { Harness } from './definition.ts';

/** Cursor's agent CLI. */
export const cursor: Harness = {
  name: 'cursor',
  command: 'cursor-agent',
  start: [],
  resume: ['--continue'],
  env: {},
  screens,
};
