import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '#bus/bus.ts';
import { readySubject } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import type { Log, OwnInstallation } from '#contract/process-context.ts';
import { RegistryReadiness } from '#contract/wire/figures.ts';

/** How long the registry may take to answer, and how often it is asked, in milliseconds. */
const [answersWithin, every] = [2_000, 5_000];

/**
 * Regularly asks the registry for its installation. A new gateway joins the installation of the first registry that
 * answers; from then on its requests name that installation, and a registry of another one refuses them.
 */
export function joinInstallation(bus: Bus, own: OwnInstallation, log: Log): { stop(): void } {
  const stopping = new AbortController();
  const join = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const answer = await bus.request(readySubject, {}, { timeoutMs: answersWithin });
        const { installation } = parseRequest(RegistryReadiness, answer);
        if (installation !== undefined && own.id() === undefined) own.keep(installation);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
      }
      await delay(every, undefined, { signal: stopping.signal });
    }
  };
  join().catch((err: unknown) => {
    if (!stopping.signal.aborted) log.error({ err }, 'could not find out whose registry answers');
  });
  return { stop: () => stopping.abort() };
}
