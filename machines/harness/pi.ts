import { pi as screens } from '#machines/pane/harness/pi.ts';
import type { Harness } from './definition.ts';

/** pi. It takes no session id: the last conversation in its folder is its own, as every agent has a folder of its own or shares its parent's. */
export const pi: Harness = {
  name: 'pi',
  command: 'pi',
  start: [],
  resume: ['--continue'],
  env: {},
  screens,
};
