import { Failure } from '#contract/failure.ts';
import { isPassing } from '../patience.ts';
import type { Performer } from '../performer.ts';
import type { Typist } from '../typist.ts';

/** Ends the turn that a held agent is at. One that is at none is left alone. */
export function stopTurn(typist: Typist): Performer {
  return {
    step: undefined,
    async perform({ record }) {
      try {
        await typist.stopTurn(record.id);
        return undefined;
      } catch (error) {
        if (!(error instanceof Failure) || isPassing(error)) throw error;
        return error.code === 'failed_precondition' ? undefined : { type: 'UNSTOPPED', reason: error.message };
      }
    },
  };
}
