import { opencode } from './cli/opencode.ts';
import { lifeWith } from './life.ts';

lifeWith(opencode);
