import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { isPassing, patiently } from '#actors/host/agent/patience.ts';
import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import type { Sight, Spot } from '#actors/host/reading/sight.ts';
import { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import type { Bell } from '#contract/wire/agent-record.ts';
import { isAtWork, phaseOf } from '#machines/agent/agent-view.ts';
import { ringLine } from '#machines/doorbell/ring-line.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { settleMs } from '#machines/settle.ts';
import { bellStamps } from './bell-stamp.ts';
import {
  aborted,
  expectWritten,
  fitSight,
  inPaneTurn,
  type PaneTurns,
  type PermittedSpot,
  refused,
  refuseHeld,
  refuseUnfit,
  seen,
} from './pane-turn.ts';
import { ownPermission } from './permission.ts';
import { submit } from './submission.ts';
import { typeWithin } from './traces.ts';
import { shownPaste } from './typing.ts';

/** How long a pasted line may take to show, in milliseconds. */
const pasteWithin = 8_000;
/** How often the line of one doorbell is pasted into a pane where nothing comes of it, before that is left for a while. */
const pastesMost = 3;
const whileMs = 5 * 60_000;

export interface RingerOptions extends PaneTurns {
  readonly harnesses: Harnesses;
  readonly registry: Pick<RegistryClient, 'rung' | 'permit' | 'load'>;
  /** For how long the agent's pane has shown a screen, in milliseconds; 0 where it shows another one. */
  readonly unchangedMs: (agentId: string, digest: string) => number;
  readonly log: Log;
}

/**
 * Rings the doorbells of agents: types one line where a pane is at rest with nothing typed, and nowhere else. The pane is
 * stamped in the step that types, so that whoever takes over after a crash sees what was typed.
 */
export class Ringer {
  readonly #options: RingerOptions;
  readonly #stop = new AbortController();
  /** The agents at whose panes something is under way. */
  readonly #busy = new Set<string>();
  /** How often the line of an agent's doorbell was pasted. */
  readonly #pastes = new Map<string, { readonly bellId: string; count: number; at: number }>();

  constructor(options: RingerOptions) {
    this.#options = options;
  }

  /** Looks whether an agent is to be called, and may be: with each record that its actor holds, and now and then. */
  hear(actor: AgentActor): void {
    const { id, bell } = actor.record;
    if (bell === undefined || this.#busy.has(id) || !mayBeRung(actor) || this.#stop.signal.aborted) return;
    this.#busy.add(id);
    this.#ring(actor, bell)
      .catch((err: unknown) => this.#failed(id, err))
      .finally(() => {
        this.#busy.delete(id);
        // What has come meanwhile is another doorbell; the same one waits until the pane moves, or for the next round.
        if (actor.record.bell !== undefined && actor.record.bell.id !== bell.id) this.hear(actor);
      });
  }

  /** Ends whatever is under way. */
  stop(): void {
    this.#stop.abort(new Failure('unavailable', 'the host is stopping'));
  }

  #failed(agentId: string, err: unknown): void {
    if (this.#stop.signal.aborted) return;
    const isNotNow = err instanceof Failure && (err.code === 'failed_precondition' || isPassing(err));
    if (isNotNow) this.#options.log.debug({ agentId, reason: err.message }, 'a doorbell is rung later');
    else this.#options.log.warn({ err, agentId }, 'a doorbell could not be rung');
  }

  async #ring(actor: AgentActor, bell: Bell): Promise<void> {
    const { signal } = this.#stop;
    const { id: agentId, epoch } = actor.record;
    let noting: Promise<void> | undefined;
    const note = (): void => {
      if (noting !== undefined) return;
      noting = this.#note(actor, epoch, bell.id);
      // It may be refused long before anybody waits for it: whoever does is told all the same.
      noting.catch(() => undefined);
    };
    try {
      const permit = () => ownPermission(this.#options, agentId);
      await inPaneTurn(this.#options, { agentId, isPossible: isAtWork, permit, signal }, (spot, name) =>
        this.#type(spot, name, actor, bell, note),
      );
    } finally {
      await noting;
    }
  }

  async #note(actor: AgentActor, epoch: number, bellId: string): Promise<void> {
    const { registry, clock } = this.#options;
    actor.refresh(await patiently(clock, this.#stop.signal, () => registry.rung(actor.record.id, epoch, bellId)));
  }

  async #type(spot: PermittedSpot, name: string, actor: AgentActor, bell: Bell, entered: () => void): Promise<Sight> {
    const { harnesses } = this.#options;
    const stamps = bellStamps(bell.id);
    const stamp = await spot.terminal.stampOf(spot.paneId);
    if (stamp === stamps.rung) {
      entered();
      return seen(spot, name);
    }
    const { notePrefix } = harnesses.find(spot.harness) ?? {};
    const line = ringLine(bell.causes, notePrefix);
    const now = await seen(spot, name);
    refuseHeld(name, actor.context);
    refuseClaimed(name, actor, bell);
    const check = ({ composed }: Sight): void => {
      refuseHeld(name, actor.context);
      if (!standsAlone(line, composed, now.composed))
        throw aborted(name, 'shows something beside the line that calls it');
    };
    const submission = () => ({ check, stamp: stamps.rung, entered });
    // A host that died between paste and Enter has left the line; anything else that stands there is a person's.
    const prompt = notePrefix === undefined ? '' : now.composed.slice(0, Math.max(0, now.composed.indexOf(line)));
    const isLeft = stamp === stamps.pasted && !now.capture.inMode && standsAlone(line, now.composed, prompt);
    if (isLeft) return submit(spot, name, { ...submission(), before: undefined, drafted: now });
    const before = await this.#atRest(spot, name, actor, now);
    // It may have been claimed while the pane was looked at.
    refuseClaimed(name, actor, bell);
    this.#countPaste(actor.record.id, name, bell.id);
    const paste = (until: number) => spot.terminal.paste(spot.paneId, line, stamps.pasted, until);
    expectWritten(await typeWithin(spot.traces, paste), name);
    const drafted = await shownPaste(spot, before, pasteWithin);
    if (!drafted) throw aborted(name, 'showed nothing of the line that calls it');
    return submit(spot, name, { ...submission(), before, drafted });
  }

  /** The screen at rest with nothing typed: at once where it has been that for long enough. */
  async #atRest(spot: Spot, name: string, actor: AgentActor, now: Sight): Promise<Sight> {
    refuseUnfit(now, name, false);
    return this.#options.unchangedMs(actor.record.id, now.digest) >= settleMs ? now : fitSight(spot, name);
  }

  /** Lets go of an agent that is gone. */
  forget(agentId: string): void {
    this.#pastes.delete(agentId);
  }

  #countPaste(agentId: string, name: string, bellId: string): void {
    const known = this.#pastes.get(agentId);
    const now = this.#options.clock.monotonic();
    const pastes = known?.bellId === bellId ? known : { bellId, count: 0, at: now };
    if (pastes.count >= pastesMost && now - pastes.at < whileMs) {
      throw refused(name, `nothing came of the line that calls it, ${pastes.count} times`);
    }
    pastes.count += 1;
    pastes.at = now;
    this.#pastes.set(agentId, pastes);
  }
}

/** Whether a composer holds the line and nothing else but what stood there, as a hint, when it was empty. */
function standsAlone(line: string, composed: string, empty = ''): boolean {
  const [whole = '', own = '', hint = ''] = [composed, line, empty].map((text) => text.replace(/\s+/g, ''));
  const rest = whole.replace(own, '');
  return rest !== whole && hint.includes(rest);
}

/** @throws Failure `failed_precondition` where the agent has claimed its doorbell, or another one was raised since */
function refuseClaimed(name: string, { record }: AgentActor, bell: Bell): void {
  if (record.bell?.id !== bell.id) throw refused(name, 'its doorbell is claimed');
}

/** Whether an agent's pane, as far as it is known, can take the line, or shows one that may be the line itself. */
function mayBeRung({ record, context }: AgentActor): boolean {
  if (context.heldAt !== undefined) return false;
  const phase = phaseOf(record.snapshot.value);
  return phase === 'live.idle' || (phase === 'live.uncertain' && context.reason.startsWith('draft'));
}
