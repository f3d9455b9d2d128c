import { amp as screens } from '#machines/pane/harness/amp.ts';
import type { Harness } from './definition.ts';

/** Amp. */
export const amp: Harness = {
  name: 'amp',
  command: 'amp',
  start: [],
  resume: ['threads', 'continue', '--last'],
  env: {},
  screens,
};
