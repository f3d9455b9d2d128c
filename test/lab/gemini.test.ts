import { gemini } from './cli/gemini.ts';
import { lifeWith } from './life.ts';

lifeWith(gemini);
