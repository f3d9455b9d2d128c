import { qwen } from './cli/qwen.ts';
import { lifeWith } from './life.ts';

lifeWith(qwen);
