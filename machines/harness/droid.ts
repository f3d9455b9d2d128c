import { droid as screens } from '#machines/pane/harness/droid.ts';
import type { Harness } from './definition.ts';

/** Droid, of Factory. */
export const droid: Harness = {
  name: 'droid',
  codingAgent: true,
  command: 'droid',
  versionArgs: ['--version'],
  recordedWith: '0.215.0',
  start: [],
  resume: ['--resume', '{sessionId}'],
  resumeLatest: ['--resume', '--last'],
  env: {},
  commandPrefixes: ['!', '/'],
  variables: ['FACTORY_*'],
  isolated: {
    hosts: ['factory.ai', '*.factory.ai'],
    shared: ['.factory/auth.encrypted'],
    copied: ['.factory/settings.json', '.factory/config.json', '.factory/mcp.json'],
    readable: ['.factory/AGENTS.md', '.factory/commands', '.factory/droids'],
  },
  screens,
};
