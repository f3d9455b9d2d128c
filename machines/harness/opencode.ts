import { opencode as screens } from '#machines/pane/harness/opencode.ts';
import type { Harness } from './definition.ts';

/** opencode. */
export const opencode: Harness = {
  name: 'opencode',
  codingAgent: true,
  command: 'opencode',
  versionArgs: ['--version'],
  recordedWith: '1.18.33',
  start: [],
  resume: ['--session', '{sessionId}'],
  resumeLatest: ['--continue'],
  env: {},
  commandPrefixes: ['!', '/'],
  variables: ['OPENCODE_*', 'ANTHROPIC_*', 'OPENAI_*', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
  reports: { through: 'plugin' },
  tools: { through: 'environment' },
  isolated: {
    hosts: [
      'opencode.ai',
      '*.opencode.ai',
      'models.dev',
      'api.anthropic.com',
      'api.openai.com',
      'generativelanguage.googleapis.com',
      'openrouter.ai',
    ],
    shared: ['.local/share/opencode/auth.json'],
    copied: ['.config/opencode/opencode.json', '.config/opencode/opencode.jsonc', '.config/opencode/tui.json'],
    readable: [
      '.config/opencode/AGENTS.md',
      // It reads each kind of folder by both of its names.
      ...['agent', 'command', 'mode', 'plugin', 'skill', 'theme', 'tool'].flatMap((kind) => [
        `.config/opencode/${kind}`,
        `.config/opencode/${kind}s`,
      ]),
    ],
  },
  screens,
};
