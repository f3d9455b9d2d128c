import type { Performer } from '#actors/host/agent/performer.ts';
import type { InputDriver } from '#actors/host/typing/input-driver.ts';
import { Failure } from '#contract/failure.ts';
import { isTransient } from '#contract/transient.ts';

/** Interrupts the turn of an agent that a person has taken over, if it is working. */
export function stopTurn(inputDriver: InputDriver): Performer {
  return {
    step: undefined,
    async perform({ record }) {
      try {
        await inputDriver.stopTurn(record.id);
        return undefined;
      } catch (error) {
        if (!(error instanceof Failure) || isTransient(error)) throw error;
        return error.code === 'failed_precondition' ? undefined : { type: 'UNSTOPPED', reason: error.message };
      }
    },
  };
}
