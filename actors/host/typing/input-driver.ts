import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { askedQuestion } from '#actors/host/reading/asked-question.ts';
import { type Observation, observeUntil } from '#actors/host/reading/observation.ts';
import { Failure } from '#contract/failure.ts';
import type { PaneInput } from '#contract/pane/pane.ts';
import { quoted } from '#contract/quoted.ts';
import { isAnswerable, isAtWork } from '#machines/agent/agent-view.ts';
import { interruptOf } from '#machines/harness/definition.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { settleMs } from '#machines/settle.ts';
import { withMutex } from '#world/concurrency/mutex.ts';
import { pastedText } from '#world/terminal/pasted-text.ts';
import type { Terminal, WriteOutcome } from '#world/terminal/terminal.ts';
import { answerAt, type PersonAnswer } from './answering.ts';
import { tellToContinue } from './continuing.ts';
import { pressKey } from './key-press.ts';
import {
  aborted,
  expectWritten,
  fitObservation,
  type PaneTurns,
  type PermittedTarget,
  refused,
  refuseHeld,
  refuseOverBudget,
  refuseUnseenQuestion,
  seen,
  withPane,
} from './pane-mutex.ts';
import { ownPermission, type Permission, permissionBy } from './permission.ts';
import { pasteDraft, submit } from './submission.ts';
import { runningTerminal } from './terminal-mutex.ts';
import { shownPaste } from './typing.ts';
import { reportPartialTyping, typeWithin } from './typing-attempt.ts';

/** How long each part may take, in milliseconds. Together they take less than the registry waits for an answer. */
const limits = {
  paste: 8_000,
  shortPaste: 3_000,
  /** Until a turn ends after the interrupt key. */
  key: 3_000,
} as const;
/** A text of at most this many characters may be invisible as a whole, because the terminal draws none of them. */
const maxUnseen = 8;

export interface InputDriverOptions extends PaneTurns {
  readonly harnesses: Harnesses;
  /** How long an agent's screen has shown a question, in milliseconds; 0 if it shows another one or none. */
  readonly questionMs: (agentId: string, screenDigest: string) => number;
}

/** The screen after an answer, and whether it still shows the same question. */
export interface AnswerOutcome {
  readonly screenDigest: string;
  readonly sameQuestion: boolean;
}

/** A request of the registry: the agent, and the ticket for its permit. */
interface PermittedRequest {
  readonly agentId: string;
  readonly ticket: string;
}

/** A request to type. `beginsTurn`: whether it begins a turn. `stops`: whether it ends one. */
type PaneRequest = PermittedRequest & { readonly beginsTurn?: boolean; readonly stops?: boolean };

type PaneWork = (target: PermittedTarget, name: string, actor: AgentActor) => Promise<Observation>;

/**
 * Types into agents' panes for people, parents and orchestrators: one caller at a time in each pane, and only if the
 * screen, captured again, shows that it is safe. It then checks that the CLI accepted the input.
 */
export class InputDriver {
  readonly #options: InputDriverOptions;
  readonly #stop = new AbortController();
  /** By agent, the screen after keys that only moved the cursor in a list of choices: the next key need not wait. */
  readonly #moved = new Map<string, string>();

  constructor(options: InputDriverOptions) {
    this.#options = options;
  }

  /** Aborts what is in progress. */
  stop(): void {
    this.#stop.abort(new Failure('HOST_STOPPING', 'the host is stopping: what was typed may not have been sent'));
  }

  /**
   * Types a prompt as one paste, submits it, and checks that it was accepted.
   * @throws FAILED_PRECONDITION when nothing may be typed, and nothing was; ABORTED when something was typed and not
   *   accepted; INVALID_ARGUMENT when the text has nothing that can be typed
   */
  prompt({ agentId, ticket }: PermittedRequest, text: string): Promise<void> {
    const prompting = { agentId, ticket, beginsTurn: true };
    return this.#atPane(prompting, isAtWork, async (target, name, { context }) => {
      refuseUnseenQuestion(name, context);
      if (pastedText(text) === '') {
        throw new Failure('INVALID_FIELD', `prompt is ${quoted(text)}, which has nothing to type: give text`, {
          field: 'prompt',
        });
      }
      const before = await fitObservation(
        target,
        name,
        this.#options.harnesses.find(target.harness)?.takesPromptsAtWork,
      );
      const isShort = [...text].length <= maxUnseen;
      const withinMs = isShort ? limits.shortPaste : limits.paste;
      const drafted = await pasteDraft(target, name, { text, before, withinMs });
      if (drafted) return submit(target, name, { before, drafted });
      if (isShort) return submitUnseen(target, name, before);
      throw aborted(name, 'did not show what was pasted');
    });
  }

  /**
   * Interrupts the agent's current turn.
   * @throws FAILED_PRECONDITION when it is not working; ABORTED when the turn does not end
   */
  interrupt(asked: PermittedRequest): Promise<void> {
    return this.#atPane({ ...asked, stops: true }, isAtWork, (target, name) => this.#interrupt(target, name));
  }

  /** As `interrupt`, on the host's own initiative, for an agent that a person has just taken over. */
  stopTurn(agentId: string): Promise<void> {
    const permit = () => ownPermission(this.#options, agentId);
    return this.#withPane({ agentId, permit }, isAtWork, (target, name) => this.#interrupt(target, name));
  }

  /** Reads an agent's screen again, and reports it. @throws FAILED_PRECONDITION when its CLI has ended */
  look(agentId: string): Promise<void> {
    const permit = () => ownPermission(this.#options, agentId);
    return this.#withPane({ agentId, permit }, isAtWork, (target, name) => seen(target, name));
  }

  /**
   * Asks an agent to continue, on the host's own initiative, if its screen still shows a limit of its account.
   * `request` identifies the request, so that after a crash it continues, and types nothing twice.
   * @throws FAILED_PRECONDITION when nothing may be typed, and nothing was; ABORTED when something was typed and not
   *   accepted
   */
  resumeWork(agentId: string, request: string): Promise<void> {
    const permit = () => ownPermission(this.#options, agentId);
    return this.#withPane({ agentId, permit, beginsTurn: true }, isAtWork, (target, name, { context }) => {
      refuseHeld(name, context);
      if (context.park === undefined) throw refused('SCREEN_UNCLEAR', name, 'it is not parked any more');
      const harness = this.#options.harnesses.find(target.harness);
      const questionMs = (digest: string) => this.#options.questionMs(agentId, digest);
      return reportPartialTyping(target.attempt, () => tellToContinue(target, name, { harness, request, questionMs }));
    });
  }

  async #interrupt(target: PermittedTarget, name: string): Promise<Observation> {
    const { key, presses, againMs = limits.key } = interruptOf(this.#options.harnesses.find(target.harness) ?? {});
    for (let press = 0; press < presses; press += 1) {
      const { reading, capture } = await seen(target, name);
      if (capture.inMode) throw refused('WINDOW_SCROLLED', name, 'a person scrolls in its window');
      if (reading.state !== 'AGENT_STATE_THINKING') {
        throw refused('NO_TURN', name, `it is not working, so there is no turn to interrupt (${reading.state})`);
      }
      await pressKey(target, name, key);
      const rested = await observeUntil(
        target,
        press + 1 < presses ? againMs : limits.key,
        (observation, unchangedMs) => observation.reading.state !== 'AGENT_STATE_THINKING' && unchangedMs >= settleMs,
      );
      if (rested) return rested;
    }
    throw aborted(name, `continues its turn after ${key} was pressed ${presses} times`);
  }

  /**
   * Types a person's input into the pane of an agent that they hold.
   * @throws FAILED_PRECONDITION when it is not held, a person scrolls in its window, or its CLI has ended
   */
  type({ agentId, ticket }: PermittedRequest, inputs: readonly PaneInput[]): Promise<void> {
    const { actor: actorOf, terminals, clock } = this.#options;
    return withMutex(`pane of ${agentId}`, async () => {
      const permission = await permissionBy(this.#options, ticket);
      actorOf(agentId)?.refresh(permission.record);
      const actor = actorOf(agentId);
      const { paneId, name = agentId, heldAt } = actor?.context ?? {};
      const terminal = actor && paneId !== undefined && (await runningTerminal(terminals, actor.record.family));
      if (!terminal) throw refused('CLI_ENDED', name, 'it has no window');
      if (heldAt === undefined) throw refused('AGENT_NOT_HELD', name, 'it is not held: call hold_agent first');
      const attempt = { clock, until: permission.until, isTyped: false };
      await reportPartialTyping(attempt, async () => {
        for (const input of inputs) {
          expectWritten(await typeWithin(attempt, (until) => typed({ terminal, paneId, until }, input)), name);
        }
      });
    });
  }

  /**
   * Answers the question that a person has seen.
   * @throws FAILED_PRECONDITION when the screen asks nothing; ABORTED when it is not the one that the person saw, or a
   *   key had no effect
   */
  async answer(
    asked: PermittedRequest,
    { questionDigest, ...given }: Omit<PersonAnswer, 'isAsked'> & { readonly questionDigest?: string | undefined },
  ): Promise<AnswerOutcome> {
    let outcome: AnswerOutcome = { screenDigest: '', sameQuestion: false };
    await this.#atPane(asked, isAnswerable, async (target, name) => {
      // A rule answers only what has stood still from now on, to the last character.
      const isAsked =
        questionDigest === undefined
          ? undefined
          : (one: Observation) => askedQuestion(this.#options.harnesses, one)?.digest === questionDigest;
      const isMoved = this.#moved.get(asked.agentId) === given.screenDigest;
      const questionMs = (): number =>
        isMoved && isAsked === undefined
          ? Number.POSITIVE_INFINITY
          : isAsked === undefined
            ? this.#options.questionMs(asked.agentId, given.screenDigest)
            : 0;
      const { observation, sameQuestion } = await answerAt(target, name, { ...given, isAsked }, questionMs);
      outcome = { screenDigest: observation.screenDigest, sameQuestion };
      return observation;
    });
    if (outcome.sameQuestion) this.#moved.set(asked.agentId, outcome.screenDigest);
    else this.#moved.delete(asked.agentId);
    return outcome;
  }

  /**
   * As `#withPane`, with the permit of a ticket.
   * @throws FAILED_PRECONDITION also when a person holds the agent; BUDGET_SPENT when a budget does, unless it is stopped
   */
  #atPane(
    { agentId, ticket, beginsTurn = false, stops = false }: PaneRequest,
    isPossible: (phase: string) => boolean,
    work: PaneWork,
  ): Promise<void> {
    const permit = () => permissionBy(this.#options, ticket);
    return this.#withPane({ agentId, permit, beginsTurn }, isPossible, async (target, name, actor) => {
      refuseHeld(name, actor.context);
      if (!stops) refuseOverBudget(name, actor.context);
      return reportPartialTyping(target.attempt, () => work(target, name, actor));
    });
  }

  /** Runs `work` with exclusive access to an agent's pane, if the agent's phase allows it. */
  #withPane(
    turn: { readonly agentId: string; readonly permit: () => Promise<Permission>; readonly beginsTurn?: boolean },
    isPossible: (phase: string) => boolean,
    work: (target: PermittedTarget, name: string, actor: AgentActor) => Promise<Observation>,
  ): Promise<void> {
    return withPane(this.#options, { ...turn, isPossible, signal: this.#stop.signal }, work);
  }
}

/**
 * Presses Enter on a draft that cannot be seen, in a composer that was at rest and empty before. If the paste did not
 * arrive, Enter has no effect.
 */
async function submitUnseen(target: PermittedTarget, name: string, before: Observation): Promise<Observation> {
  const { reading, capture } = await seen(target, name);
  const isAtRest = reading.state === 'AGENT_STATE_IDLE' && !capture.inMode;
  const enter = (until: number) => target.terminal.submit(target.paneId, undefined, until);
  if (isAtRest) expectWritten(await typeWithin(target.attempt, enter), name);
  const after = isAtRest && (await shownPaste(target, before, limits.key));
  if (after) return after;
  throw aborted(name, 'did not show what was pasted');
}

/** Types one item of a person's input. */
async function typed(
  { terminal, paneId, until }: { readonly terminal: Terminal; readonly paneId: string; readonly until: number },
  { text, key, paste }: PaneInput,
): Promise<WriteOutcome> {
  if (key !== undefined) return terminal.press(paneId, [key], until);
  if (paste) return terminal.paste(paneId, paste, undefined, until);
  return terminal.type(paneId, text ?? '', until);
}
