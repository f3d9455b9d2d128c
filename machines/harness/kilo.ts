import { kilo as screens } from '#machines/pane/harness/kilo.ts';
import type { Harness } from './definition.ts';

/** Kilo, a fork of OpenCode. */
export const kilo: Harness = {
  name: 'kilo',
  codingAgent: true,
  command: 'kilo',
  versionArgs: ['--version'],
  recordedWith: '7.7.9',
  start: [],
  resume: ['--session', '{sessionId}'],
  resumeLatest: ['--continue'],
  env: {},
  commandPrefixes: ['!', '/'],
  variables: ['KILO_*', 'ANTHROPIC_*', 'OPENAI_*', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
  isolated: {
    hosts: [
      'kilo.ai',
      '*.kilo.ai',
      'kilocode.ai',
      '*.kilocode.ai',
      'models.dev',
      'api.anthropic.com',
      'api.openai.com',
      'generativelanguage.googleapis.com',
      'openrouter.ai',
    ],
    shared: ['.local/share/kilo/auth.json'],
    copied: ['.config/kilo/kilo.json', '.config/kilo/kilo.jsonc', '.config/kilo/opencode.json'],
    readable: ['.config/kilo/AGENTS.md', '.config/kilo/agents', '.config/kilo/commands'],
  },
  screens,
};
