import type { Performer } from '#actors/host/agent/performer.ts';
import { Failure } from '#contract/failure.ts';
import { isTransient } from '#contract/transient.ts';
import type { InputDriver } from './input-driver.ts';

/** Reads the screen of a parked agent again, and types nothing. */
export function lookAgain(inputDriver: Pick<InputDriver, 'look'>): Performer {
  return {
    step: undefined,
    async perform({ record }) {
      try {
        await inputDriver.look(record.id);
      } catch (error) {
        // Its CLI has ended, which its host reports.
        if (!(error instanceof Failure) || isTransient(error)) throw error;
      }
      return { type: 'RESUMED', outcome: 'looked', why: '' };
    },
  };
}
