import { gemini as screens } from '#machines/pane/harness/gemini.ts';
import type { Harness } from './definition.ts';

/** Gemini CLI. */
export const gemini: Harness = {
  name: 'gemini',
  command: 'gemini',
  start: ['--session-id', '{sessionId}'],
  resume: ['--resume', '{sessionId}'],
  env: {},
  takesPromptsAtWork: true,
  screens,
};
