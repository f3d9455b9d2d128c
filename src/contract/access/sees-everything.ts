import type { Caller } from './caller.ts';

/**
 * Whether a caller sees all that there is to see of every agent: what its pane shows, and what its workflow's scripts
 * write.
 */
export function seesEverything(caller: Caller): boolean {
  return caller.kind === 'person' || caller.role === 'orchestrator';
}
