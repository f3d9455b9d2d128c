import { expect } from 'chai';
import { Failure } from '#contract/failure.ts';

/** The failure that a piece of work comes to; the test fails where it comes to anything else. */
export async function failureOf(work: () => unknown): Promise<Failure> {
  try {
    await work();
  } catch (error) {
    expect(error).to.be.instanceOf(Failure);
    return error as Failure;
  }
  throw new Error('it was not refused');
}
