import { claude } from './cli/claude.ts';
import { lifeWith } from './life.ts';

lifeWith(claude);
