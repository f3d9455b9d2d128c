import { amp as screens } from '#machines/pane/harness/amp.ts';
import type { Harness } from './definition.ts';

/** Amp. It resumes the last thread of its checkout. */
export const amp: Harness = {
  name: 'amp',
  codingAgent: true,
  command: 'amp',
  versionArgs: ['--version'],
  recordedWith: '0.0.1790142911-g7618fb',
  start: [],
  resume: ['threads', 'continue', '--last'],
  env: {},
  variables: ['AMP_*'],
  isolated: {
    hosts: ['ampcode.com', '*.ampcode.com'],
    shared: ['.local/share/amp/secrets.json'],
    copied: ['.config/amp/settings.json'],
    readable: ['.config/AGENTS.md', '.config/amp/AGENTS.md'],
  },
  screens,
};
