import type { z } from 'zod';
import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { askedQuestion } from '#actors/host/reading/asked-question.ts';
import { cliOf, type Observation, type ObservePane } from '#actors/host/reading/observation.ts';
import { runningTerminal } from '#actors/host/typing/terminal-mutex.ts';
import { Failure } from '#contract/failure.ts';
import type { hostCalls } from '#contract/wire/registry.ts';
import type { HarnessSet } from '#machines/harness/harness-set.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { explain } from '#machines/pane/read.ts';
import { tailOf } from '#machines/pane/tail.ts';
import { withinTime } from '#world/concurrency/time-limit.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import { resolvedPath } from '#world/file/resolved-path.ts';
import type { Terminals } from '#world/terminal/terminal.ts';
import type { CheckedReading } from './self-report-check.ts';

/** Maximum size of a screen in one answer, in bytes. */
const screenBytes = 1024 * 1024;
/** The same for a screen that is stored with an answer. */
const questionScreenBytes = 4 * 1024;
/** How long the search for rules that did not match may take, in milliseconds. */
const explainWithin = 1_000;

export interface InspectorOptions {
  readonly actor: (agentId: string) => AgentActor | undefined;
  readonly terminals: Terminals;
  readonly harnesses: HarnessSet;
  readonly observePane: ObservePane;
  readonly clock: Timer;
  /** The checked reading of an agent's pane; undefined before its first observation. */
  readonly checkedReading: (agentId: string) => CheckedReading | undefined;
}

type Inspection = z.input<typeof hostCalls.look.response>;
type WatchResponse = z.input<typeof hostCalls.watch.response>;
type WatchedScreen = NonNullable<WatchResponse['seen']>;

/** Observes agents' panes on request, without changing anything. */
export class Inspector {
  readonly #options: InspectorOptions;

  constructor(options: InspectorOptions) {
    this.#options = options;
  }

  /**
   * Observes an agent's pane: its screen without secrets, its reading, and which rules did not match.
   * @throws FAILED_PRECONDITION when it has no pane
   */
  async inspect(agentId: string): Promise<Inspection> {
    const observation = await this.#observation(agentId);
    const { why = '', reading } = this.#options.checkedReading(agentId) ?? {};
    const verdict = reading && why !== '' && { state: reading.state, reason: reading.reason, why };
    return {
      ...this.#seen(observation, observation.recorded),
      lost: this.#lost(observation),
      rules: this.#rules(observation),
      ...(verdict && { verdict }),
    };
  }

  /**
   * Observes an agent's pane, and returns the raw screen if it differs from the cursor's.
   * @throws FAILED_PRECONDITION when it has no pane
   */
  async glance(agentId: string, cursor: string): Promise<WatchResponse> {
    const observation = await this.#observation(agentId);
    return {
      cursor: observation.fullDigest,
      ...(observation.fullDigest !== cursor && { seen: this.#seen(observation, observation.capture) }),
    };
  }

  /**
   * The question on an agent's screen, and where the file is that it names.
   * @throws FAILED_PRECONDITION when it has no pane
   */
  async question(agentId: string): Promise<z.input<typeof hostCalls.question.response>> {
    const observation = await this.#observation(agentId);
    const asked = askedQuestion(this.#options.harnesses, observation);
    const { screenDigest, recorded } = observation;
    const path = asked?.question.path;
    const actor = this.#options.actor(agentId);
    const folder = actor?.context.worktree?.path ?? actor?.record.launch.cwd;
    const place = path === undefined || !folder ? undefined : await resolvedPath(folder, path);
    return {
      screenDigest,
      screen: tailOf(recorded, questionScreenBytes),
      ...(asked && { question: asked.question, questionDigest: asked.digest }),
      ...(place && { place }),
    };
  }

  async #observation(agentId: string): Promise<Observation> {
    const { actor, terminals, observePane } = this.#options;
    const found = actor(agentId);
    const paneId = found?.context.paneId;
    const terminal = found && paneId !== undefined && (await runningTerminal(terminals, found.record.family));
    const observation = terminal && (await observePane(terminal, paneId, cliOf(found.record, found.context)));
    if (!observation)
      throw new Failure('AGENT_HAS_NO_WINDOW', `agent ${agentId} has no window: restore it first`, {
        metadata: { agentId },
      });
    return observation;
  }

  #seen({ screenDigest, reading }: Observation, shown: Observation['capture']): WatchedScreen {
    return {
      at: this.#options.clock.now(),
      screen: tailOf(shown, screenBytes),
      screenDigest,
      reading: { ...reading, evidence: [...reading.evidence] },
    };
  }

  #lost({ harness, version, capture }: Observation): Inspection['lost'] {
    const screens = screensOf(this.#options.harnesses, harness, version);
    const { lost = [] } = withinTime(explainWithin, () => explain(screens, capture)) ?? {};
    return lost.map(({ rule, why }) => ({ rule, why }));
  }

  #rules({ harness, rules }: Observation): Inspection['rules'] {
    const { harnesses } = this.#options;
    const file = harnesses.files.find((one) => one.harness === harness);
    const { recordedWith } = harnesses.find(harness) ?? {};
    return {
      harness,
      version: rules,
      ...(recordedWith !== undefined && { recordedWith }),
      ...(file && { file: file.path, faults: [...file.faults], instead: file.instead }),
    };
  }
}
