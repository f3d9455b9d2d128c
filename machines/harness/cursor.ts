import { cursor as screens } from '#machines/pane/harness/cursor.ts';
import type { Harness } from './definition.ts';

/** Cursor's agent CLI. It resumes the last conversation in its folder. */
export const cursor: Harness = {
  name: 'cursor',
  codingAgent: true,
  command: 'cursor-agent',
  versionArgs: ['--version'],
  start: [],
  resume: ['--continue'],
  env: {},
  variables: ['CURSOR_*'],
  isolated: {
    hosts: ['cursor.com', '*.cursor.com', '*.cursor.sh'],
    shared: ['.config/cursor/auth.json'],
    copied: ['.cursor/cli-config.json', '.cursor/mcp.json'],
    readable: ['.cursor/rules'],
  },
  screens,
};
