import { aider as screens } from '#machines/pane/harness/aider.ts';
import type { Harness } from './definition.ts';

/** aider. It has no sessions: it restores earlier conversations from the history file in its folder. */
export const aider: Harness = {
  name: 'aider',
  codingAgent: true,
  command: 'aider',
  versionArgs: ['--version'],
  start: [],
  resume: ['--restore-chat-history'],
  env: {},
  commandPrefixes: ['!', '/'],
  variables: ['AIDER_*', 'ANTHROPIC_*', 'OPENAI_*', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY', 'DEEPSEEK_API_KEY'],
  interrupt: { key: 'C-c', presses: 2 },
  isolated: {
    hosts: [
      'api.anthropic.com',
      'api.openai.com',
      'generativelanguage.googleapis.com',
      'openrouter.ai',
      'api.deepseek.com',
    ],
    readable: [
      '.aider.conf.yml',
      '.aider.model.settings.yml',
      '.aider.model.metadata.json',
      // The key of OpenRouter, which it got by signing in and never renews.
      '.aider/oauth-keys.env',
    ],
  },
  screens,
};
