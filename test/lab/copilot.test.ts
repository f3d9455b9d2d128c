import { copilot } from './cli/copilot.ts';
import { lifeWith } from './life.ts';

lifeWith(copilot);
