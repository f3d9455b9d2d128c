import { kilo as screens } from '#machines/pane/harness/kilo.ts';
import type { Harness } from './definition.ts';

/** Kilo, a fork of OpenCode. */
export const kilo: Harness = {
  name: 'kilo',
  codingAgent: true,
  command: 'kilo',
  versionArgs: ['--version'],
  start: [],
  resume: ['--session', '{sessionId}'],
  resumeLatest: ['--continue'],
  env: {},
  commandPrefixes: ['!', '/'],
  variables: ['KILO_*', 'ANTHROPIC_*', 'OPENAI_*', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
  screens,
};
