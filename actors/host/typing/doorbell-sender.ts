import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import { retry } from '#actors/host/agent/retry.ts';
import type { Observation, Target } from '#actors/host/reading/observation.ts';
import { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import { isTransient } from '#contract/transient.ts';
import type { Bell } from '#contract/wire/agent-record.ts';
import { isAtWork, phaseOf } from '#machines/agent/agent-view.ts';
import { asksTheSame, ringLine, ringLineIn } from '#machines/doorbell/ring-line.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { settleMs } from '#machines/settle.ts';
import { bellStamps, pastedStamps } from './bell-stamp.ts';
import {
  aborted,
  fitObservation,
  type PaneTurns,
  type PermittedTarget,
  refused,
  refuseHeld,
  refuseOverBudget,
  refuseUnfit,
  seen,
  withPane,
} from './pane-mutex.ts';
import { PasteCount } from './paste-count.ts';
import { ownPermission } from './permission.ts';
import { pasteDraft, submit } from './submission.ts';

/** How long a pasted line may take to appear, in milliseconds. */
const pasteWithin = 8_000;

export interface DoorbellSenderOptions extends PaneTurns {
  readonly harnesses: Harnesses;
  readonly registry: Pick<RegistryClient, 'rung' | 'permit' | 'load'>;
  /** How long an agent's pane has shown a screen, in milliseconds; 0 if it shows another one. */
  readonly unchangedMs: (agentId: string, digest: string) => number;
  readonly log: Log;
}

/**
 * Rings the doorbells of agents: types one line into a pane, only if the pane is at rest with an empty composer. The
 * command that types also stamps the pane, so that after a crash the next process knows what was typed.
 */
export class DoorbellSender {
  readonly #options: DoorbellSenderOptions;
  readonly #stop = new AbortController();
  /** The agents whose doorbells are being rung. */
  readonly #busy = new Set<string>();
  readonly #pastes = new PasteCount();

  constructor(options: DoorbellSenderOptions) {
    this.#options = options;
  }

  /** Rings an agent's doorbell if it has one and its pane may be at rest. Called after each change, and regularly. */
  check(actor: AgentActor): void {
    const { id, bell } = actor.record;
    if (bell === undefined || this.#busy.has(id) || !mayBeRung(actor) || this.#stop.signal.aborted) return;
    this.#busy.add(id);
    this.#ring(actor, bell)
      .catch((err: unknown) => this.#failed(id, err))
      .finally(() => {
        this.#busy.delete(id);
        // Only another doorbell is rung at once. The same one waits for the next call.
        if (actor.record.bell !== undefined && actor.record.bell.id !== bell.id) this.check(actor);
      });
  }

  /** Aborts what is in progress. */
  stop(): void {
    this.#stop.abort(new Failure('HOST_STOPPING', 'the host is stopping'));
  }

  #failed(agentId: string, err: unknown): void {
    if (this.#stop.signal.aborted) return;
    const isNotNow = err instanceof Failure && (err.code === 'failed_precondition' || isTransient(err));
    if (isNotNow) this.#options.log.debug({ agentId, reason: err.message }, 'a doorbell cannot be rung yet');
    else this.#options.log.warn({ err, agentId }, 'a doorbell could not be rung');
  }

  async #ring(actor: AgentActor, bell: Bell): Promise<void> {
    const { signal } = this.#stop;
    const { id: agentId, epoch } = actor.record;
    let noting: Promise<void> | undefined;
    const note = (): void => {
      if (noting !== undefined) return;
      noting = this.#note(actor, epoch, bell.id);
      // It may reject before it is awaited below. Without a handler, that would be an unhandled rejection.
      noting.catch(() => undefined);
    };
    try {
      const permit = () => ownPermission(this.#options, agentId);
      await withPane(
        this.#options,
        { agentId, isPossible: isAtWork, permit, signal, beginsTurn: true },
        (target, name) => this.#type(target, name, actor, bell, note),
      );
    } finally {
      await noting;
    }
  }

  async #note(actor: AgentActor, epoch: number, bellId: string): Promise<void> {
    const { registry, clock } = this.#options;
    actor.refresh(await retry(clock, this.#stop.signal, () => registry.rung(actor.record.id, epoch, bellId)));
  }

  async #type(
    target: PermittedTarget,
    name: string,
    actor: AgentActor,
    bell: Bell,
    entered: () => void,
  ): Promise<Observation> {
    const { harnesses } = this.#options;
    const stamps = bellStamps(bell.id);
    const stamp = await target.terminal.stampOf(target.paneId);
    if (stamp === stamps.rung) {
      entered();
      return seen(target, name);
    }
    const { notePrefix } = harnesses.find(target.harness) ?? {};
    const line = ringLine(bell.causes, notePrefix);
    const now = await seen(target, name);
    refuseHeld(name, actor.context);
    refuseOverBudget(name, actor.context);
    refuseClaimed(name, actor, bell);
    const checkOf =
      (pasted: string) =>
      ({ composed }: Observation): void => {
        refuseHeld(name, actor.context);
        refuseOverBudget(name, actor.context);
        if (!isOnlyLine(pasted, composed, now.composed))
          throw aborted(name, 'shows other text in addition to the doorbell’s line');
      };
    const left = leftIn(now, stamp, notePrefix);
    if (left !== undefined) {
      // It is this doorbell's line if it asks for the same, whichever doorbell it was pasted for.
      const isOwn = asksTheSame(left.line, line);
      const own = isOwn ? { stamp: stamps.rung, entered } : { stamp: left.rung };
      return submit(target, name, { check: checkOf(left.line), ...own, before: undefined, drafted: now });
    }
    const before = await this.#atRest(target, name, actor, now);
    // It may have been claimed while the pane was observed.
    refuseClaimed(name, actor, bell);
    this.#pastes.add({ agentId: actor.record.id, name, bellId: bell.id }, this.#options.clock.monotonic());
    const pasted = { text: line, stamp: stamps.pasted, before, withinMs: pasteWithin };
    const drafted = await pasteDraft(target, name, pasted);
    if (!drafted) throw aborted(name, 'did not show the doorbell’s line');
    return submit(target, name, { check: checkOf(line), stamp: stamps.rung, entered, before, drafted });
  }

  /** Waits for the screen at rest with an empty composer; not at all if it has been so for long enough. */
  async #atRest(target: Target, name: string, actor: AgentActor, now: Observation): Promise<Observation> {
    refuseUnfit(now, name, false);
    return this.#options.unchangedMs(actor.record.id, now.digest) >= settleMs ? now : fitObservation(target, name);
  }

  /** Forgets a deleted agent. */
  forget(agentId: string): void {
    this.#pastes.forget(agentId);
  }
}

/**
 * The line of a doorbell that is left in a composer, because this host ended or was stopped between paste and Enter;
 * any other text is a person's. Nothing else removes it after its doorbell was claimed or raised again.
 */
function leftIn(
  { composed, capture }: Observation,
  stamp: string | undefined,
  notePrefix: string | undefined,
): { readonly line: string; readonly rung: string } | undefined {
  const pasted = pastedStamps(stamp);
  const line = ringLineIn(composed, notePrefix);
  if (pasted === undefined || line === undefined || capture.inMode) return undefined;
  const prompt = notePrefix === undefined ? '' : composed.slice(0, Math.max(0, composed.indexOf(line)));
  return isOnlyLine(line, composed, prompt) ? { line, rung: pasted.rung } : undefined;
}

/** Whether a composer holds only the line, apart from the hint that it showed when it was empty. */
function isOnlyLine(line: string, composed: string, empty = ''): boolean {
  const [whole = '', own = '', hint = ''] = [composed, line, empty].map((text) => text.replace(/\s+/g, ''));
  const rest = whole.replace(own, '');
  return rest !== whole && hint.includes(rest);
}

/** @throws FAILED_PRECONDITION when the agent has claimed its doorbell, or another one was raised since */
function refuseClaimed(name: string, { record }: AgentActor, bell: Bell): void {
  if (record.bell?.id !== bell.id) throw refused('DOORBELL_CLAIMED', name, 'its doorbell is claimed');
}

/** Whether an agent's pane is at rest by its last reading, or holds a draft that may be the line itself. */
function mayBeRung({ record, context }: AgentActor): boolean {
  if (context.heldAt !== undefined || context.overBudget !== undefined || context.park !== undefined) return false;
  const phase = phaseOf(record.snapshot.value);
  return phase === 'live.idle' || (phase === 'live.uncertain' && context.drafted === true);
}
