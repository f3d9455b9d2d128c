import { Failure } from '#contract/failure.ts';
import type { Bus } from './bus.ts';

/** How a request that only reads is sent. */
interface Reading {
  /** How long the answer may take in all, in milliseconds. */
  readonly timeoutMs: number;
  /** How long a registry may be silent about it, in milliseconds. */
  readonly silenceMs: number;
  /** How many registries are asked at most. */
  readonly maxTries: number;
}

/** Failures of one registry, which another one may not have. */
const helped = ['RESPONDER_LOST', 'DATABASE_UNAVAILABLE', 'DATABASE_READ_ONLY'] as const;

/**
 * Sends a request that only reads, and again if the registry that had it dies, hangs or has lost its database: another one may answer.
 * @throws as `Bus.request`
 */
export async function askAgain(
  bus: Bus,
  subject: string,
  body: unknown,
  { timeoutMs, silenceMs, maxTries }: Reading,
): Promise<unknown> {
  const until = performance.now() + timeoutMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await bus.request(subject, body, { timeoutMs: until - performance.now(), silenceMs });
    } catch (error) {
      const mayHelp = error instanceof Failure && helped.some((reason) => error.isFor(reason));
      if (!mayHelp || tries === maxTries || performance.now() >= until) throw error;
    }
  }
}
