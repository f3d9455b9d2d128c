import type { Caller } from './caller.ts';

/**
 * Whether a caller may see everything about every agent, such as its pane and the output of its workflow's scripts.
 */
export function seesEverything(caller: Caller): boolean {
  return caller.kind === 'person' || caller.role === 'orchestrator';
}
