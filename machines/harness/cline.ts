import { cline as screens } from '#machines/pane/harness/cline.ts';
import type { Harness } from './definition.ts';

/** Cline. It resumes a conversation only by an id that it chose itself, so a restored agent begins a new one. */
export const cline: Harness = {
  name: 'cline',
  codingAgent: true,
  command: 'cline',
  versionArgs: ['--version'],
  recordedWith: '3.0.65',
  start: ['--tui'],
  resume: ['--tui'],
  env: {},
  variables: ['CLINE_*', 'ANTHROPIC_*', 'OPENAI_*', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
  isolated: {
    hosts: [
      'cline.bot',
      '*.cline.bot',
      'api.anthropic.com',
      'api.openai.com',
      'generativelanguage.googleapis.com',
      'openrouter.ai',
    ],
    shared: ['.cline/data/secrets.json'],
    copied: ['.cline/data/globalState.json', '.cline/data/settings/cline_mcp_settings.json'],
  },
  screens,
};
