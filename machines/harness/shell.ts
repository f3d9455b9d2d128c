import { shell as screens, shellPrompt } from '#machines/pane/harness/shell.ts';
import type { Harness } from './definition.ts';

/** bash as an agent: its prompt is a command line. It makes muster usable without a coding-agent CLI. */
export const shell: Harness = {
  name: 'shell',
  command: 'bash',
  start: ['--noprofile', '--norc', '-i'],
  resume: ['--noprofile', '--norc', '-i'],
  conversation: 'none',
  env: { PS1: shellPrompt, HISTFILE: '' },
  commandPrefixes: [],
  notePrefix: '# ',
  interrupt: { key: 'C-c', presses: 2 },
  screens,
};
