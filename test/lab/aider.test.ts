import { aider } from './cli/aider.ts';
import { lifeWith } from './life.ts';

lifeWith(aider);
