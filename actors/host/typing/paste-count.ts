import { refused } from './pane-mutex.ts';

/** How often a doorbell's line is pasted without effect before a pause. */
const maxPastes = 3;
const whileMs = 5 * 60_000;

/** Counts how often each agent's current doorbell was pasted. */
export class PasteCount {
  readonly #pastes = new Map<string, { readonly bellId: string; count: number; at: number }>();

  /**
   * Counts a paste.
   * @throws FAILED_PRECONDITION when the last ones had no effect: then nothing is pasted for a while
   */
  add(
    { agentId, name, bellId }: { readonly agentId: string; readonly name: string; readonly bellId: string },
    now: number,
  ): void {
    const known = this.#pastes.get(agentId);
    const pastes = known?.bellId === bellId ? known : { bellId, count: 0, at: now };
    if (pastes.count >= maxPastes && now - pastes.at < whileMs) {
      throw refused('DOORBELL_NOT_TAKEN', name, `the doorbell’s line had no effect, ${pastes.count} times`);
    }
    pastes.count += 1;
    pastes.at = now;
    this.#pastes.set(agentId, pastes);
  }

  /** Forgets a deleted agent. */
  forget(agentId: string): void {
    this.#pastes.delete(agentId);
  }
}
