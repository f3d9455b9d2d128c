import { codex } from './cli/codex.ts';
import { lifeWith } from './life.ts';

lifeWith(codex);
