import type { Service } from '#actors/worker/service.ts';
import type { Bus } from '#bus/bus.ts';
import { publishFact } from '#bus/facts.ts';

/**
 * Has watches ask again about an agent when the time of a rule for its question is over: no fact is recorded then.
 * A watcher recovers from a hint that a restart loses by asking at its heartbeat.
 */
export class QuestionHints implements Service {
  readonly #bus: Bus;
  readonly #due = new Map<string, { readonly at: number; readonly timer: ReturnType<typeof setTimeout> }>();
  #isStopped = false;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** Hints about an agent after so many milliseconds, unless a hint about it is due before. */
  later(agentId: string, ms: number): void {
    const at = performance.now() + ms;
    const due = this.#due.get(agentId);
    if (this.#isStopped || (due !== undefined && due.at <= at)) return;
    clearTimeout(due?.timer);
    const hint = (): void => {
      this.#due.delete(agentId);
      publishFact(this.#bus, { kind: 'agent.waits', seq: '0', subjectId: agentId });
    };
    this.#due.set(agentId, { at, timer: setTimeout(hint, ms) });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { timer } of this.#due.values()) clearTimeout(timer);
    this.#due.clear();
  }
}
