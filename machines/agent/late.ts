import type { AgentStep } from './agent-context.ts';

/** The end of a step whose time limit has expired. */
export function late(name: string, step: AgentStep, target: string) {
  return {
    guard: { type: 'isDue', params: { name } },
    target,
    actions: ['cancelEffects', { type: 'noteLate', params: { step } }],
  } as const;
}
