import type { Performer } from '#actors/host/agent/performer.ts';
import { Failure } from '#contract/failure.ts';
import { isTransient } from '#contract/transient.ts';
import type { InputDriver } from './input-driver.ts';

/** Asks an agent to continue after a limit of its account, if its screen still shows that and nothing else. */
export function resumeWork(inputDriver: Pick<InputDriver, 'resumeWork'>): Performer {
  return {
    step: undefined,
    async perform({ record, effect }) {
      try {
        await inputDriver.resumeWork(record.id, effect.key);
        return { type: 'RESUMED', outcome: 'continued', why: '' };
      } catch (error) {
        if (!(error instanceof Failure) || isTransient(error)) throw error;
        // Nothing was typed: a person types there, it went on by itself, or it asks something else.
        const isLeft = error.code === 'failed_precondition' && error.reason !== 'AGENT_WAITS';
        return { type: 'RESUMED', outcome: isLeft ? 'left' : 'failed', why: error.message };
      }
    },
  };
}
