import { copilot as screens } from '#machines/pane/harness/copilot.ts';
import type { Harness } from './definition.ts';

/** GitHub Copilot CLI. */
export const copilot: Harness = {
  name: 'copilot',
  codingAgent: true,
  command: 'copilot',
  versionArgs: ['--version'],
  recordedWith: '1.0.102',
  start: ['--session-id', '{sessionId}'],
  resume: ['--resume', '{sessionId}'],
  env: {},
  commandPrefixes: ['!', '/', '&'],
  variables: ['COPILOT_*'],
  tools: {
    through: 'flag',
    flag: '--additional-mcp-config',
    entry: { type: 'local', tools: ['*'] },
    allowing: { flag: '--allow-tool', tool: 'muster({tool})' },
  },
  screens,
};
