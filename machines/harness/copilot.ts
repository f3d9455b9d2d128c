import { copilot as screens } from '#machines/pane/harness/copilot.ts';
import type { Harness } from './definition.ts';

/** GitHub Copilot CLI. It ends a turn only if the second Escape follows within half a second of the first. */
export const copilot: Harness = {
  name: 'copilot',
  codingAgent: true,
  command: 'copilot',
  versionArgs: ['--version'],
  recordedWith: '1.0.102',
  start: ['--session-id', '{sessionId}'],
  resume: ['--resume', '{sessionId}'],
  env: {},
  interrupt: { key: 'Escape', presses: 2, againMs: 250 },
  commandPrefixes: ['!', '/', '&'],
  variables: ['COPILOT_*'],
  tools: {
    through: 'flag',
    flag: '--additional-mcp-config',
    entry: { type: 'local', tools: ['*'] },
    allowing: { flag: '--allow-tool', tool: 'muster({tool})' },
  },
  isolated: {
    folder: { path: '.copilot', variable: 'COPILOT_HOME' },
    hosts: ['github.com', 'api.github.com', '*.githubcopilot.com', 'copilot-proxy.githubusercontent.com'],
    copied: ['.copilot/config.json', '.copilot/settings.json', '.copilot/mcp-config.json'],
    readable: ['.copilot/agents', '.copilot/skills', '.copilot/copilot-instructions.md'],
  },
  screens,
};
