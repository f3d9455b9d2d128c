import type { DeletedFrom } from './agent-context.ts';

/** A deletion, which changes nothing until the host has checked that nothing would be lost. */
export function removeFrom(from: DeletedFrom) {
  return { target: '#agent.cleaningUp', actions: [{ type: 'noteDeleting', params: { from } }] } as const;
}

/** The same while steps are in progress: they are cancelled, and begin again if the deletion is refused. */
export function removeWhile(from: DeletedFrom) {
  const { target, actions } = removeFrom(from);
  return { target, actions: ['cancelEffects', ...actions] } as const;
}

/** The return to the previous state if the deletion is refused. */
export function backTo(from: DeletedFrom) {
  return { guard: { type: 'wasDeletedFrom', params: { from } }, target: `#agent.${from}` } as const;
}
