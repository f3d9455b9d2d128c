import { expect } from 'chai';
import { Failure } from '#contract/failure.ts';
import type { FailureCode } from '#contract/reason/failure-code.ts';

/** The failure of some work. Fails the test if it succeeds, or throws anything else. */
export async function failureOf(work: () => unknown): Promise<Failure> {
  try {
    await work();
  } catch (error) {
    expect(error).to.be.instanceOf(Failure);
    return error as Failure;
  }
  throw new Error('it was not refused');
}

/** A refusal of a code, for a test to which its reason is all one. */
export function refusalWith(code: FailureCode, message: string): Failure {
  return Failure.fromJSON({ code, message });
}
