import { pi as screens } from '#machines/pane/harness/pi.ts';
import type { Harness } from './definition.ts';

/** pi. It accepts no session id, and resumes the last conversation in its folder. */
export const pi: Harness = {
  name: 'pi',
  codingAgent: true,
  command: 'pi',
  versionArgs: ['--version'],
  recordedWith: '1.6.0',
  start: [],
  resume: ['--continue'],
  env: {},
  variables: ['PI_*', 'ANTHROPIC_*', 'OPENAI_*', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
  isolated: {
    hosts: ['api.anthropic.com', 'api.openai.com', 'generativelanguage.googleapis.com', 'openrouter.ai'],
    shared: ['.pi/agent/auth.json'],
    copied: ['.pi/agent/settings.json', '.pi/agent/models.json'],
    readable: ['.pi/agent/AGENTS.md', '.pi/agent/extensions', '.pi/agent/skills', '.pi/agent/prompts'],
  },
  screens,
};
