import { Failure } from '#contract/failure.ts';
import type { Bus } from './bus.ts';

/** The options of a request that only reads. */
interface Reading {
  /** How long the answer may take in all, in milliseconds. */
  readonly timeoutMs: number;
  /** How long a registry may be silent, in milliseconds. */
  readonly silenceMs: number;
  /** Maximum number of registries that are tried. */
  readonly maxTries: number;
}

/** Failures of a single registry, after which another one is tried. */
const helped = ['RESPONDER_LOST', 'DATABASE_UNAVAILABLE', 'DATABASE_READ_ONLY'] as const;

/**
 * Sends a request that only reads. If the registry dies, hangs or loses its database, sends it to another one.
 * @throws as `Bus.request`
 */
export async function requestWithFailover(
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
