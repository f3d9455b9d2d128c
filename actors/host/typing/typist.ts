import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { lastRowsOf, lookUntil, type Sight } from '#actors/host/reading/sight.ts';
import { Failure } from '#contract/failure.ts';
import type { Key } from '#contract/key.ts';
import type { PaneInput } from '#contract/pane/pane.ts';
import { screenMark } from '#contract/pane/sighting.ts';
import { quoted } from '#contract/quoted.ts';
import { isAnswerable, isAtWork } from '#machines/agent/agent-view.ts';
import { interruptOf } from '#machines/harness/definition.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { settleMs } from '#machines/settle.ts';
import { alone } from '#world/concurrency/alone.ts';
import { pastedText } from '#world/terminal/pasted-text.ts';
import type { Terminal, Written } from '#world/terminal/terminal.ts';
import {
  aborted,
  expectWritten,
  fitSight,
  inPaneTurn,
  type PaneTurns,
  type PermittedSpot,
  refused,
  refuseHeld,
  seen,
} from './pane-turn.ts';
import { ownPermission, type Permission, permissionBy } from './permission.ts';
import { submit } from './submission.ts';
import { runningTerminal } from './terminal-turn.ts';
import { truthfully, typeWithin } from './traces.ts';
import { isEcho, shownPaste } from './typing.ts';

/** How long each part may take, in milliseconds: together less than the registry waits for an answer. */
const limits = {
  /** For so long a question may take to stand. */
  question: 2_000,
  paste: 8_000,
  shortPaste: 3_000,
  /** Until a key shows. */
  key: 3_000,
} as const;
/** For so long a question stands before it is answered: some CLIs take no key in its first moments, lest it was meant for what was there before. */
const questionMs = 800;
/** A longer text always shows. A few characters may all be of a kind that the terminal cannot draw. */
const unseenMost = 8;

export interface TypistOptions extends PaneTurns {
  readonly harnesses: Harnesses;
}

/** What the registry asks for: of which agent, and what its permit is asked for with. */
interface Asked {
  readonly agentId: string;
  readonly ticket: string;
}

type PaneWork = (spot: PermittedSpot, name: string) => Promise<Sight>;

/**
 * Types into agents' panes for people, for parents and for orchestrators: one at a time in each pane, only where the
 * screen read anew says that it is safe, and only what is then seen to be taken.
 */
export class Typist {
  readonly #options: TypistOptions;
  readonly #stop = new AbortController();

  constructor(options: TypistOptions) {
    this.#options = options;
  }

  /** Ends whatever is under way. */
  stop(): void {
    this.#stop.abort(new Failure('unavailable', 'the host is stopping: what was typed may not have been sent'));
  }

  /**
   * Types a prompt as one paste, submits it, and sees it taken.
   * @throws Failure `failed_precondition` where nothing may be typed and nothing was, `aborted` where something was typed
   *   and not taken, `invalid_argument` where nothing is left of the text
   */
  prompt({ agentId, ticket }: Asked, text: string): Promise<void> {
    return this.#atPane({ agentId, ticket }, isAtWork, async (spot, name) => {
      if (pastedText(text) === '') {
        throw new Failure('invalid_argument', `prompt is ${quoted(text)}, in which nothing can be typed: give a text`);
      }
      const before = await fitSight(spot, name, this.#options.harnesses.find(spot.harness)?.takesPromptsAtWork);
      const paste = (until: number) => spot.terminal.paste(spot.paneId, text, undefined, until);
      expectWritten(await typeWithin(spot.traces, paste), name);
      const isShort = [...text].length <= unseenMost;
      const drafted = await shownPaste(spot, before, isShort ? limits.shortPaste : limits.paste);
      if (drafted) return submit(spot, name, { before, drafted });
      if (isShort) return submitUnseen(spot, name, before);
      throw aborted(name, 'showed nothing of what was pasted');
    });
  }

  /**
   * Ends the turn that the agent is at.
   * @throws Failure `failed_precondition` where it is at none, `aborted` where it goes on all the same
   */
  interrupt(asked: Asked): Promise<void> {
    return this.#atPane(asked, isAtWork, (spot, name) => this.#interrupt(spot, name));
  }

  /** As `interrupt`, for an agent that a person has just taken over. */
  stopTurn(agentId: string): Promise<void> {
    const permit = () => ownPermission(this.#options, agentId);
    return this.#inTurn({ agentId, permit }, isAtWork, (spot, name) => this.#interrupt(spot, name));
  }

  async #interrupt(spot: PermittedSpot, name: string): Promise<Sight> {
    const { key, presses } = interruptOf(this.#options.harnesses.find(spot.harness) ?? {});
    for (let press = 0; press < presses; press += 1) {
      const { reading, capture } = await seen(spot, name);
      if (capture.inMode) throw refused(name, 'a person scrolls in its window');
      if (reading.state !== 'AGENT_STATE_THINKING') {
        throw refused(name, `it is at no turn that could be interrupted (${reading.state})`);
      }
      await pressKey(spot, name, key);
      const rested = await lookUntil(
        spot,
        limits.key,
        (sight, unchangedMs) => sight.reading.state !== 'AGENT_STATE_THINKING' && unchangedMs >= settleMs,
      );
      if (rested) return rested;
    }
    throw aborted(name, `goes on with its turn after ${key} was pressed ${presses} times`);
  }

  /**
   * Types what a person types into the pane of an agent that they hold.
   * @throws Failure `failed_precondition` where nobody holds it, a person scrolls in its window, or its CLI has ended
   */
  type({ agentId, ticket }: Asked, inputs: readonly PaneInput[]): Promise<void> {
    const { actor: actorOf, terminals, clock } = this.#options;
    return alone(`pane of ${agentId}`, async () => {
      const permission = await permissionBy(this.#options, ticket);
      actorOf(agentId)?.refresh(permission.record);
      const actor = actorOf(agentId);
      const { paneId, name = agentId, heldAt } = actor?.context ?? {};
      const terminal = actor && paneId !== undefined && (await runningTerminal(terminals, actor.record.family));
      if (!terminal) throw refused(name, 'it has no window');
      if (heldAt === undefined) throw refused(name, 'nobody has taken it over: hold_agent does');
      const traces = { clock, until: permission.until, isTyped: false };
      await truthfully(traces, async () => {
        for (const input of inputs) {
          expectWritten(await typeWithin(traces, (until) => typed({ terminal, paneId, until }, input)), name);
        }
      });
    });
  }

  /**
   * Answers the question that a person has seen, key after key, each once the one before it shows.
   * @throws Failure `failed_precondition` where no question is asked, `aborted` where the screen is another one than the
   *   person saw, or a key did nothing
   */
  answer(asked: Asked, screenDigest: string, keys: readonly Key[]): Promise<void> {
    return this.#atPane(asked, isAnswerable, async (spot, name) => {
      const stands = (one: Sight) => one.reading.state === 'AGENT_STATE_WAITING' && one.screenDigest === screenDigest;
      const looked = await lookUntil(
        spot,
        limits.question,
        (one, unchangedMs) => !stands(one) || unchangedMs >= questionMs,
      );
      let sight = looked ?? (await seen(spot, name));
      if (sight.reading.state !== 'AGENT_STATE_WAITING') {
        throw refused(name, `it asks nothing (${sight.reading.state})`);
      }
      if (sight.screenDigest !== screenDigest) {
        throw new Failure(
          'aborted',
          `The screen of agent ${quoted(name)} is not the one that was answered (${sight.screenDigest} now): read it again`,
        );
      }
      let isOpen = true;
      for (const [place, key] of keys.entries()) {
        if (!isOpen) {
          throw aborted(name, `asks nothing more after ${place} of ${keys.length} keys: the rest was not pressed`);
        }
        const before = sight;
        sight = await pressed(spot, name, before, key);
        isOpen = sight.reading.state === 'AGENT_STATE_WAITING' || isEcho(before, sight, key);
      }
      return sight;
    });
  }

  /** As `#inTurn`, unless a person holds the agent. */
  #atPane({ agentId, ticket }: Asked, isPossible: (phase: string) => boolean, work: PaneWork): Promise<void> {
    const permit = () => permissionBy(this.#options, ticket);
    return this.#inTurn({ agentId, permit }, isPossible, async (spot, name, actor) => {
      refuseHeld(name, actor.context);
      return truthfully(spot.traces, () => work(spot, name));
    });
  }

  /** Does a piece of work at an agent's pane, where its phase allows it. */
  #inTurn(
    turn: { readonly agentId: string; readonly permit: () => Promise<Permission> },
    isPossible: (phase: string) => boolean,
    work: (spot: PermittedSpot, name: string, actor: AgentActor) => Promise<Sight>,
  ): Promise<void> {
    return inPaneTurn(this.#options, { ...turn, isPossible, signal: this.#stop.signal }, work);
  }
}

/**
 * Presses Enter on a draft that cannot be seen, in a composer that was at rest and empty before: where the paste did not
 * come, that does nothing.
 */
async function submitUnseen(spot: PermittedSpot, name: string, before: Sight): Promise<Sight> {
  const { reading, capture } = await seen(spot, name);
  const isAtRest = reading.state === 'AGENT_STATE_IDLE' && !capture.inMode;
  const enter = (until: number) => spot.terminal.submit(spot.paneId, undefined, until);
  if (isAtRest) expectWritten(await typeWithin(spot.traces, enter), name);
  const after = isAtRest && (await shownPaste(spot, before, limits.key));
  if (after) return after;
  throw aborted(name, 'showed nothing of what was pasted');
}

/** Presses a key. @throws Failure where that came to nothing */
async function pressKey({ terminal, paneId, traces }: PermittedSpot, name: string, key: Key): Promise<void> {
  expectWritten(await typeWithin(traces, (until) => terminal.press(paneId, [key], until)), name);
}

/** Presses a key and waits until it shows. @throws Failure `aborted` where it does not */
async function pressed(spot: PermittedSpot, name: string, before: Sight, key: Key): Promise<Sight> {
  await pressKey(spot, name, key);
  const after = await lookUntil(
    spot,
    limits.key,
    (sight, unchangedMs) =>
      sight.screenDigest !== before.screenDigest &&
      (unchangedMs >= settleMs || sight.reading.state === 'AGENT_STATE_THINKING'),
  );
  if (after) return after;
  throw aborted(name, `did not react to ${key}${screenMark}\n${lastRowsOf(before.capture, 10)}`);
}

/** Types one piece of a person's input. */
async function typed(
  { terminal, paneId, until }: { readonly terminal: Terminal; readonly paneId: string; readonly until: number },
  { text, key, paste }: PaneInput,
): Promise<Written> {
  if (key !== undefined) return terminal.press(paneId, [key], until);
  if (paste) return terminal.paste(paneId, paste, undefined, until);
  return terminal.type(paneId, text ?? '', until);
}
