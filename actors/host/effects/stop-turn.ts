import { isPassing } from '#actors/host/agent/patience.ts';
import type { Performer } from '#actors/host/agent/performer.ts';
import type { Typist } from '#actors/host/typing/typist.ts';
import { Failure } from '#contract/failure.ts';

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
