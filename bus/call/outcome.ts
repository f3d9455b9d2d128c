import { decodeBody, encodeBody } from '#bus/codec.ts';
import { Failure } from '#contract/failure.ts';

const [answered, refused] = [0, 1];

/** The result of a call before sealing: others cannot see whether it was refused. */
export function encodeOutcome(outcome: { readonly body: unknown } | { readonly failure: Failure }): Uint8Array {
  const isAnswer = 'body' in outcome;
  const bytes = encodeBody(isAnswer ? outcome.body : outcome.failure);
  return Buffer.concat([Buffer.of(isAnswer ? answered : refused), bytes]);
}

/** Returns the body, or throws the `Failure` that was answered. */
export function readOutcome(bytes: Uint8Array): unknown {
  const body = decodeBody(bytes.subarray(1));
  if (bytes[0] === answered) return body;
  throw Failure.fromJSON(typeof body === 'object' && body !== null ? body : {});
}
