import { cline as screens } from '#machines/pane/harness/cline.ts';
import type { Harness } from './definition.ts';

/** Cline. */
export const cline: Harness = {
  name: 'cline',
  command: 'cline',
  start: ['--tui'],
  resume: ['--tui'],
  env: {},
  screens,
};
